#include "twin/integration/units/job_look.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattloop::twin {

namespace {

using Slowest = JobRacks::Slowest;

constexpr double most_rise_k = 10.0;  ///< of dies, for which a window is judged once

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
    const double clock = jobs.clock_of(job, state);
    if (clock == 0.0) continue;
    clocks.lowest = clocks.highest == 0.0 ? clock : std::min(clocks.lowest, clock);
    clocks.highest = std::max(clocks.highest, clock);
  }
  return clocks;
}

/// Whether nothing slows a GPU of a rack, as nearly always.
bool is_quiet(const UnitItem& item, const RackNow& now, const PlantState& state) {
  return now.hottest_die_k < item.job_quiet_k && state.work.is_restrained[now.rack] == 0;
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
    const bool skips_seconds = window.watch != nullptr && window.watch->skips_seconds();
    if (!skips_seconds) item.slowest = window.jobs->slowest_on(now, state);
  } else {
    RackNow warmer = now;
    warmer.hottest_die_k += most_rise_k;
    if (!window.jobs->may_be_slow(warmer, state)) item.job_quiet_k = warmer.hottest_die_k;
  }
}

void look_at_job_clock(UnitItem& item, const RackNow& now, const PlantState& state, const JobRacks* jobs) {
  if (is_quiet(item, now, state)) return;
  if (jobs == nullptr || !jobs->has_any() || !item.is_rack || std::isfinite(item.job_changes_s)) return;
  const std::vector<Slowest> slowest = jobs->slowest_on(now, state);
  const auto look_at = [&](const std::vector<Slowest>& found) {
    for (const Slowest& one : found) {
      const double clock = jobs->clock_of(one.job, state);
      if (clock > 0.0 && JobRacks::is_due(clock, clock_in(item.slowest, one.job), clock_in(slowest, one.job)))
        item.job_changes_s = now.time_s;
    }
  };
  look_at(slowest);
  look_at(item.slowest);
}

bool is_any_job_due(std::span<const UnitItem* const> items) {
  return std::ranges::any_of(items, [](const UnitItem* item) { return std::isfinite(item->job_changes_s); });
}

void note_clock_at_end(UnitItem& item, const RackNow& now, const PlantState& state, const JobRacks* jobs) {
  item.slowest.clear();
  if (jobs != nullptr && jobs->has_any() && !is_quiet(item, now, state)) item.slowest = jobs->slowest_on(now, state);
}

bool has_any_job_left_clock(std::span<const UnitItem> items, const PlantState& state, const JobRacks* jobs) {
  if (jobs == nullptr) return false;
  std::vector<double> slowest(state.work.job_clocks.size(), 1.0);
  for (const UnitItem& item : items) {
    if (!item.is_rack) continue;
    for (const Slowest& one : item.slowest) slowest[one.job] = std::min(slowest[one.job], one.clock_fraction);
  }
  for (std::size_t job = 0; job < slowest.size(); ++job) {
    const double clock = jobs->clock_of(job, state);
    if (clock > 0.0 && std::abs(slowest[job] - clock) > left_clock_fraction) return true;
  }
  return false;
}

}  // namespace wattloop::twin
