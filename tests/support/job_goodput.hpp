// A training job without a hall, from event to event: it saves, fails and restarts.
#pragma once

#include "workload/work/parameters.hpp"

namespace wattloop::tests {

/// Time of useful steps over the time of a run of 200 mean times between failures, where the job is interrupted every `between_s` in the mean:
/// mean of so many seeds.
double goodput_of_runs(const workload::TrainingParams& job, double between_s, int seeds);

/// The same in closed form:
///
///   tau exp(-w / M) / (M exp(R / M) (exp((tau + d) / M) - 1))
///
/// by counting: a save counts where the job survives its write, and until the job goes on after a failure it fails again as often as exp(R / M) says.
/// [daly2006] for w = 0.
struct SavingJob {
  double work_s = 0.0;        ///< tau: from the end of a save to the begin of the next
  double save_s = 0.0;        ///< d: for which GPUs wait
  double background_s = 0.0;  ///< w: after which the save is whole; 0: it is when GPUs go on
  double restart_s = 0.0;     ///< R
};
double closed_form_goodput(const SavingJob& job, double between_s);

}  // namespace wattloop::tests
