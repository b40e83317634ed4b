#include "twin/integration/units/job_look.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattloop::twin {

namespace {

using Slowest = JobRacks::Slowest;

constexpr double most_rise_k = 10.0;  ///< of dies, for which a window is judged once

/// Clock of a job that runs and waits for its slowest GPU; 0: it does not.
double clock_of(std::size_t job, const PlantState& state, const JobRacks& jobs) {
  if (job == JobRacks::no_job || job >= state.work.job_clocks.size()) return 0.0;
  const workload::JobClock& clock = state.work.job_clocks[job];
  const bool is_running = clock.is == workload::JobClock::Is::running;
  return is_running && jobs.program_of(job, state).is_coupled() ? clock.clock_fraction : 0.0;
}

/// The lowest and the highest clock of jobs on a rack that run; 0: none does.
struct Clocks {
  double lowest = 0.0, highest = 0.0;
};
Clocks clocks_on(const UnitItem& item, const PlantState& state, const JobRacks& jobs) {
  Clocks clocks;
  std::size_t before = JobRacks::no_job;
  for (std::size_t node = item.first_node; node < item.first_node + item.nodes; ++node) {
    const std::size_t job = jobs.job_of(item.rack, node, state);
    if (job == before) continue;
    before = job;
    const double clock = clock_of(job, state, jobs);
    if (clock == 0.0) continue;
    clocks.lowest = clocks.highest == 0.0 ? clock : std::min(clocks.lowest, clock);
    clocks.highest = std::max(clocks.highest, clock);
  }
  return clocks;
}

double clock_in(const std::vector<Slowest>& slowest, std::size_t job) {
  const auto found = std::ranges::find(slowest, job, &Slowest::job);
  return found == slowest.end() ? 1.0 : found->clock_fraction;
}

}  // namespace

void note_job_clock(UnitItem& item, const Plant& plant, const Window& window, const PlantState& state) {
  item.job_changes_s = std::numeric_limits<double>::infinity();
  item.job_quiet_k = 0.0;
  item.slowest.clear();
  if (window.jobs == nullptr || !window.jobs->has_any() || !item.is_rack) return;
  const RackNow now(plant, window.nodes, item.rack, state.time_s, window.begin.racks[item.rack].hottest_k);
  const Clocks clocks = clocks_on(item, state, *window.jobs);
  if (clocks.highest == 0.0) {
    item.job_quiet_k = std::numeric_limits<double>::infinity();
  } else if (clocks.lowest < 1.0) {
    item.slowest = window.jobs->slowest_on(now, state);
  } else {
    RackNow warmer = now;
    warmer.hottest_die_k += most_rise_k;
    if (!window.jobs->may_be_slow(warmer, state)) item.job_quiet_k = warmer.hottest_die_k;
  }
}

void look_at_job_clock(UnitItem& item, const RackNow& now, const PlantState& state, const JobRacks* jobs) {
  if (now.hottest_die_k < item.job_quiet_k && state.work.is_restrained[now.rack] == 0) return;  // as nearly always
  if (jobs == nullptr || !jobs->has_any() || !item.is_rack || std::isfinite(item.job_changes_s)) return;
  const std::vector<Slowest> slowest = jobs->slowest_on(now, state);
  const auto look_at = [&](const std::vector<Slowest>& found) {
    for (const Slowest& one : found) {
      const double clock = clock_of(one.job, state, *jobs);
      if (clock > 0.0 && JobRacks::is_due(clock, clock_in(item.slowest, one.job), clock_in(slowest, one.job)))
        item.job_changes_s = now.time_s;
    }
  };
  look_at(slowest);
  look_at(item.slowest);
}

}  // namespace wattloop::twin
