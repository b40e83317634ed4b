// What became of work, as figures of a summary: goodput, losses and waits of jobs, findings of acceptance tests.
#pragma once

#include "twin/run/figures/summary.hpp"
#include "twin/run/meters/figure_list.hpp"

namespace wattloop::twin {

/// Of jobs whose GPUs wait for one another, and of jobs that come and go; nothing where there are none.
void add_jobs(const FinishedRun& run, FigureList& values);

/// What acceptance tests found; nothing where nothing is tested.
void add_tests(const FinishedRun& run, FigureList& values);

}  // namespace wattloop::twin
