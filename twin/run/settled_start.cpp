#include "twin/run/settled_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/problem.hpp"
#include "twin/integration/time_constants.hpp"
#include "workload/mean_work.hpp"

namespace wattloop::twin {

namespace {

constexpr double stretch_s = checkpoint_interval_s;  ///< warm-ups are whole multiples of it
constexpr double longest_warm_up_s = 3600.0;
constexpr double within_s = 900.0;  ///< from checkpoint to checkpoint: what is slower hardly moves with the work
constexpr double time_constants = 2.0;

/// As long as water and air need to follow the work.
double settling_s(const Plant& plant, const Evaluation& evaluation, const workload::Workload& workload) {
  if (std::isinf(workload.next_change_s(-stretch_s))) return 0.0;
  const double slowest_s = slowest_fluid_s(plant, evaluation, within_s);
  return std::clamp(std::ceil(time_constants * slowest_s / stretch_s) * stretch_s, stretch_s, longest_warm_up_s);
}

/// The run without anything that happens in it, up to time zero.
Scenario before_it(const Scenario& scenario) {
  Scenario before = scenario;
  before.events.clear();
  before.begin_at.reset();
  before.initial = InitialState::steady;
  before.duration_s = 0.0;
  return before;
}

/// Whether anything was lost that a run from here on would not bring back.
bool is_anything_lost(const Simulation& warm_up) {
  static constexpr std::array<std::string_view, 4> losses{"tripped", "lost_power", "battery_empty", "on_battery"};
  return std::ranges::any_of(warm_up.state().work.node_is, [](NodeIs node) { return node != NodeIs::at_work; }) ||
         std::ranges::any_of(warm_up.events(), [](const EventRecord& event) {
           return std::ranges::find(losses, event.kind) != losses.end();
         });
}

/// Meters begin at zero, and so does all that is counted or reported.
PlantState as_begin(const Plant& plant, PlantState state, double warm_up_s) {
  const PlantState fresh = initial_state(plant);
  for (std::size_t slot = 0; slot < state.states.size(); ++slot) {
    if (plant.layout.is_meter(slot)) state.states[slot] = 0.0;
  }
  state.time_s = state.work.sample_end_s = 0.0;
  state.work.throttled_gpu_s = 0.0;
  state.work.has_throttled = false;
  state.work.first_throttle_s = 0.0;
  state.equipment.is_small_lift_told = fresh.equipment.is_small_lift_told;
  state.equipment.is_dripping = fresh.equipment.is_dripping;
  state.limits = fresh.limits;
  OverloadState overload = fresh.overload;
  const auto keep_used = [](const std::vector<PartOverload>& from, std::vector<PartOverload>& to) {
    for (std::size_t part = 0; part < to.size(); ++part) {
      to[part].used_fraction = from[part].used_fraction;
      to[part].loading_ratio = from[part].loading_ratio;
      to[part].air = from[part].air;
      to[part].in_service_share = from[part].in_service_share;
    }
  };
  keep_used(state.overload.branches, overload.branches);
  keep_used(state.overload.sources, overload.sources);
  state.overload = std::move(overload);
  for (EconomiserState& economiser : state.economisers) {
    economiser.before_s = {};
    economiser.before_s[physics::number_of(economiser.now.mode)] = economiser.now.since_s;  // less what was before zero
  }
  state.begin = {.warm_up_s = warm_up_s};
  return state;
}

/// The steady state at time zero under the mean of the work.
PlantState without_warm_up(const RunToBegin& run, const Scenario& before) {
  const workload::MeanWork mean(run.workload);
  Simulation under_mean(run.plant, before, mean, run.integrator);
  PlantState state = under_mean.steady_state_at(0.0);
  state.begin.settling_s = settling_s(run.plant, under_mean.evaluation(), run.workload);
  return state;
}

/// From the steady state `warm_up_s` before time zero.
PlantState under_mean_at(const RunToBegin& run, const Scenario& before, double& warm_up_s) {
  const workload::MeanWork mean(run.workload);
  Simulation under_mean(run.plant, before, mean, run.integrator);
  PlantState state = under_mean.steady_state_at(-warm_up_s);
  if (run.scenario.warm_up_s) return state;
  const double needed_s = settling_s(run.plant, under_mean.evaluation(), run.workload);
  if (needed_s <= warm_up_s) return state;
  warm_up_s = needed_s;
  Simulation earlier(run.plant, before, mean, run.integrator);
  return earlier.steady_state_at(-warm_up_s);
}

}  // namespace

PlantState settled_start(const RunToBegin& run) {
  const Scenario before = before_it(run.scenario);
  double warm_up_s = run.scenario.warm_up_s.value_or(stretch_s);
  const bool is_constant = std::isinf(run.workload.next_change_s(-stretch_s));
  if (warm_up_s == 0.0 || is_constant) {
    PlantState state = without_warm_up(run, before);
    return state;
  }
  PlantState state = under_mean_at(run, before, warm_up_s);
  Simulation warm_up(run.plant, before, run.workload, run.integrator);
  try {
    warm_up.start_from(std::move(state));
    warm_up.approach(0.0, {});
  } catch (const EndOfModels&) {
    return without_warm_up(run, before);
  }
  return is_anything_lost(warm_up) ? without_warm_up(run, before) : as_begin(run.plant, warm_up.state(), warm_up_s);
}

PlantState steady_start(Simulation& simulation, const Plant& plant, const workload::Workload& workload) {
  PlantState state = simulation.steady_state_at(0.0);
  state.begin.settling_s = settling_s(plant, simulation.evaluation(), workload);
  return state;
}

}  // namespace wattloop::twin
