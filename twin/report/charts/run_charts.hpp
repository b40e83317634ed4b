// Which curves of a run its report shows.
#pragma once

#include <string>

#include "twin/drawings/charts/live_charts.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Places of the charts; of columns with many items those that move most, of columns that stand still none.
std::string run_charts(const ResultsReader& results, LiveCharts& charts);

}  // namespace wattloop::twin
