#include "twin/drawings/charts/time_current_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "twin/drawings/charts/xy_chart.hpp"
#include "twin/drawings/names/display_name.hpp"

namespace wattloop::twin {

namespace {

constexpr double fastest_s = 0.01, slowest_s = 1e4;

/// Each device has one of its own: those of [okabe2008] first.
constexpr std::array device_colours{"#0072b2", "#d55e00", "#009e73", "#aa5591", "#e69f00", "#1f2933",
                                    "#56b4e9", "#882255", "#7f7a00", "#332288", "#8c510a", "#7f7f7f"};

/// A short circuit behind a device.
struct FaultMark {
  double current_a = 0.0;
  std::string device{};
  bool is_largest = false;
};

/// Lines at the currents, and a label for each group of those that are too near to each other to have their own.
void add_marks(std::vector<FaultMark> marks, XyChart& chart) {
  constexpr double too_near = 1.06;
  std::ranges::stable_sort(marks, {}, &FaultMark::current_a);
  for (std::size_t k = 0; k < marks.size();) {
    const FaultMark first = marks[k];
    std::vector<std::string> devices;
    double last_a = 0.0;
    bool has_largest = false, has_smallest = false;
    for (; k < marks.size() && marks[k].current_a <= too_near * first.current_a; ++k) {
      devices.push_back(marks[k].device);
      (marks[k].is_largest ? has_largest : has_smallest) = true;
      if (marks[k].current_a <= 1.001 * last_a) continue;  // drawn already
      last_a = marks[k].current_a;
      chart.lines.push_back({.colour = "#555555",
                             .x = {last_a / 1e3, last_a / 1e3},
                             .y = {fastest_s, slowest_s},
                             .width = 1.0,
                             .dashes = marks[k].is_largest ? "6 4" : "1.5 3.5"});
    }
    const std::string least = fmt::format("{:.4g}", first.current_a / 1e3), most = fmt::format("{:.4g}", last_a / 1e3);
    const char* which = has_largest && has_smallest ? "largest and smallest" : has_largest ? "largest" : "smallest";
    chart.lines.back().label_at_end =
        fmt::format("{} behind {}: {} kA", which, display_names(devices), least == most ? most : least + " to " + most);
    chart.lines.back().is_label_upright = true;
  }
}

}  // namespace

std::string time_current_chart(const std::vector<TimeCurrentCurve>& curves, const std::string& voltage_text) {
  double lowest_ka = std::numeric_limits<double>::infinity(), highest_ka = 0.0;
  XyChart chart{.x = {.title = fmt::format("current at {}, kA", voltage_text), .is_logarithmic = true},
                .y = {.title = "time, s", .low = fastest_s, .high = slowest_s, .is_logarithmic = true}};
  std::vector<FaultMark> marks;
  std::size_t devices = 0;
  for (const TimeCurrentCurve& curve : curves) {
    if (!curve.is_of_earth_faults) ++devices;
    XyLine line{.name = curve.name,
                .colour = device_colours[(std::max<std::size_t>(devices, 1) - 1) % device_colours.size()],
                .dashes = curve.is_of_earth_faults ? "7 4" : ""};
    for (std::size_t point = 0; point < curve.currents_a.size(); ++point) {
      if (!std::isfinite(curve.times_s[point])) continue;
      line.x.push_back(curve.currents_a[point] / 1e3);
      line.y.push_back(curve.times_s[point]);
    }
    if (line.x.empty()) continue;
    lowest_ka = std::min(lowest_ka, line.x.front());
    highest_ka = std::max(highest_ka, line.x.back());
    chart.lines.push_back(std::move(line));
    for (const auto& [current_a, is_largest] : {std::pair(curve.largest_a, true), std::pair(curve.smallest_a, false)}) {
      if (current_a <= 0.0) continue;
      marks.push_back({current_a, curve.name, is_largest});
      lowest_ka = std::min(lowest_ka, current_a / 1e3);
      highest_ka = std::max(highest_ka, current_a / 1e3);
    }
  }
  if (chart.lines.empty()) return {};
  add_marks(std::move(marks), chart);
  chart.x.low = std::pow(10.0, std::floor(std::log10(lowest_ka)));
  chart.x.high = std::pow(10.0, std::ceil(std::log10(highest_ka * 1.05)));
  return xy_chart(chart);
}

}  // namespace wattloop::twin
