#include "twin/drawings/charts/sankey.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double bar_width = 14, column_gap = 290, height = 420, label_height = 17;

struct Bar {
  double value = 0.0, in = 0.0, out = 0.0;
  double top = 0.0;  ///< of the drawing
};

std::vector<Bar> bars_of(const Sankey& sankey) {
  std::vector<Bar> bars(sankey.nodes.size());
  for (const SankeyFlow& flow : sankey.flows) {
    if (!(flow.value > 0.0)) continue;
    bars[flow.from].out += flow.value;
    bars[flow.to].in += flow.value;
  }
  for (Bar& bar : bars) bar.value = std::max(bar.in, bar.out);
  return bars;
}

/// Stacks the bars of each column, far enough apart for their labels; returns the height of the tallest.
double stack(const Sankey& sankey, std::vector<Bar>& bars, double pixel_per_unit) {
  double tallest = 0.0;
  std::size_t columns = 0;
  for (const SankeyNode& node : sankey.nodes) columns = std::max(columns, node.column + 1);
  for (std::size_t column = 0; column < columns; ++column) {
    double y = 0.0;
    for (std::size_t node = 0; node < bars.size(); ++node) {
      if (sankey.nodes[node].column != column || bars[node].value <= 0.0) continue;
      const double thick = bars[node].value * pixel_per_unit;
      const double room = std::max(thick, label_height);
      bars[node].top = y + (room - thick) / 2.0;
      y += room + 8.0;
    }
    tallest = std::max(tallest, y);
  }
  return tallest;
}

}  // namespace

std::string sankey_diagram(const Sankey& sankey) {
  std::vector<Bar> bars = bars_of(sankey);
  double largest = 0.0;
  for (const Bar& bar : bars) largest = std::max(largest, bar.value);
  if (largest <= 0.0) return {};
  const double pixel_per_unit = 0.7 * height / largest;
  const double tall = stack(sankey, bars, pixel_per_unit);
  const auto left_of = [&](std::size_t node) { return static_cast<double>(sankey.nodes[node].column) * column_gap; };
  std::string bands, texts;
  std::vector<double> used_out(bars.size(), 0.0), used_in(bars.size(), 0.0);
  for (const SankeyFlow& flow : sankey.flows) {
    if (!(flow.value > 0.0)) continue;
    const double thick = flow.value * pixel_per_unit;
    const double x0 = left_of(flow.from) + bar_width, x1 = left_of(flow.to), middle = (x0 + x1) / 2;
    const double y0 = bars[flow.from].top + used_out[flow.from], y1 = bars[flow.to].top + used_in[flow.to];
    used_out[flow.from] += thick;
    used_in[flow.to] += thick;
    bands += fmt::format(
        "<path d='M{0:.1f} {1:.1f}C{2:.1f} {1:.1f} {2:.1f} {4:.1f} {3:.1f} {4:.1f}V{5:.1f}C{2:.1f} {5:.1f} {2:.1f} "
        "{6:.1f} {0:.1f} {6:.1f}Z' fill='{7}' opacity='.45'><title>{8} to {9}: {10}</title></path>\n",
        x0, y0, middle, x1, y1, y1 + thick, y0 + thick,
        sankey.nodes[sankey.nodes[flow.to].column > 2 ? flow.from : flow.to].colour,
        page_text(sankey.nodes[flow.from].title), page_text(sankey.nodes[flow.to].title),
        format_quantity(flow.value, sankey.unit));
  }
  for (std::size_t node = 0; node < bars.size(); ++node) {
    if (bars[node].value <= 0.0) continue;
    const double thick = bars[node].value * pixel_per_unit;
    bands += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{}' height='{:.1f}' fill='{}'/>\n", left_of(node),
                         bars[node].top, bar_width, thick, sankey.nodes[node].colour);
    texts += fmt::format("<text x='{:.1f}' y='{:.1f}'>{} {}</text>\n", left_of(node) + bar_width + 5,
                         bars[node].top + thick / 2 + 4, page_text(sankey.nodes[node].title),
                         format_quantity(bars[node].value, sankey.unit));
  }
  std::size_t last = 0;
  for (const SankeyNode& node : sankey.nodes) last = std::max(last, node.column);
  return fmt::format("<svg class='sankey' viewBox='-4 -4 {:.0f} {:.0f}'>\n{}{}</svg>\n",
                     static_cast<double>(last) * column_gap + 200, tall + 8, bands, texts);
}

}  // namespace wattloop::twin
