// What a simulation is left with and goes on from: checkpoints and forks; further events; a look at it.

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "twin/simulation/simulation.hpp"

namespace wattloop::twin {

Checkpoint Simulation::checkpoint() const {
  if (!is_multiple(state_.time_s, checkpoint_interval_s)) {
    throw std::logic_error("a checkpoint between the instants that allow one");
  }
  return {state_, events_, initial_energy_, integrator_.memory(), pace_};
}

void Simulation::resume(const Checkpoint& checkpoint) {
  const PlantState& state = checkpoint.state;
  if (state.states.size() != plant_.map.state_count || state.inputs.size() != plant_.map.input_count) {
    throw std::invalid_argument("a checkpoint of another plant");
  }
  state_ = state;
  events_ = checkpoint.events;
  initial_energy_ = checkpoint.initial_energy;
  keep_inputs();
  pace_ = checkpoint.pace;
  integrator_.recall(state_, checkpoint.integrator);
  digest_racks(plant_, state_, evaluation_.racks);
  evaluate_now(true);
  is_now_seen_ = true;
}

void Simulation::add_events(std::vector<ScheduledEvent> events) { timeline_->add(std::move(events)); }

void Simulation::share_events_of(const Simulation& other) { timeline_->follow(other.scheduled().from(state_.time_s)); }

void Simulation::look(Evaluation& seen) const {
  evaluate_values(plant_, state_, seen);
  digest_racks(plant_, state_, seen.racks);
  note_gpu_power(plant_, seen);
}

std::optional<Fork> Simulation::fork_at(double time_s, const std::vector<Observer*>& observers,
                                        const std::function<bool()>& is_stop_requested) {
  if (!approach(time_s, observers, is_stop_requested)) return std::nullopt;
  return fork();
}

Fork Simulation::fork() const {
  if (!is_pending()) throw std::logic_error("a fork where those of this instant have acted");
  Fork fork{.state = state_,
            .events = events_,
            .initial_energy = initial_energy_,
            .evaluation = evaluation_,
            .rates = rates_,
            .applied_inputs = applied_inputs_,
            .pace = pace_,
            .carried = is_starting_ ? nullptr : integrator_.carried(),
            .is_start = is_starting_};
  if (!fork.carried && !is_starting_) throw std::logic_error("an integrator whose memory cannot be copied");
  return fork;
}

void Simulation::resume(const Fork& fork) {
  state_ = fork.state;
  events_ = fork.events;
  initial_energy_ = fork.initial_energy;
  evaluation_ = fork.evaluation;
  rates_ = fork.rates;
  applied_inputs_ = fork.applied_inputs;
  pace_ = fork.pace;
  is_starting_ = fork.is_start;
  is_now_seen_ = is_arriving_ = !fork.is_start;
  if (fork.is_start) {
    before_begin_ = integrator_.statistics();
  } else {
    integrator_.carry_on(*fork.carried, state_);
  }
}

}  // namespace wattloop::twin
