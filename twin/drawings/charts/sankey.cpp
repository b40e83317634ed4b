#include "twin/drawings/charts/sankey.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/charts/drawing_width.hpp"
#include "twin/drawings/names/fitted_text.hpp"

namespace wattloop::twin {

namespace {

// Bands leave a bar level, below its label, and turn behind it: no label lies on a band.
constexpr double bar_width = 14, turn_width = 70, height = 420, label_height = 17, label_size = 13;

struct Bar {
  double value = 0.0, in = 0.0, out = 0.0;
  double top = 0.0;  ///< of the drawing

  bool is_end() const { return out <= 0.0; }
};

std::string label_of(const Sankey& sankey, const std::vector<Bar>& bars, std::size_t node) {
  return fmt::format("{} {}", sankey.nodes[node].title, format_quantity(bars[node].value, sankey.unit));
}

/// Where each column begins and, behind the last, the right end of its labels.
std::vector<double> lefts_of(const Sankey& sankey, const std::vector<Bar>& bars) {
  std::vector<double> labels;
  for (std::size_t node = 0; node < bars.size(); ++node) {
    if (bars[node].value <= 0.0) continue;
    const std::size_t column = sankey.nodes[node].column;
    if (labels.size() <= column) labels.resize(column + 1, 0.0);
    const double wide = svg_letters * label_size * letters_width(label_of(sankey, bars, node));
    labels[column] = std::max(labels[column], wide + (bars[node].is_end() ? bar_width + 12.0 : 0.0));
  }
  std::vector<double> lefts{0.0};
  for (const double wide : labels) lefts.push_back(lefts.back() + std::max(bar_width, wide) + turn_width);
  return lefts;
}

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
    std::vector<std::size_t> nodes;
    for (std::size_t node = 0; node < bars.size(); ++node)
      if (sankey.nodes[node].column == column && bars[node].value > 0.0) nodes.push_back(node);
    std::ranges::stable_partition(nodes, [&](std::size_t node) { return !bars[node].is_end(); });  // ends below
    for (const std::size_t node : nodes) {
      const double thick = bars[node].value * pixel_per_unit;
      if (bars[node].is_end()) {  // its label is on its right
        const double room = std::max(thick, label_height);
        bars[node].top = y + (room - thick) / 2.0;
        y += room + 8.0;
      } else {  // above it
        bars[node].top = y + label_height;
        y += label_height + thick + 8.0;
      }
    }
    tallest = std::max(tallest, y);
  }
  return tallest;
}

/// Without what rounding leaves, which is no pixel.
Sankey with_seen_flows(Sankey sankey) {
  constexpr double least_ratio = 1e-6;
  double largest = 0.0;
  for (const SankeyFlow& flow : sankey.flows) largest = std::max(largest, flow.value);
  std::erase_if(sankey.flows, [&](const SankeyFlow& flow) { return !(flow.value > least_ratio * largest); });
  return sankey;
}

}  // namespace

std::string sankey_diagram(const Sankey& given) {
  const Sankey sankey = with_seen_flows(given);
  std::vector<Bar> bars = bars_of(sankey);
  double largest = 0.0;
  for (const Bar& bar : bars) largest = std::max(largest, bar.value);
  if (largest <= 0.0) return {};
  const double pixel_per_unit = 0.7 * height / largest;
  const double tall = stack(sankey, bars, pixel_per_unit);
  const std::vector<double> lefts = lefts_of(sankey, bars);
  const auto left_of = [&](std::size_t node) { return lefts[sankey.nodes[node].column]; };
  std::string bands, texts;
  std::vector<double> used_out(bars.size(), 0.0), used_in(bars.size(), 0.0);
  for (const SankeyFlow& flow : sankey.flows) {
    const double thick = flow.value * pixel_per_unit;
    const double x0 = left_of(flow.from) + bar_width, x1 = left_of(flow.to);
    const double turn = lefts[sankey.nodes[flow.from].column + 1] - turn_width, middle = (turn + x1) / 2;
    const double y0 = bars[flow.from].top + used_out[flow.from], y1 = bars[flow.to].top + used_in[flow.to];
    used_out[flow.from] += thick;
    used_in[flow.to] += thick;
    bands += fmt::format(
        "<path d='M{0:.1f} {1:.1f}H{11:.1f}C{2:.1f} {1:.1f} {2:.1f} {4:.1f} {3:.1f} {4:.1f}V{5:.1f}C{2:.1f} {5:.1f} "
        "{2:.1f} {6:.1f} {11:.1f} {6:.1f}H{0:.1f}Z' fill='{7}' opacity='.45'><title>{8} to {9}: {10}</title></path>\n",
        x0, y0, middle, x1, y1, y1 + thick, y0 + thick,
        sankey.nodes[sankey.nodes[flow.to].column == 3 ? flow.from : flow.to].colour,
        page_text(sankey.nodes[flow.from].title), page_text(sankey.nodes[flow.to].title),
        format_quantity(flow.value, sankey.unit), turn);
  }
  for (std::size_t node = 0; node < bars.size(); ++node) {
    if (bars[node].value <= 0.0) continue;
    const double thick = bars[node].value * pixel_per_unit;
    bands += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{}' height='{:.1f}' fill='{}'/>\n", left_of(node),
                         bars[node].top, bar_width, thick, sankey.nodes[node].colour);
    const bool is_end = bars[node].is_end();
    texts += fmt::format("<text x='{:.1f}' y='{:.1f}'>{}</text>\n", left_of(node) + (is_end ? bar_width + 5 : 0.0),
                         bars[node].top + (is_end ? thick / 2 + 4 : -4.0), page_text(label_of(sankey, bars, node)));
  }
  return fmt::format("<svg class='sankey' viewBox='-4 -4 {:.0f} {:.0f}'>\n{}{}</svg>\n", lefts.back() - turn_width + 16,
                     tall + 8, bands, texts);
}

std::string sankey_bars(const Sankey& given) {
  const Sankey sankey = with_seen_flows(given);
  const std::vector<Bar> bars = bars_of(sankey);
  double largest = 0.0;
  std::size_t columns = 0;
  for (std::size_t node = 0; node < bars.size(); ++node) {
    largest = std::max(largest, bars[node].value);
    columns = std::max(columns, sankey.nodes[node].column + 1);
  }
  if (largest <= 0.0) return {};
  constexpr double line = 15.0, thick = 10.0, gap = 4.0, between_columns = 8.0;
  std::string body;
  double y = 0.0;
  for (std::size_t column = 0; column < columns; ++column) {
    bool is_empty = true;
    for (std::size_t node = 0; node < bars.size(); ++node) {
      if (sankey.nodes[node].column != column || bars[node].value <= 0.0) continue;
      is_empty = false;
      body += fmt::format(
          "<text x='0' y='{:.1f}'>{}, {:.3g} %</text><rect x='0' y='{:.1f}' width='{:.1f}' height='{}' fill='{}'/>\n",
          y + line - 4.0, page_text(label_of(sankey, bars, node)), 100.0 * bars[node].value / largest, y + line,
          std::max(1.0, phone_width * bars[node].value / largest), thick, sankey.nodes[node].colour);
      y += line + thick + gap;
    }
    if (is_empty || column + 1 == columns) continue;
    body += fmt::format("<path d='M0 {0:.1f}H{1}' stroke='#999' stroke-dasharray='3 3'/>\n",
                        y + between_columns / 2 - 1, phone_width);
    y += between_columns;
  }
  return fmt::format("<svg class='phone_bars' viewBox='0 0 {} {:.0f}' font-size='12'>\n{}</svg>\n", phone_width, y,
                     body);
}

}  // namespace wattloop::twin
