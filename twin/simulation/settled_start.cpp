#include "twin/simulation/settled_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>

#include "core/text/problem.hpp"
#include "twin/integration/steady/time_constants.hpp"
#include "workload/work/mean_work.hpp"

namespace wattloop::twin {

namespace {

constexpr double warm_up_step_s = checkpoint_interval_s;  ///< warm-ups are whole multiples of it
constexpr double longest_warm_up_s = 3600.0;
constexpr double within_s = 900.0;  ///< from checkpoint to checkpoint: what is slower hardly moves with the work
constexpr double time_constants = 2.0;

/// As long as water and air need to follow the work.
double settling_s(const Plant& plant, const Evaluation& evaluation, const workload::Workload& workload) {
  if (std::isinf(workload.next_change_s(-warm_up_step_s))) return 0.0;
  const double slowest_s = slowest_fluid_s(plant, evaluation, within_s);
  return std::clamp(std::ceil(time_constants * slowest_s / warm_up_step_s) * warm_up_step_s, warm_up_step_s,
                    longest_warm_up_s);
}

/// The run without anything that happens in it, up to time zero.
RunPlan before_it(const RunPlan& plan) {
  RunPlan before = plan;
  before.events.clear();
  before.outdoors = plan.outdoors_before_begin;
  before.initial = InitialState::steady;
  before.duration_s = 0.0;
  return before;
}

/// Whether anything was lost that a run from here on would not bring back.
bool is_anything_lost(const Simulation& warm_up) {
  static constexpr std::array<std::string_view, 2> losses{"tripped", "lost_power"};
  return std::ranges::any_of(warm_up.state().work.node_is,
                             [](NodeIs node) { return node != NodeIs::at_work && node != NodeIs::idle; }) ||
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
  state.work.throttled_gpu_s = state.work.capped_gpu_s = 0.0;
  state.work.has_throttled = false;
  state.work.gpu_first_throttle_s.clear();
  state.work.first_throttle_s = 0.0;
  for (workload::JobClock& clock : state.work.job_clocks) {
    clock = {.clock_fraction = clock.clock_fraction,
             .communication_ratio = clock.communication_ratio,
             .size_fraction = clock.size_fraction};
  }
  for (workload::JobMemory& job : state.work.jobs) job = {.failures = job.failures, .is_member = job.is_member};
  state.equipment.is_small_lift_reported = fresh.equipment.is_small_lift_reported;
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
PlantState without_warm_up(const RunToBegin& run, const RunPlan& before) {
  const workload::MeanWork mean(run.workload);
  Simulation under_mean(run.plant, before, mean, run.integrator);
  PlantState state = under_mean.steady_state_at(0.0);
  state.begin.settling_s = settling_s(run.plant, under_mean.evaluation(), run.workload);
  return state;
}

/// How long a warm-up must be, from what one of `warm_up_s` did: settle after whatever was staged in it.
double needed_warm_up_s(const Simulation& warm_up, double warm_up_s, double settle_s) {
  static constexpr std::array<std::string_view, 4> stagings{"stage", "start", "stop", "economiser"};
  double staged_s = -warm_up_s;
  for (const EventRecord& event : warm_up.events()) {
    if (std::ranges::find(stagings, event.kind) != stagings.end()) staged_s = event.time_s;
  }
  const double needed_s = staged_s + warm_up_s + settle_s;
  return std::min(std::ceil(needed_s / warm_up_step_s) * warm_up_step_s, longest_warm_up_s);
}

/// A warm-up from the steady state under the mean of the work. It is integrated by `multirate` whatever the run is: all begin alike.
struct WarmUp {
  WarmUp(const RunToBegin& run, const RunPlan& before, double length_s)
      : warm_up_s(length_s), simulation(run.plant, before, run.workload, run.integrator) {
    const workload::MeanWork mean(run.workload);
    Simulation under_mean(run.plant, before, mean, run.integrator);
    PlantState state = under_mean.steady_state_at(-warm_up_s);
    settle_s = settling_s(run.plant, under_mean.evaluation(), run.workload);
    simulation.start_from(std::move(state));
    simulation.approach(0.0, {});
  }

  double warm_up_s, settle_s = 0.0;
  Simulation simulation;
};

}  // namespace

PlantState settled_start(const RunToBegin& asked) {
  std::unique_ptr<Integrator> multirate;
  if (asked.integrator.name() != "multirate") multirate = make_multirate_integrator(asked.plant, {});
  const RunToBegin run{asked.plant, asked.plan, asked.workload, multirate ? *multirate : asked.integrator};
  const RunPlan before = before_it(run.plan);
  const std::optional<double>& asked_s = run.plan.warm_up_s;
  const bool is_constant = std::isinf(run.workload.next_change_s(-warm_up_step_s));
  if (is_constant || asked_s == 0.0) return without_warm_up(run, before);
  try {
    auto warm_up = std::make_unique<WarmUp>(run, before, asked_s.value_or(warm_up_step_s));
    while (!asked_s) {
      const double needed_s = needed_warm_up_s(warm_up->simulation, warm_up->warm_up_s, warm_up->settle_s);
      if (needed_s <= warm_up->warm_up_s) break;
      warm_up = std::make_unique<WarmUp>(run, before, needed_s);
    }
    if (is_anything_lost(warm_up->simulation)) return without_warm_up(run, before);
    return as_begin(run.plant, warm_up->simulation.state(), warm_up->warm_up_s);
  } catch (const EndOfModels&) {
    return without_warm_up(run, before);  // which reports where the mean is beyond the models, too
  }
}

PlantState steady_start(Simulation& simulation, const Plant& plant, const workload::Workload& workload) {
  PlantState state = simulation.steady_state_at(0.0);
  state.begin.settling_s = settling_s(plant, simulation.evaluation(), workload);
  return state;
}

}  // namespace wattloop::twin
