#include "twin/drawings/charts/series_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double width = 800, height = 180;
constexpr std::size_t interval_count = 400;
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"};

struct Frame {
  double begin_s, end_s, low, high;
  double x(double time_s) const { return width * (time_s - begin_s) / (end_s - begin_s); }
  double y(double value) const { return height * (high - value) / (high - low); }
};

/// Highest and lowest of each interval, in their order; a gap where a value is not recorded.
std::string path_of(const Frame& frame, std::span<const double> times_s, std::span<const float> values) {
  std::string path;
  bool is_begun = false;
  const auto add = [&](std::size_t i) {
    path += fmt::format("{}{:.1f} {:.1f}", is_begun ? "L" : "M", frame.x(times_s[i]),
                        frame.y(static_cast<double>(values[i])));
    is_begun = true;
  };
  const std::size_t step = std::max<std::size_t>(1, values.size() / interval_count);
  for (std::size_t first = 0; first < values.size(); first += step) {
    const std::span<const float> part = values.subspan(first, std::min(step, values.size() - first));
    if (!std::ranges::all_of(part, [](float v) { return std::isfinite(v); })) {
      is_begun = false;
      continue;
    }
    const auto [least, most] = std::ranges::minmax_element(part);
    const auto a = first + static_cast<std::size_t>(least - part.begin());
    const auto b = first + static_cast<std::size_t>(most - part.begin());
    add(std::min(a, b));
    if (a != b) add(std::max(a, b));
  }
  return path;
}

}  // namespace

std::string series_chart(const std::string& title, const std::string& unit, std::span<const double> times_s,
                         std::span<const ChartLine> lines) {
  if (times_s.size() < 2) return {};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Frame frame{times_s.front(), times_s.back(), infinity, -infinity};
  for (const ChartLine& line : lines) {
    for (const float value : line.values) {
      if (!std::isfinite(value)) continue;
      frame.low = std::min(frame.low, static_cast<double>(value));
      frame.high = std::max(frame.high, static_cast<double>(value));
    }
  }
  if (!std::isfinite(frame.low)) return {};
  const std::string lowest = format_quantity(frame.low, unit), highest = format_quantity(frame.high, unit);
  if (frame.high <= frame.low) frame.high = frame.low + std::max(1.0, std::abs(frame.low));
  std::string curves, key;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char* colour = colours[i % colours.size()];
    curves += fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='1.5'/>\n",
                          path_of(frame, times_s, lines[i].values), colour);
    key += fmt::format("<span style='color:{}'>&#9632;</span> {} ", colour, page_text(lines[i].name));
  }
  return fmt::format(
      "<figure><figcaption>{}: {} to {}, from {} to {} of the run<br>{}</figcaption>\n"
      "<svg class='chart' viewBox='-2 -4 {} {}'>\n{}</svg></figure>\n",
      page_text(title), page_text(lowest), page_text(highest), format_quantity(frame.begin_s, "s"),
      format_quantity(frame.end_s, "s"), key, width + 4, height + 8, curves);
}

}  // namespace wattloop::twin
