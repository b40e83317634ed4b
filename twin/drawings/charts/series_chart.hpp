// Curves over time as SVG.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace wattloop::twin {

struct ChartLine {
  std::string name{};
  std::vector<float> values{};  ///< in the unit of the chart, SI; NaN: not recorded
  std::string colour{};         ///< "#d55e00", where it means the same on all pages; empty: the next one
};

/// A chart of lines over the same times; at most some 800 points a line, the highest and lowest of each interval kept. Empty
/// where there is nothing finite to draw.
std::string series_chart(const std::string& title, const std::string& unit, std::span<const double> times_s,
                         std::span<const ChartLine> lines);

}  // namespace wattloop::twin
