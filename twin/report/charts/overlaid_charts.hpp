// Curves of two runs in one chart.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/drawings/charts/live_charts.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Values at other times: linear between, not a number outside of those that there are. Times ascend.
std::vector<float> at_times(std::span<const double> times_s, std::span<const float> values,
                            std::span<const double> requested_s);

/// Of each quantity of the facility that differs, and of each column of components the one that differs most.
std::string overlaid_charts(const ResultsReader& a, const ResultsReader& b, LiveCharts& charts);

}  // namespace wattloop::twin
