// Jobs of a run in pictures: what each did over time, how long the queue was, where the time of GPUs went.
#pragma once

#include <string>
#include <vector>

#include "twin/drawings/charts/live_charts.hpp"
#include "twin/drawings/charts/sankey.hpp"
#include "twin/drawings/charts/swim_lanes.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// GPU seconds of useful work, checkpoints, work that was redone, of GPUs that were slowed, stopped or restarting, idle, down. Empty without jobs.
Sankey gpu_time_sankey(const ResultsReader& results);

/// Those of a queue that took and waited for the most node-time, in the order of their submission.
std::vector<Lane> job_lanes(const ResultsReader& results, std::size_t most = 24);
std::string job_lanes_picture(const ResultsReader& results);

/// Jobs that wait and that have nodes; empty without a queue.
std::string queue_chart(const ResultsReader& results, LiveCharts& charts);

}  // namespace wattloop::twin
