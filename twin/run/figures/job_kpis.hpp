// What became of work, as figures of a summary: goodput, losses and waits of jobs, findings of acceptance tests.
#pragma once

#include <optional>

#include "twin/actions/work/job_figures.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/meters/figure_list.hpp"

namespace wattloop::twin {

/// Of all training jobs over a run.
struct Throughput {
  double tokens = 0.0;  ///< of completed steps
  double tokens_per_s = 0.0;
  double mfu_fraction = 0.0;        ///< 0: not known
  double energy_per_token_j = 0.0;  ///< of the IT equipment
};
/// GPUs over which times of jobs are means: of the hall where jobs come and go, else of all jobs.
double lost_gpus(const FinishedRun& run, const JobFigures& jobs);

/// Nothing where a job does not say how many tokens a step has.
std::optional<Throughput> throughput_of(const FinishedRun& run);

/// Of jobs whose GPUs wait for one another, and of jobs that come and go; nothing where there are none.
void add_jobs(const FinishedRun& run, FigureList& values);

/// What acceptance tests found; nothing where nothing is tested.
void add_tests(const FinishedRun& run, FigureList& values);

}  // namespace wattloop::twin
