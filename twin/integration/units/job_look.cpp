#include "twin/integration/units/job_look.hpp"

#include <cmath>
#include <limits>

namespace wattloop::twin {

namespace {

constexpr double most_rise_k = 10.0;  ///< of dies, for which a window is judged once

/// Clock of the job of a rack that runs; 0: there is none.
double job_clock(const UnitItem& item, const PlantState& state, const JobRacks* jobs) {
  if (jobs == nullptr || !item.is_rack || state.work.job_clocks.empty()) return 0.0;
  const std::size_t job = jobs->job_of(item.rack);
  if (job == JobRacks::no_job) return 0.0;
  const workload::JobClock& clock = state.work.job_clocks[job];
  return clock.is == workload::JobClock::Is::running ? clock.clock_fraction : 0.0;
}

}  // namespace

void note_job_clock(UnitItem& item, const Plant& plant, const Window& window, const PlantState& state) {
  item.job_changes_s = std::numeric_limits<double>::infinity();
  const JobRacks* jobs = window.jobs;
  if (jobs == nullptr || !item.is_rack) return;
  const RackNow now(plant, window.nodes, item.rack, state.time_s, window.begin.racks[item.rack].hottest_k);
  const double job_fraction = job_clock(item, state, jobs);
  const bool may_wait = job_fraction > 0.0 && job_fraction < 1.0;
  item.slowest_clock = may_wait ? jobs->slowest_of(now, state).clock_fraction : 1.0;
  item.job_quiet_k = 0.0;
  if (job_fraction != 1.0) return;
  RackNow warmer = now;
  warmer.hottest_die_k += most_rise_k;
  if (!jobs->may_be_slow(warmer, state)) item.job_quiet_k = warmer.hottest_die_k;
}

void look_at_job_clock(UnitItem& item, const RackNow& now, const PlantState& state, const JobRacks* jobs) {
  if (now.hottest_die_k < item.job_quiet_k && state.work.is_restrained[now.rack] == 0) return;  // as nearly always
  const double job_fraction = job_clock(item, state, jobs);
  if (job_fraction == 0.0 || std::isfinite(item.job_changes_s)) return;
  if (JobRacks::is_due(job_fraction, item.slowest_clock, jobs->slowest_of(now, state).clock_fraction))
    item.job_changes_s = now.time_s;
}

}  // namespace wattloop::twin
