#include "twin/drawings/diagrams/box_diagram.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "twin/drawings/diagrams/bar_places.hpp"
#include "twin/drawings/diagrams/layered_layout.hpp"
#include "twin/drawings/diagrams/power_symbols.hpp"
#include "twin/drawings/names/fitted_text.hpp"

namespace wattloop::twin {

namespace {

constexpr double line_height = 15, layer_gap = 46, half_bar = 3;
constexpr double letters = 11.5, edge = 5;  ///< size of texts, and how near to the sides of their box they come

constexpr double symbol_room = symbol_size + 2 * edge;

/// Texts of a box in lines that keep within it.
struct FittedBox {
  std::vector<FittedLine> title{}, lines{};
  double height = 0.0;
  bool has_symbol = false;

  explicit FittedBox(const DiagramBox& box) {
    constexpr double width = (box_width - 2 * edge) / svg_letters, bold = 1.06;
    constexpr std::size_t most_lines = 2;
    has_symbol = !box.is_bar && !symbol_svg(box.symbol, 0.0, 0.0).empty();
    const double beside = has_symbol ? (symbol_room - edge) / svg_letters : 0.0;
    title = fitted_lines(box.title, (width - beside) / bold, letters, most_lines);
    for (const std::string& line : box.lines) {
      for (FittedLine& fitted : fitted_lines(line, width, letters, most_lines)) lines.push_back(std::move(fitted));
    }
    const auto count = static_cast<double>(title.size() + lines.size());
    height = box.is_bar ? line_height * count + 2 * half_bar : 24 + line_height * (count - 1);
  }
};

constexpr std::array<std::string_view, 4> classes{"usual", "still", "beyond", "failed"};
std::string_view class_of(Look look) { return classes.at(static_cast<std::size_t>(look)); }

std::string line_svg(const FittedLine& line, bool is_title, double middle, double y) {
  return fmt::format("<text{} x='{:.1f}' y='{:.1f}'{}>{}</text>", is_title ? " class='title'" : "", middle, y,
                     line.size < letters ? fmt::format(" style='font-size:{:.1f}px'", line.size) : "",
                     page_text(line.text));
}

/// Width of a text, pixels.
double width_of(const FittedLine& line, bool is_title) {
  return letters_width(line.text) * line.size * svg_letters * (is_title ? 1.06 : 1.0);
}

/// Middle of a line of the title: that of the box, or further to the right where the symbol is in its way.
double title_middle(const FittedBox& fitted, const FittedLine& line, double middle) {
  const double room = box_width - 2 * symbol_room, width = width_of(line, true);
  return fitted.has_symbol && width > room ? middle + std::min(width - room, symbol_room - edge) / 2 : middle;
}

std::string box_svg(const DiagramBox& box, const FittedBox& fitted, double middle, double top) {
  const double height = fitted.height, left = middle - box_width / 2;
  std::string svg = fmt::format("<g class='box {}'><rect x='{:.1f}' y='{:.1f}' width='{}' height='{:.1f}' rx='{}'/>",
                                class_of(box.look), left, top, box_width, height, box.is_body ? 14 : 2);
  if (box.look == Look::failed) {
    svg += fmt::format("<path class='cross' d='M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}M{0:.1f} {3:.1f}L{2:.1f} {1:.1f}'/>",
                       left, top, left + box_width, top + height);
  }
  if (fitted.has_symbol) svg += symbol_svg(box.symbol, left + symbol_room / 2, top + symbol_room / 2 - 1);
  double y = top + 16;
  for (const bool is_title : {true, false}) {
    for (const FittedLine& line : is_title ? fitted.title : fitted.lines) {
      svg += line_svg(line, is_title, is_title ? title_middle(fitted, line, middle) : middle, y);
      y += line_height;
    }
  }
  return svg + "</g>\n";
}

/// Above the bar at one of its ends, where fewer lines come down to it; on white, over those that do.
std::string bar_svg(const DiagramBox& bar, const FittedBox& fitted, const Extent& extent, double y,
                    const std::vector<double>& lines_x) {
  double width = 0.0;
  for (const bool is_title : {true, false}) {
    for (const FittedLine& line : is_title ? fitted.title : fitted.lines)
      width = std::max(width, width_of(line, is_title));
  }
  const auto crossed = [&](double left) {
    return std::ranges::count_if(lines_x, [&](double x) { return left - edge < x && x < left + width + edge; });
  };
  double left = extent.left;
  for (const double other : {extent.right - width, (extent.left + extent.right - width) / 2})
    if (other > extent.left && crossed(other) < crossed(left)) left = other;
  std::string svg = fmt::format("<g class='bar {}'><path d='M{:.1f} {:.1f}H{:.1f}'/>", class_of(bar.look), extent.left,
                                y, extent.right);
  double text_y = y - fitted.height + line_height - 2;
  svg += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}'/>", left - 1, text_y - 11, width + 2,
                     fitted.height - 2 * half_bar);
  for (const bool is_title : {true, false}) {
    for (const FittedLine& line : is_title ? fitted.title : fitted.lines) {
      svg += line_svg(line, is_title, left, text_y);
      text_y += line_height;
    }
  }
  return svg + "</g>\n";
}

class Drawer {
 public:
  Drawer(const std::vector<DiagramBox>& boxes, const std::vector<DiagramLine>& lines) : boxes_(boxes), lines_(lines) {
    std::vector<std::array<std::size_t, 2>> connections;
    std::vector<BoxBetween> between;
    for (const DiagramLine& line : lines) {
      if (!line.is_beside) {
        connections.push_back(line.ends);
        continue;
      }
      const auto known = std::ranges::find(between, line.ends[1], &BoxBetween::box);
      if (known == between.end())
        between.push_back({line.ends[1], {line.ends[0], line.ends[0]}});
      else
        known->of[1] = line.ends[0];
    }
    std::vector<bool> is_bar;
    for (const DiagramBox& box : boxes) {
      fitted_.emplace_back(box);
      is_bar.push_back(box.is_bar);
    }
    layout_ = layered_layout(boxes.size(), connections, between);
    extents_ = extents_of(layout_, connections, is_bar);
    is_between_.assign(boxes.size(), false);
    for (const BoxBetween& one : between) is_between_[one.box] = true;
    arrivals_.resize(boxes.size());
    place_layers();
  }

  std::string draw() {
    std::string still, live;  // lines that carry something above those that do not
    std::size_t connection = 0;
    for (const DiagramLine& line : lines_) {
      const std::string way = line.is_beside ? way_beside(line) : way_down(line, connection++);
      (line.look == Look::still ? still : live) +=
          fmt::format("<path class='way {}' d='{}'/>\n", class_of(line.look), way);
    }
    std::string svg = still + live;
    for (std::size_t box = 0; box < boxes_.size(); ++box) {
      svg += boxes_[box].is_bar ? bar_svg(boxes_[box], fitted_[box], extents_[box], middle_y(box), arrivals_[box])
                                : box_svg(boxes_[box], fitted_[box], x_of(box), top_of(box));
    }
    const double width = std::max(layout_.width, 1.0) * column_width;
    return fmt::format(
        "<svg class='boxes' style='min-width:{:.0f}px;max-width:{:.0f}px' viewBox='-4 -4 {:.1f} {:.1f}'>\n{}{}</svg>\n",
        width * 0.8, width * 1.15 + 8, width + 8, top_.back() - layer_gap + 8, svg, dots_ + arrows_);
  }

 private:
  /// Bars and what stands between them in one line, the texts of bars above it; all other boxes at the top of their layer.
  void place_layers() {
    top_.assign(layout_.layer_count + 1, 0.0);
    for (std::size_t layer = 0; layer < layout_.layer_count; ++layer) {
      double tallest = 0.0, above = 0.0, below = 0.0;
      for (std::size_t box = 0; box < boxes_.size(); ++box) {
        if (layout_.layer[box] != layer) continue;
        const double height = fitted_[box].height;
        if (!boxes_[box].is_bar && !is_between_[box]) {
          tallest = std::max(tallest, height);
          continue;
        }
        above = std::max(above, is_between_[box] ? height / 2 : height);
        below = std::max(below, is_between_[box] ? height / 2 : half_bar);
      }
      bars_y_.push_back(top_[layer] + above);
      top_[layer + 1] = top_[layer] + std::max(tallest, above + below) + layer_gap;
    }
  }

  double x_of(std::size_t box) const { return layout_.x[box] * column_width; }
  double bottom_of_layer(std::size_t layer) const { return top_[layer + 1] - layer_gap; }
  double middle_y(std::size_t box) const { return bars_y_[layout_.layer[box]]; }
  double top_of(std::size_t box) const {
    return is_between_[box] ? middle_y(box) - fitted_[box].height / 2 : top_[layout_.layer[box]];
  }

  /// A dot where a line meets a bar.
  void add_dot(std::size_t bar, double x, Look look) {
    dots_ += fmt::format("<circle class='dot {}' cx='{:.1f}' cy='{:.1f}' r='3'/>\n", class_of(look), x, middle_y(bar));
  }

  /// Where a line meets a box from above, below or beside: its direction is that in which it comes to the box.
  void add_arrow(const DiagramLine& line, std::size_t box, std::array<double, 2> at, std::array<double, 2> to_box) {
    if (line.flow == Flow::none) return;
    const bool comes_in = (line.flow == Flow::along) == (line.ends[1] == box);
    constexpr double length = 8, half_width = 4;
    const double tip = comes_in ? 0.5 : length + 0.5, back = comes_in ? length + 0.5 : 0.5;  // from the box
    const auto [x, y] = at;
    const auto [dx, dy] = to_box;
    arrows_ += fmt::format("<path class='arrow' d='M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z'/>\n", x - tip * dx,
                           y - tip * dy, x - back * dx - half_width * dy, y - back * dy - half_width * dx,
                           x - back * dx + half_width * dy, y - back * dy + half_width * dx);
  }

  std::string way_down(const DiagramLine& line, std::size_t connection) {
    std::size_t from = line.ends[0], to = line.ends[1];
    std::vector<double> stops = layout_.bends[connection];  // middles, pixels; then where the line ends
    if (layout_.layer[from] > layout_.layer[to]) {
      std::swap(from, to);
      std::ranges::reverse(stops);
    }
    for (double& stop : stops) stop *= column_width;
    const double last = stops.empty() ? x_of(from) : stops.back(), first = stops.empty() ? x_of(to) : stops.front();
    stops.push_back(boxes_[to].is_bar ? extents_[to].port(last) : x_of(to));
    std::size_t layer = layout_.layer[from];
    double x = x_of(from), y = top_of(from) + fitted_[from].height;
    std::string way;
    if (boxes_[from].is_bar) {
      if (stops.size() == 1 && boxes_[to].is_bar) stops[0] = extents_[to].port(extents_[from].port(first));
      x = extents_[from].port(stops.size() == 1 ? stops[0] : first);
      way = fmt::format("M{:.1f} {:.1f}V{:.1f}", x, middle_y(from), y = bottom_of_layer(layer));
      add_dot(from, x, line.look);
    } else {
      way = fmt::format("M{:.1f} {:.1f}", x, y);
      add_arrow(line, from, {x, y}, {0.0, -1.0});
    }
    for (const double stop : stops) {
      const double new_y = top_[++layer];
      way += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x, y + layer_gap / 2, stop,
                         new_y - layer_gap / 2, stop, new_y);
      x = stop;
      if (layer != layout_.layer[to]) way += fmt::format("V{:.1f}", y = bottom_of_layer(layer));
    }
    if (boxes_[to].is_bar) {
      way += fmt::format("V{:.1f}", middle_y(to));
      arrivals_[to].push_back(x);
      add_dot(to, x, line.look);
    } else {
      add_arrow(line, to, {x, top_of(to)}, {0.0, 1.0});
    }
    return way;
  }

  /// Does anything stand in the layer of a box between it and a place?
  bool is_free(std::size_t box, std::size_t bar) const {
    const auto [low, high] = std::minmax(layout_.x[box], layout_.x[bar]);
    for (std::size_t other = 0; other < boxes_.size(); ++other) {
      const bool is_there = layout_.layer[other] == layout_.layer[box] && low < layout_.x[other];
      if (is_there && layout_.x[other] < high) return false;
    }
    return true;
  }

  std::string way_beside(const DiagramLine& line) {
    const auto [bar, box] = line.ends;
    const double x = x_of(box), y = middle_y(bar);
    const bool is_right = x > x_of(bar);
    if (layout_.layer[bar] == layout_.layer[box] && is_free(box, bar)) {
      const double end = is_right ? extents_[bar].right : extents_[bar].left;
      const double side = x + (is_right ? -0.5 : 0.5) * box_width;
      add_arrow(line, box, {side, y}, {is_right ? 1.0 : -1.0, 0.0});
      return fmt::format("M{:.1f} {:.1f}H{:.1f}", end, y, side);
    }
    const double from = extents_[bar].port(x), top = top_of(box), into = x + (is_right ? -0.25 : 0.25) * box_width;
    add_dot(bar, from, line.look);
    add_arrow(line, box, {into, top}, {0.0, 1.0});
    if (layout_.layer[bar] == layout_.layer[box])  // over what stands there
      return fmt::format("M{:.1f} {:.1f}V{:.1f}H{:.1f}V{:.1f}", from, y, top_[layout_.layer[box]] - 8, into, top);
    return fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from, y, from, y + layer_gap, into,
                       top - layer_gap, into, top);
  }

  const std::vector<DiagramBox>& boxes_;
  const std::vector<DiagramLine>& lines_;
  std::vector<FittedBox> fitted_;
  LayeredLayout layout_;
  std::vector<Extent> extents_;
  std::vector<bool> is_between_;
  std::vector<std::vector<double>> arrivals_;  ///< [box] of a bar: where lines come down to it
  std::vector<double> top_, bars_y_;           ///< [layer]
  std::string dots_, arrows_;
};

}  // namespace

std::string box_diagram(const std::vector<DiagramBox>& boxes, const std::vector<DiagramLine>& lines) {
  return boxes.empty() ? std::string() : Drawer(boxes, lines).draw();
}

std::string_view box_diagram_style() {
  return ".boxes{font-size:11.5px;margin:auto}.boxes text{text-anchor:middle;fill:#222}.boxes .title{font-weight:bold}"
         ".box rect{fill:#fff;stroke:#444;stroke-width:1.2}.box.still rect{fill:#eee;stroke:#999;stroke-dasharray:4 3}"
         ".box.beyond rect{fill:#fff0d9;stroke:#d55e00;stroke-width:2}"
         ".box.failed rect{fill:#fbe3df;stroke:#b2182b;stroke-width:2}.cross{stroke:#b2182b;stroke-width:1;opacity:.35}"
         ".bar path{stroke:#0072b2;stroke-width:6}.bar.still path{stroke:#999;stroke-dasharray:9 4}"
         ".boxes .bar text{text-anchor:start;paint-order:stroke;stroke:#fff;stroke-width:3px}.bar rect{fill:#fff}"
         ".bar.still text{fill:#707070}"
         ".symbol path,.symbol circle{fill:none;stroke:#444}.boxes .symbol text{font-size:11.5px;font-weight:bold}"
         ".arrow{fill:#0072b2}.dot{fill:#fff;stroke:#0072b2}.dot.still{stroke:#999}"
         ".way{fill:none;stroke:#0072b2;stroke-width:1.6}.way.still{stroke:#aaa;stroke-dasharray:4 3}"
         ".way.beyond{stroke:#d55e00}.way.failed{stroke:#b2182b;stroke-dasharray:4 3}";
}

}  // namespace wattloop::twin
