#include "twin/drawings/charts/xy_chart.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "twin/drawings/charts/time_axis.hpp"

namespace wattloop::twin {

namespace {

constexpr double left = 70, top = 26, bottom = 46, right = 20;

double width_of(const XyChart& chart) {
  return chart.for_width == DrawingWidth::wide ? 760 : phone_width - left - right;
}
double height_of(const XyChart& chart) { return chart.for_width == DrawingWidth::wide ? 340 : 240; }

double along(const XyAxis& axis, double value) {
  if (!axis.is_logarithmic) return (value - axis.low) / (axis.high - axis.low);
  return std::log10(value / axis.low) / std::log10(axis.high / axis.low);
}

double x_of(const XyChart& chart, double value) { return left + width_of(chart) * along(chart.x, value); }
double y_of(const XyChart& chart, double value) { return top + height_of(chart) * (1.0 - along(chart.y, value)); }

std::vector<double> ticks_of(const XyAxis& axis) {
  if (!axis.is_logarithmic) return number_ticks(axis.low, axis.high);
  std::vector<double> ticks;
  for (double power = std::ceil(std::log10(axis.low) - 1e-9); std::pow(10.0, power) <= axis.high * (1.0 + 1e-9);
       power += 1.0)
    ticks.push_back(std::pow(10.0, power));
  return ticks;
}

/// Names stand askew below the axis, or before it.
std::string names_along(const XyChart& chart) {
  std::string text;
  for (std::size_t k = 0; k < chart.x.names.size(); ++k) {
    const double x = x_of(chart, static_cast<double>(k));
    text += fmt::format(
        "<path d='M{0:.1f} {1}V{2}' stroke='#eee'/><text x='{0:.1f}' y='{3}' text-anchor='end' transform='rotate(-35 "
        "{0:.1f} {3})'>{4}</text>\n",
        x, top, top + height_of(chart), top + height_of(chart) + 14, page_text(chart.x.names[k]));
  }
  for (std::size_t k = 0; k < chart.y.names.size(); ++k) {
    const double y = y_of(chart, static_cast<double>(k));
    text += fmt::format(
        "<path d='M{0} {1:.1f}H{2}' stroke='#eee'/><text x='{3}' y='{4:.1f}' text-anchor='end'>{5}</text>\n", left, y,
        left + width_of(chart), left - 7, y + 4, page_text(chart.y.names[k]));
  }
  return text;
}

/// How much room the names of an axis take beyond its numbers.
double room_of(const std::vector<std::string>& names, double per_letter, double room_of_numbers) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  return std::max(0.0, per_letter * static_cast<double>(longest) - room_of_numbers);
}

double room_below(const XyChart& chart) { return room_of(chart.x.names, 4.2, 6.0); }
double room_beside(const XyChart& chart) {  // the first name of x leans out, too
  return std::max(room_of(chart.y.names, 7.0, 60.0), room_of(chart.x.names, 5.8, 100.0));
}

std::string axes(const XyChart& chart) {
  std::string text = names_along(chart);
  for (const double tick : chart.x.names.empty() ? ticks_of(chart.x) : std::vector<double>{}) {
    text += fmt::format(
        "<path d='M{0:.1f} {1}V{2}' stroke='#ddd'/><text x='{0:.1f}' y='{3}' text-anchor='middle'>{4:.6g}</text>\n",
        x_of(chart, tick), top, top + height_of(chart), top + height_of(chart) + 16, tick == 0.0 ? 0.0 : tick);
  }
  for (const double tick : chart.y.names.empty() ? ticks_of(chart.y) : std::vector<double>{}) {
    text += fmt::format(
        "<path d='M{0} {1:.1f}H{2}' stroke='#ddd'/><text x='{3}' y='{4:.1f}' text-anchor='end'>{5:.6g}</text>\n", left,
        y_of(chart, tick), left + width_of(chart), left - 7, y_of(chart, tick) + 4,
        std::abs(tick) < 1e-12 ? 0.0 : tick);
  }
  return text + fmt::format(
                    "<text x='{}' y='{}' text-anchor='middle'>{}</text><text x='{}' y='{}'>{}</text>\n"
                    "<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#888'/>\n",
                    left + width_of(chart) / 2, top + height_of(chart) + 36 + room_below(chart),
                    page_text(chart.x.title), left - 40, top - 10, page_text(chart.y.title), left, top, width_of(chart),
                    height_of(chart));
}

bool is_shown(const XyChart& chart, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && !(chart.x.is_logarithmic && x <= 0.0) &&
         !(chart.y.is_logarithmic && y <= 0.0);
}

std::string drawn(const XyChart& chart, const XyLine& line) {
  std::string path;
  bool is_begun = false;
  const bool is_dots = line.mark == XyLine::Mark::dots;
  double before_y = 0.0;
  for (std::size_t k = 0; k < std::min(line.x.size(), line.y.size()); ++k) {
    if (!is_shown(chart, line.x[k], line.y[k])) {
      is_begun = false;
      continue;
    }
    const double x = x_of(chart, line.x[k]), y = y_of(chart, line.y[k]);
    if (is_dots)
      path += fmt::format("M{:.1f} {:.1f}h0", x, y);
    else if (line.mark == XyLine::Mark::steps && is_begun)
      path += fmt::format("L{:.1f} {:.1f}L{:.1f} {:.1f}", x, before_y, x, y);
    else
      path += fmt::format("{}{:.1f} {:.1f}", is_begun ? "L" : "M", x, y);
    before_y = y;
    is_begun = true;
  }
  if (path.empty()) return path;
  const std::string dashes = line.dashes.empty() ? "" : fmt::format("stroke-dasharray='{}' ", line.dashes);
  return fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='{}' {}{}/>\n", path, line.colour, line.width,
                     dashes, is_dots ? "stroke-linecap='round' opacity='.55'" : "stroke-linejoin='round'");
}

/// Beside the last point within the axes, on a pale rim so that it can be read over lines.
std::string label_at_end(const XyChart& chart, const XyLine& line) {
  for (std::size_t k = std::min(line.x.size(), line.y.size()); k-- > 0 && !line.label_at_end.empty();) {
    const bool is_inside =
        line.x[k] >= chart.x.low && line.x[k] <= chart.x.high && line.y[k] >= chart.y.low && line.y[k] <= chart.y.high;
    if (!is_inside || !is_shown(chart, line.x[k], line.y[k])) continue;
    const double x = x_of(chart, line.x[k]), y = y_of(chart, line.y[k]);
    const bool is_at_top = y < top + 24.0;
    if (line.is_label_upright)
      return fmt::format(
          "<text x='{0:.1f}' y='{1:.1f}' text-anchor='end' transform='rotate(-90 {0:.1f} {1:.1f})' fill='#555' "
          "stroke='#fff' stroke-width='3' paint-order='stroke' font-size='11'>{2}</text>\n",
          x - 4.0, std::max(y, top) + 5.0, page_text(line.label_at_end));
    return fmt::format(
        "<text x='{:.1f}' y='{:.1f}' text-anchor='end' fill='#555' stroke='#fff' stroke-width='3' "
        "paint-order='stroke' font-size='11'>{}</text>\n",
        x - 6.0, is_at_top ? top + 14.0 : y - 2.0, page_text(line.label_at_end));
  }
  return {};
}

constexpr double legend_letter = 7.2, legend_sign = 16.0, legend_gap = 18.0, legend_line = 17.0;

double legend_width(const XyLine& line) { return legend_sign + legend_letter * static_cast<double>(line.name.size()); }

/// Lines that have names, in as many rows as fit beside the title of the axis.
std::vector<std::vector<const XyLine*>> legend_rows(const XyChart& chart) {
  const double room = width_of(chart) - 40.0;
  std::vector<std::vector<const XyLine*>> rows;
  double taken = 0.0;
  for (const XyLine& line : chart.lines) {
    if (line.name.empty()) continue;
    if (rows.empty() || taken + legend_width(line) > room) {
      rows.emplace_back();
      taken = 0.0;
    }
    rows.back().push_back(&line);
    taken += legend_width(line) + legend_gap;
  }
  return rows;
}

/// How much room it takes above the title of the axis; in a wide chart its last row is beside the title.
double room_above(const XyChart& chart) {
  const std::size_t rows = legend_rows(chart).size(), beside_title = chart.for_width == DrawingWidth::wide ? 1 : 0;
  return rows > beside_title ? legend_line * static_cast<double>(rows - beside_title) : 0.0;
}

/// Right above the chart, the last row the lowest.
std::string legend(const XyChart& chart) {
  std::string text;
  double y = top - 10.0 - room_above(chart);
  for (const auto& row : legend_rows(chart)) {
    double x = left + width_of(chart);
    for (std::size_t k = row.size(); k-- > 0;) {
      const XyLine& line = *row[k];
      x -= legend_width(line);
      text += fmt::format("<text x='{:.1f}' y='{:.0f}'>{}</text>", x + legend_sign, y, page_text(line.name));
      text += line.dashes.empty()
                  ? fmt::format("<rect x='{:.1f}' y='{:.0f}' width='11' height='11' fill='{}'/>\n", x, y - 10.0,
                                line.colour)
                  : fmt::format("<path d='M{:.1f} {:.1f}h13' stroke='{}' stroke-width='2.5' stroke-dasharray='4 2'/>\n",
                                x - 2.0, y - 4.5, line.colour);
      x -= legend_gap;
    }
    y += legend_line;
  }
  return text;
}

}  // namespace

std::string xy_chart(const XyChart& chart) {
  std::string lines;
  for (const XyLine& line : chart.lines) lines += drawn(chart, line);
  if (lines.empty() || !(chart.x.high > chart.x.low) || !(chart.y.high > chart.y.low)) return {};
  const std::string id = fmt::format("inside_{:x}", std::hash<std::string>()(lines));  // of all on a page another
  std::string labels;
  for (const XyLine& line : chart.lines) labels += label_at_end(chart, line);
  const double beside = room_beside(chart);
  return fmt::format(
      "<svg class='{12}' viewBox='{10} {11} {0} {1}' font-size='12.5'><clipPath id='{9}'><rect x='{2}' y='{3}' "
      "width='{4}' "
      "height='{5}'/></clipPath>\n{6}<g clip-path='url(#{9})'>\n{7}</g>{8}</svg>\n",
      left + width_of(chart) + right + beside, top + height_of(chart) + bottom + room_below(chart) + room_above(chart),
      left, top, width_of(chart), height_of(chart), axes(chart), lines + labels, legend(chart), id, -beside,
      0.0 - room_above(chart), chart.for_width == DrawingWidth::wide ? "xy" : "phone_xy");
}

std::string xy_chart_in_both_widths(XyChart chart) {
  return in_both_widths([&](DrawingWidth width) {
    chart.for_width = width;
    return xy_chart(chart);
  });
}

}  // namespace wattloop::twin
