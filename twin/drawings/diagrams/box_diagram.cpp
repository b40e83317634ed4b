#include "twin/drawings/diagrams/box_diagram.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "twin/drawings/diagrams/layered_layout.hpp"
#include "twin/drawings/names/fitted_text.hpp"

namespace wattloop::twin {

namespace {

constexpr double box_width = 170, column_width = 188, line_height = 15, layer_gap = 46;
constexpr double letters = 11.5, edge = 5;  ///< size of texts, and how near to the sides of their box they come

/// Texts of a box in lines that keep within it.
struct FittedBox {
  std::vector<FittedLine> title{}, lines{};
  double height = 0.0;

  explicit FittedBox(const DiagramBox& box) {
    constexpr double width = (box_width - 2 * edge) / svg_letters, bold = 1.06;
    constexpr std::size_t most_lines = 2;
    title = fitted_lines(box.title, width / bold, letters, most_lines);
    for (const std::string& line : box.lines) {
      for (FittedLine& fitted : fitted_lines(line, width, letters, most_lines)) lines.push_back(std::move(fitted));
    }
    height = 24 + line_height * static_cast<double>(title.size() + lines.size() - 1);
  }
};

constexpr std::array<std::string_view, 4> classes{"usual", "still", "beyond", "failed"};
std::string_view class_of(Look look) { return classes.at(static_cast<std::size_t>(look)); }

std::string line_svg(const FittedLine& line, bool is_title, double middle, double y) {
  return fmt::format("<text{} x='{:.1f}' y='{:.1f}'{}>{}</text>", is_title ? " class='title'" : "", middle, y,
                     line.size < letters ? fmt::format(" style='font-size:{:.1f}px'", line.size) : "",
                     page_text(line.text));
}

std::string box_svg(const DiagramBox& box, const FittedBox& fitted, double middle, double top) {
  const double height = fitted.height, left = middle - box_width / 2;
  std::string svg = fmt::format("<g class='box {}'><rect x='{:.1f}' y='{:.1f}' width='{}' height='{:.1f}' rx='{}'/>",
                                class_of(box.look), left, top, box_width, height, box.is_body ? 14 : 2);
  if (box.look == Look::failed) {
    svg += fmt::format("<path class='cross' d='M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}M{0:.1f} {3:.1f}L{2:.1f} {1:.1f}'/>",
                       left, top, left + box_width, top + height);
  }
  double y = top + 16;
  for (const bool is_title : {true, false}) {
    for (const FittedLine& line : is_title ? fitted.title : fitted.lines) {
      svg += line_svg(line, is_title, middle, y);
      y += line_height;
    }
  }
  return svg + "</g>\n";
}

}  // namespace

std::string box_diagram(const std::vector<DiagramBox>& boxes, const std::vector<DiagramLine>& lines) {
  if (boxes.empty()) return {};
  std::vector<std::array<std::size_t, 2>> connections;
  for (const DiagramLine& line : lines) connections.push_back(line.ends);
  std::vector<FittedBox> fitted;
  for (const DiagramBox& box : boxes) fitted.emplace_back(box);
  const LayeredLayout layout = layered_layout(boxes.size(), connections);
  std::vector<double> top(layout.layer_count + 1, 0.0);
  for (std::size_t layer = 0; layer < layout.layer_count; ++layer) {
    double tallest = 0.0;
    for (std::size_t box = 0; box < boxes.size(); ++box) {
      if (layout.layer[box] == layer) tallest = std::max(tallest, fitted[box].height);
    }
    top[layer + 1] = top[layer] + tallest + layer_gap;
  }
  const auto x_of = [&](double place) { return place * column_width; };
  std::string svg, live;  // lines that carry something above those that do not
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::size_t from = lines[k].ends[0], to = lines[k].ends[1];
    std::vector<double> bends = layout.bends[k];
    if (layout.layer[from] > layout.layer[to]) {
      std::swap(from, to);
      std::ranges::reverse(bends);
    }
    double x = x_of(layout.x[from]), y = top[layout.layer[from]] + fitted[from].height;
    std::string way = fmt::format("M{:.1f} {:.1f}", x, y);
    std::size_t layer = layout.layer[from];
    const auto go_to = [&](double new_x, double new_y) {
      way += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x, y + layer_gap / 2, new_x,
                         new_y - layer_gap / 2, new_x, new_y);
      x = new_x, y = new_y;
    };
    for (const double bend : bends) {
      go_to(x_of(bend), top[++layer]);
      way += fmt::format("V{:.1f}", y = top[layer + 1] - layer_gap);
    }
    go_to(x_of(layout.x[to]), top[layout.layer[to]]);
    (lines[k].look == Look::still ? svg : live) +=
        fmt::format("<path class='way {}' d='{}'/>\n", class_of(lines[k].look), way);
  }
  svg += live;
  for (std::size_t box = 0; box < boxes.size(); ++box)
    svg += box_svg(boxes[box], fitted[box], x_of(layout.x[box]), top[layout.layer[box]]);
  const double width = std::max(layout.width, 1.0) * column_width;
  return fmt::format(
      "<svg class='boxes' style='min-width:{:.0f}px;max-width:{:.0f}px' viewBox='-4 -4 {:.1f} {:.1f}'>\n{}</svg>\n",
      width * 0.8, width * 1.15 + 8, width + 8, top.back() - layer_gap + 8, svg);
}

std::string_view box_diagram_style() {
  return ".boxes{font-size:11.5px;margin:auto}.boxes text{text-anchor:middle;fill:#222}.boxes .title{font-weight:bold}"
         ".box rect{fill:#fff;stroke:#444;stroke-width:1.2}.box.still rect{fill:#eee;stroke:#999;stroke-dasharray:4 3}"
         ".box.beyond rect{fill:#fff0d9;stroke:#d55e00;stroke-width:2}"
         ".box.failed rect{fill:#fbe3df;stroke:#b2182b;stroke-width:2}.cross{stroke:#b2182b;stroke-width:1;opacity:.35}"
         ".way{fill:none;stroke:#0072b2;stroke-width:1.6}.way.still{stroke:#aaa;stroke-dasharray:4 3}"
         ".way.beyond{stroke:#d55e00}.way.failed{stroke:#b2182b;stroke-dasharray:4 3}";
}

}  // namespace wattloop::twin
