#include "twin/drawings/charts/time_current_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "twin/drawings/charts/xy_chart.hpp"

namespace wattloop::twin {

namespace {

constexpr double fastest_s = 0.01, slowest_s = 1e4;
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#aa5591", "#e69f00", "#1f2933"};

}  // namespace

std::string time_current_chart(const std::vector<TimeCurrentCurve>& curves, const std::string& voltage_text) {
  double lowest_ka = std::numeric_limits<double>::infinity(), highest_ka = 0.0;
  XyChart chart{.x = {.title = fmt::format("current at {}, kA", voltage_text), .is_logarithmic = true},
                .y = {.title = "time, s", .low = fastest_s, .high = slowest_s, .is_logarithmic = true}};
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const TimeCurrentCurve& curve = curves[k];
    const char* colour = colours[k % colours.size()];
    XyLine line{.name = curve.name, .colour = colour};
    for (std::size_t point = 0; point < curve.currents_a.size(); ++point) {
      if (!std::isfinite(curve.times_s[point])) continue;
      line.x.push_back(curve.currents_a[point] / 1e3);
      line.y.push_back(curve.times_s[point]);
    }
    if (line.x.empty()) continue;
    lowest_ka = std::min(lowest_ka, line.x.front());
    highest_ka = std::max(highest_ka, line.x.back());
    chart.lines.push_back(std::move(line));
    if (curve.largest_a <= 0.0) continue;
    XyLine limit{
        .name = {}, .colour = colour, .width = 1.0, .label_at_end = fmt::format("fault behind {}", curve.name)};
    constexpr int dashes = 40;  // gaps between them: not a number
    const double ratio = slowest_s / fastest_s;
    for (int dash = 0; dash < dashes; ++dash) {
      for (const double along : {0.0, 0.5, 0.75}) {
        limit.x.push_back(along > 0.6 ? std::numeric_limits<double>::quiet_NaN() : curve.largest_a / 1e3);
        limit.y.push_back(fastest_s *
                          std::pow(ratio, (dash + along) / dashes * (0.95 - 0.07 * static_cast<double>(k % 6))));
      }
    }
    highest_ka = std::max(highest_ka, curve.largest_a / 1e3);
    chart.lines.push_back(std::move(limit));
  }
  if (chart.lines.empty()) return {};
  chart.x.low = std::pow(10.0, std::floor(std::log10(lowest_ka)));
  chart.x.high = std::pow(10.0, std::ceil(std::log10(highest_ka * 1.05)));
  return xy_chart(chart);
}

}  // namespace wattloop::twin
