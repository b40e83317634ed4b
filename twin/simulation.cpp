#include "twin/simulation.hpp"

#include <algorithm>

#include "twin/steady_state.hpp"
#include "twin/switching.hpp"

namespace wattloop::twin {

Simulation::Simulation(const Plant& plant, const Scenario& scenario, const workload::Workload& workload,
                       Integrator& integrator)
    : plant_(plant),
      scenario_(scenario),
      workload_(workload),
      integrator_(integrator),
      node_{scenario.racks.hardware.split, scenario.racks.hardware.protection, scenario.racks.hardware.psu},
      outdoors_(make_outdoors(scenario)),
      state_(initial_state(plant)),
      evaluation_(plant),
      rates_(plant.map.state_count),
      staging_(make_chiller_staging(plant, scenario.cooling.chilled_water.chillers)) {
  Problems problems;
  std::vector<ScheduledEvent> events = schedule_events(scenario, plant, problems);
  problems.throw_if_any(scenario.file);
  const RecordSpec& record = scenario.record;
  timeline_ = std::make_unique<Timeline>(std::move(events), workload,
                                         std::vector{record.facility_s, record.racks_s, record.gpus_s},
                                         scenario.duration_s);
}

void Simulation::start() {
  const auto run_motors = [this] {
    stage_motors(plant_, state_, nullptr);
    for (const MotorPart& motor : plant_.hall.motors) state_.states[motor.speed_state] = state_.inputs[motor.command_input];
  };
  follow_weather(plant_, outdoors_, state_);
  run_motors();
  ask_for_work(workload_, state_);
  apply_loads(plant_, node_, state_);
  drive_fans(plant_, state_);
  if (scenario_.initial == InitialState::steady) {
    find_steady_state(plant_, state_);
    for (evaluate_now(); staging_ && staging_->drop_idle(evaluation_, state_); evaluate_now()) {
      run_motors();
      find_steady_state(plant_, state_);
    }
  }
  initial_energy_j_ = stored_energy_j(plant_, state_.states);
  apply_due();
  integrator_.restart(state_);
  evaluate_now();
}

/// Everything that is due now, in the order of the step contract. True if the integrator must start afresh.
bool Simulation::apply_due() {
  const double now_s = state_.time_s;
  bool changed = false;
  for (const ScheduledEvent& event : timeline_->events_at(now_s)) {
    apply_event(plant_, event, state_, events_);
    changed = true;
  }
  changed = advance_ramps(state_) || changed;
  if (is_multiple(now_s, weather_interval_s)) follow_weather(plant_, outdoors_, state_);
  ask_for_work(workload_, state_);
  if (is_multiple(now_s, protection_interval_s)) protect_gpus(plant_, node_, state_, events_);
  changed = switch_power(plant_, state_, events_) || changed;
  apply_loads(plant_, node_, state_);
  drive_fans(plant_, state_);
  if (is_multiple(now_s, control_interval_s)) {
    if (staging_) staging_->act(evaluation_, state_, events_);
    stage_motors(plant_, state_, &events_);
  }
  changed = changed || applied_inputs_ != state_.inputs;
  applied_inputs_ = state_.inputs;
  return changed;
}

void Simulation::evaluate_now() {
  std::copy(state_.inputs.begin(), state_.inputs.end(), evaluation_.inputs().begin());
  evaluate(plant_, state_.switches, state_.states, evaluation_, rates_);
}

bool Simulation::run(double until_s, const std::vector<Observer*>& observers,
                     const std::function<bool()>& is_stop_wanted) {
  const double end_s = std::min(until_s, timeline_->end_s());
  const auto observe = [&] {
    for (Observer* observer : observers) observer->observe(state_, evaluation_);
  };
  if (state_.time_s == 0.0) observe();
  while (state_.time_s < end_s) {
    if (is_stop_wanted && is_stop_wanted()) return false;
    const double begin_s = state_.time_s;
    const double next_s = std::min({timeline_->next_s(begin_s), next_switching_s(plant_, state_), end_s});
    const double reached_s = integrator_.advance(state_, next_s);  // earlier where a guard stops it
    state_.work.throttled_gpu_s += static_cast<double>(count_throttled(plant_, state_)) * (reached_s - begin_s);
    if (apply_due()) integrator_.restart(state_);
    evaluate_now();
    observe();
  }
  return true;
}

}  // namespace wattloop::twin
