// Curves over time that a reader can zoom, all together, drawn by dygraphs in the page.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "twin/drawings/charts/series_chart.hpp"

namespace wattloop::twin {

/// A time that all charts mark, by its number.
struct ChartMark {
  double time_s = 0.0;
  std::string words{};
  std::string when{};  ///< "14 min 10 s", for the list
};

/// Charts of a page: their data, then what draws them.
class LiveCharts {
 public:
  /// Time is shown in s, min, h or d, the same in all charts.
  explicit LiveCharts(double run_end_s);

  double shown_time(double time_s) const { return time_s / unit_s_; }
  const std::string& time_unit() const { return unit_name_; }

  /// HTML of the place where it will be drawn. At most some 2,000 rows: the highest and the lowest of each interval are kept. Empty
  /// where there is nothing finite to draw. Values in `unit`, SI; shown in one that reads well.
  std::string add(const std::string& title, const std::string& unit, std::span<const double> times_s,
                  std::span<const ChartLine> lines);

  /// What the numbers of marks mean, to stand before the charts; empty where nothing is marked or drawn.
  std::string list_of(std::span<const ChartMark> marks) const;

  /// The script, to stand behind all places: the library, the data, and what draws and joins the charts.
  std::string script(std::span<const ChartMark> marks) const;

 private:
  double unit_s_ = 1.0;
  std::string unit_name_ = "s";
  std::vector<std::string> charts_;  ///< JSON
};

}  // namespace wattloop::twin
