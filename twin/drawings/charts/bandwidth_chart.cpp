#include "twin/drawings/charts/bandwidth_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "twin/drawings/charts/xy_chart.hpp"

namespace wattloop::twin {

namespace {

/// [okabe2008]
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#aa5591", "#e69f00"};
constexpr double mega_b = 1e6, giga_b_per_s = 1e9;

}  // namespace

std::string bandwidth_chart(const std::vector<BandwidthCurve>& curves) {
  XyChart chart{.x = {.title = "bytes of the all-reduce, MB", .low = 1e9, .high = 0.0, .is_logarithmic = true},
                .y = {.title = "bus bandwidth, GB/s", .low = 0.0, .high = 0.0}};
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const BandwidthCurve& curve = curves[k];
    XyLine line{.name = curve.name, .colour = colours.at(k % colours.size())};
    if (curve.is_measured) {
      line.mark = XyLine::Mark::dots;
      line.width = 7.0;
    }
    for (std::size_t point = 0; point < curve.bytes_b.size(); ++point) {
      line.x.push_back(curve.bytes_b[point] / mega_b);
      line.y.push_back(curve.bus_b_per_s[point] / giga_b_per_s);
      chart.x.low = std::min(chart.x.low, line.x.back());
      chart.x.high = std::max(chart.x.high, line.x.back());
      chart.y.high = std::max(chart.y.high, 1.05 * line.y.back());
    }
    chart.lines.push_back(std::move(line));
  }
  if (!(chart.x.high > 0.0)) return {};
  chart.x.low = std::pow(10.0, std::floor(std::log10(chart.x.low)));
  chart.x.high = std::pow(10.0, std::ceil(std::log10(chart.x.high)));
  return xy_chart(chart);
}

}  // namespace wattloop::twin
