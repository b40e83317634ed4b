#include "twin/drawings/charts/time_current_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "twin/drawings/charts/xy_chart.hpp"

namespace wattloop::twin {

namespace {

constexpr double fastest_s = 0.01, slowest_s = 1e4;

/// Each device has one of its own: those of [okabe2008] first.
constexpr std::array device_colours{"#0072b2", "#d55e00", "#009e73", "#aa5591", "#e69f00", "#1f2933",
                                    "#56b4e9", "#882255", "#7f7a00", "#332288", "#8c510a", "#7f7f7f"};

/// A short circuit behind a device.
struct FaultMark {
  double current_a = 0.0;
  bool is_largest = false;
};

/// "28.29 to 38.48": kiloamperes.
std::string range_text(double least_a, double most_a) {
  const std::string least = fmt::format("{:.4g}", least_a / 1e3), most = fmt::format("{:.4g}", most_a / 1e3);
  return least == most ? most : least + " to " + most;
}

/// Of the device, with the smallest and the largest short circuit behind it.
std::string legend_text(const TimeCurrentCurve& curve) {
  if (curve.is_of_earth_faults || !(curve.largest_a > 0.0)) return curve.name;
  const double smallest_a = curve.smallest_a > 0.0 ? curve.smallest_a : curve.largest_a;
  return fmt::format("{}: {} kA{}", curve.name, range_text(smallest_a, curve.largest_a),
                     curve.currents_a.empty() ? ", does not operate" : "");
}

/// Lines at the currents, and a number for each group of those that are too near to each other to have their own.
void add_marks(std::vector<FaultMark> marks, XyChart& chart) {
  constexpr double room_fraction = 0.022;  // of the axis, that a number takes beside its line
  const double too_near = std::pow(chart.x.high / chart.x.low, room_fraction);
  std::ranges::stable_sort(marks, {}, &FaultMark::current_a);
  for (std::size_t k = 0; k < marks.size();) {
    const double first_a = marks[k].current_a;
    const std::size_t first_line = chart.lines.size();
    double last_a = 0.0;
    bool has_largest = false, has_smallest = false;
    for (; k < marks.size() && (last_a == 0.0 || marks[k].current_a < too_near * first_a); ++k) {
      (marks[k].is_largest ? has_largest : has_smallest) = true;
      if (marks[k].current_a <= 1.001 * last_a) continue;  // drawn already
      last_a = marks[k].current_a;
      chart.lines.push_back({.colour = "#555555",
                             .x = {last_a / 1e3, last_a / 1e3},
                             .y = {fastest_s, slowest_s},
                             .width = 1.0,
                             .dashes = marks[k].is_largest ? "6 4" : "1.5 3.5"});
    }
    const char* which = has_largest && has_smallest ? "smallest and largest" : has_largest ? "largest" : "smallest";
    chart.lines[first_line].label_at_end = fmt::format("{} {} kA", which, range_text(first_a, last_a));
    chart.lines[first_line].is_label_upright = true;
  }
}

/// Between its points, on axes of powers of ten; nothing outside of them.
std::optional<double> time_at(const XyLine& line, double current_ka) {
  const auto above = std::ranges::upper_bound(line.x, current_ka);
  if (above == line.x.begin() || above == line.x.end()) return std::nullopt;
  const auto next = static_cast<std::size_t>(above - line.x.begin());
  const double share = std::log(current_ka / line.x[next - 1]) / std::log(line.x[next] / line.x[next - 1]);
  return line.y[next - 1] * std::pow(line.y[next] / line.y[next - 1], share);
}

/// Does the upper line hide most of the lower one, as far as both go?
bool hides(const XyLine& upper, const XyLine& lower) {
  constexpr double as_wide_as_a_line = 0.05;  // of a time
  constexpr int points = 200;
  if (upper.x.empty() || lower.x.empty()) return false;
  const double begin_ka = std::max(upper.x.front(), lower.x.front()), end_ka = std::min(upper.x.back(), lower.x.back());
  int hidden = 0;
  for (int point = 0; point < points; ++point) {
    const double current_ka = begin_ka * std::pow(end_ka / begin_ka, double(point) / points);
    const std::optional<double> above_s = time_at(upper, current_ka), below_s = time_at(lower, current_ka);
    if (above_s && below_s && std::abs(std::log(*above_s / *below_s)) < as_wide_as_a_line) ++hidden;
  }
  return begin_ka < end_ka && 2 * hidden > points;
}

/// A full line that others hide is wider by an edge for each of them, so that its colour is on both sides of theirs.
void widen_hidden(std::vector<XyLine>& lines) {
  constexpr double edge = 3.0;
  for (std::size_t lower = 0; lower < lines.size(); ++lower) {
    for (std::size_t upper = lower + 1; upper < lines.size(); ++upper)
      if (lines[lower].dashes.empty() && lines[upper].dashes.empty() && hides(lines[upper], lines[lower]))
        lines[lower].width += edge;
  }
}

/// Dots where curves end at the largest short circuit.
void add_ends(const std::vector<TimeCurrentCurve>& curves, const XyChart& chart, std::vector<XyLine>& ends) {
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const XyLine& line = chart.lines[k];
    if (line.x.empty() || curves[k].is_of_earth_faults || !(curves[k].largest_a > 0.0)) continue;
    if (std::abs(line.x.back() * 1e3 / curves[k].largest_a - 1.0) > 1e-6) continue;
    ends.push_back(
        {.colour = line.colour, .x = {line.x.back()}, .y = {line.y.back()}, .mark = XyLine::Mark::dots, .width = 7.0});
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
    XyLine line{.name = legend_text(curve),
                .colour = device_colours[(std::max<std::size_t>(devices, 1) - 1) % device_colours.size()],
                .dashes = curve.is_of_earth_faults ? "7 4" : ""};
    for (std::size_t point = 0; point < curve.currents_a.size(); ++point) {
      if (!std::isfinite(curve.times_s[point])) continue;
      line.x.push_back(curve.currents_a[point] / 1e3);
      line.y.push_back(curve.times_s[point]);
    }
    if (!line.x.empty()) {
      lowest_ka = std::min(lowest_ka, line.x.front());
      highest_ka = std::max(highest_ka, line.x.back());
    }
    chart.lines.push_back(std::move(line));
    for (const auto& [current_a, is_largest] : {std::pair(curve.largest_a, true), std::pair(curve.smallest_a, false)}) {
      if (current_a > 0.0) marks.push_back({current_a, is_largest});
    }
  }
  if (!(highest_ka > 0.0)) return {};
  for (const FaultMark& mark : marks) {
    lowest_ka = std::min(lowest_ka, mark.current_a / 1e3);
    highest_ka = std::max(highest_ka, mark.current_a / 1e3);
  }
  chart.x.low = std::pow(10.0, std::floor(std::log10(lowest_ka)));
  chart.x.high = std::pow(10.0, std::ceil(std::log10(highest_ka * 1.05)));
  widen_hidden(chart.lines);
  std::vector<XyLine> ends;
  add_ends(curves, chart, ends);
  add_marks(std::move(marks), chart);
  chart.lines.insert(chart.lines.end(), ends.begin(), ends.end());
  return xy_chart(chart);
}

}  // namespace wattloop::twin
