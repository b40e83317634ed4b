#include "twin/simulation/simulation.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "twin/integration/steady/steady_state.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/simulation/settled_start.hpp"

namespace wattloop::twin {

namespace {

/// Passes what a window shows on to those who count, and to the observers of the run.
class ObserverList final : public WindowObserver {
 public:
  ObserverList(const std::vector<Observer*>& observers, const std::vector<std::unique_ptr<Controller>>& controllers,
               PlantState& memory)
      : observers_(observers), controllers_(controllers), memory_(memory) {}
  void observe(const PlantState& state, const Evaluation& evaluation) override {
    for (Observer* observer : observers_) observer->observe(state, evaluation);
  }
  void integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) override {
    for (const auto& controller : controllers_) controller->count(memory_, evaluation, state.time_s, duration_s);
    for (Observer* observer : observers_) observer->integrate(state, evaluation, duration_s);
  }
  bool looks_at_powers() const override {
    return std::ranges::any_of(observers_, [](const Observer* observer) { return observer->looks_at_powers(); });
  }

 private:
  const std::vector<Observer*>& observers_;
  const std::vector<std::unique_ptr<Controller>>& controllers_;
  PlantState& memory_;
};

/// Whether anybody looks at single units then.
bool is_looked_at(double time_s, const std::vector<Observer*>& observers) {
  return std::any_of(observers.begin(), observers.end(), [&](Observer* o) { return o->looks_at_units(time_s); });
}

/// A hall whose heat has nowhere to go is beyond the models; the search for its steady state did not fail.
void find_steady(const Plant& plant, PlantState& state) {
  try {
    find_steady_state(plant, state);
  } catch (const HeatTrapped& trapped) {
    throw EndOfModels(trapped.what());
  }
}

}  // namespace

Simulation::Simulation(const Plant& plant, const RunPlan& plan, const workload::Workload& workload,
                       Integrator& integrator)
    : plant_(plant),
      plan_(plan),
      workload_(workload),
      integrator_(integrator),
      state_(initial_state(plant)),
      evaluation_(plant),
      rates_(plant.map.state_count),
      timeline_(std::make_unique<Timeline>(plan.events, workload, plan.record_intervals_s, plan.duration_s)),
      controllers_(make_controllers({plant, plan, workload, *timeline_})),
      end_racks_(plant.it.racks.size()),
      jobs_(plant, workload) {}

void Simulation::find_start() {
  if (plan_.initial == InitialState::cold) {
    for (const auto& controller : controllers_) controller->prepare(state_);
    return take_start(state_);
  }
  take_start(plan_.initial == InitialState::steady ? steady_start(*this, plant_, workload_)
                                                   : settled_start({plant_, plan_, workload_, integrator_}));
}

void Simulation::start() {
  find_start();
  act_at_start();
}

void Simulation::start_from(PlantState state) {
  take_start(std::move(state));
  act_at_start();
}

void Simulation::take_start(PlantState state) {
  state_ = std::move(state);
  before_begin_ = integrator_.statistics();
  digest_racks(plant_, state_, evaluation_.racks);
  evaluate_now(true);  // those who act at time zero look at flows and powers
  initial_energy_ = stored_energy(plant_, state_);
  is_starting_ = true;
}

void Simulation::act_at_start() {
  is_starting_ = false;
  apply_due();
  integrator_.start_afresh(state_);
  evaluate_now(true);
  is_now_seen_ = false;
}

PlantState Simulation::steady_state_at(double time_s) {
  state_.time_s = state_.work.sample_end_s = time_s;
  std::ranges::fill(state_.equipment.group_changed_s, time_s);
  state_.limits.begin_s = state_.limits.end_s = state_.overload.begin_s = state_.overload.end_s = time_s;
  for (bool is_done = false; !is_done;) {
    for (const auto& controller : controllers_) controller->prepare(state_);
    find_steady(plant_, state_);
    evaluate_now(true);
    is_done = std::ranges::none_of(controllers_,
                                   [&](const auto& controller) { return controller->stage_down(evaluation_, state_); });
  }
  check_start();
  return state_;
}

/// Throws SolverError for a rest that limits and protection would not have let come about.
void Simulation::check_start() const {
  std::vector<std::string> impossible;
  for (const auto& controller : controllers_) controller->check_start(state_, evaluation_, impossible);
  if (impossible.empty()) return;
  throw EndOfModels(
      fmt::format("the steady state for the start of the run is not possible: {}", fmt::join(impossible, "; ")));
}

/// Everything that is due now, in the order of the step contract. True if the integrator must start afresh.
bool Simulation::apply_due() {
  StepContext context{state_, evaluation_, events_};
  for (const auto& controller : controllers_) controller->act(context);
  return keep_inputs() || context.has_changed;
}

/// Remembers the inputs besides loads of units, which follow what else changed. True if any is another than before.
bool Simulation::keep_inputs() {
  const std::span<const double> now = std::span(state_.inputs).first(plant_.map.first_unit_input);
  if (std::ranges::equal(applied_inputs_, now)) return false;
  applied_inputs_.assign(now.begin(), now.end());
  return true;
}

/// Reports the integrator where it goes on from.
void Simulation::move_on(bool has_changed) {
  if (is_multiple(state_.time_s, checkpoint_interval_s)) {
    integrator_.pass_checkpoint(state_);  // whether a checkpoint is taken or not
  } else if (has_changed) {
    integrator_.restart(state_);
  }
}

void Simulation::evaluate_now(bool reports_units) {
  if (reports_units) {
    std::copy(state_.inputs.begin(), state_.inputs.end(), evaluation_.inputs().begin());
    evaluate(plant_, state_.switches, state_.states, evaluation_, rates_);
  } else {
    evaluate_stations(plant_, state_, evaluation_, rates_);
  }
  note_gpu_power(plant_, evaluation_);
}

/// Over the next window.
void Simulation::go_to(double end_s, const std::vector<Observer*>& observers, WindowObserver& list) {
  plan_window(end_s, observers);
  while (!advance(list)) {  // again, in windows that miss less
    if (!skips_seconds_) throw std::logic_error("a window that misses nothing did not hold");
    slow_down();
    integrator_.restart(state_);
    plan_window(end_s, observers);
  }
}

/// All that is due at the end of a window.
void Simulation::arrive(double end_s, const std::vector<Observer*>& observers, WindowObserver& list) {
  is_arriving_ = false;
  move_on(apply_due());
  evaluate_now(state_.time_s >= end_s || is_looked_at(state_.time_s, observers));
  list.observe(state_, evaluation_);
}

bool Simulation::run(double until_s, const std::vector<Observer*>& observers,
                     const std::function<bool()>& is_stop_requested) {
  const double end_s = std::min(until_s, timeline_->end_s());
  ObserverList list(observers, controllers_, state_);
  if (is_starting_) act_at_start();
  if (is_arriving_) arrive(end_s, observers, list);
  if (!is_now_seen_) list.observe(state_, evaluation_);
  is_now_seen_ = true;
  while (state_.time_s < end_s) {
    if (is_stop_requested && is_stop_requested()) return false;
    go_to(end_s, observers, list);
    arrive(end_s, observers, list);
  }
  return true;
}

bool Simulation::approach(double time_s, const std::vector<Observer*>& observers,
                          const std::function<bool()>& is_stop_requested) {
  if (!(time_s > state_.time_s) || time_s > timeline_->end_s())
    throw std::logic_error("an instant ahead of a run alone");
  if (is_stop_requested && is_stop_requested()) return false;
  ObserverList list(observers, controllers_, state_);
  if (is_starting_) act_at_start();
  if (is_arriving_) arrive(timeline_->end_s(), observers, list);
  if (!is_now_seen_) list.observe(state_, evaluation_);
  is_now_seen_ = true;
  const double stop_s = stop_s_ > state_.time_s ? std::min(stop_s_, time_s) : time_s;
  timeline_->stop_at(stop_s);  // so that windows on the way are those of a run with an event there
  while (true) {
    go_to(time_s, observers, list);
    is_arriving_ = true;
    const bool is_there = state_.time_s >= time_s;
    if (is_there || (is_stop_requested && is_stop_requested())) {
      timeline_->stop_at(stop_s_);
      return is_there;
    }
    arrive(timeline_->end_s(), observers, list);
  }
}

/// Ends windows at ticks at which somebody would act; lets those that skip seconds hold only if they stayed calm.
class Simulation::Watch final : public WindowWatch {
 public:
  explicit Watch(Simulation& run) : run_(run) {}
  bool looks_at(double time_s) override {
    return std::ranges::any_of(run_.controllers_, [&](const auto& controller) { return controller->looks_at(time_s); });
  }
  bool would_act(const PlantState& state) override { return run_.would_any_act(state); }
  bool skips_seconds() const override { return run_.skips_seconds_; }
  bool is_far(std::span<const RackDigest> racks) override { return run_.are_all_far(racks); }
  bool holds(const PlantState& end) override {
    if (!run_.skips_seconds_) return true;
    digest_racks(run_.plant_, end, run_.end_racks_);
    return run_.are_all_far(run_.end_racks_) && run_.did_all_rest(end);
  }

 private:
  Simulation& run_;
};

/// Over the window planned; false if it does not hold, and all is as it was.
bool Simulation::advance(WindowObserver& observer) {
  const double begin_s = state_.time_s;
  const auto throttled = static_cast<double>(throttled_gpus(evaluation_.racks));
  const auto capped = static_cast<double>(capped_gpus(evaluation_.racks));
  Watch watch(*this);
  const double reached_s =  // earlier than planned where a guard stops it
      integrator_.advance(state_, Window{.instants_s = instants_s_,
                                         .shows_units = shows_units_,
                                         .workload = workload_,
                                         .nodes = plan_.nodes,
                                         .begin = evaluation_,
                                         .begin_rates = rates_,
                                         .events = events_,
                                         .observer = &observer,
                                         .watch = &watch,
                                         .moving = moving_,
                                         .jobs = &jobs_});
  const double clocks_hold_s = std::min(reached_s, instants_s_.front()) - begin_s;
  state_.work.throttled_gpu_s += throttled * clocks_hold_s;
  state_.work.capped_gpu_s += capped * clocks_hold_s;
  return reached_s > begin_s;
}

bool Simulation::do_all_rest() const {
  return std::ranges::all_of(controllers_, [this](const auto& controller) { return controller->is_idle(state_); });
}

bool Simulation::are_all_far(std::span<const RackDigest> racks) const {
  return std::ranges::all_of(controllers_, [&](const auto& controller) { return controller->is_far(racks); });
}

bool Simulation::would_any_act(const PlantState& state) const {
  return std::ranges::any_of(controllers_,
                             [&](const auto& controller) { return controller->would_act(evaluation_, state); });
}

/// Asks all until when they will do nothing, and says when the first of those who know wakes up.
double Simulation::take_idle_times() {
  double first_s = timeline_->end_s();
  idle_until_s_.clear();
  for (const auto& controller : controllers_) {
    idle_until_s_.push_back(controller->idle_until_s(state_));
    if (idle_until_s_.back() > state_.time_s) first_s = std::min(first_s, idle_until_s_.back());
  }
  return first_s;
}

/// Whether no one would have acted before the end of the window: those who wake up at its end would not.
bool Simulation::did_all_rest(const PlantState& end) const {
  for (std::size_t k = 0; k < controllers_.size(); ++k) {
    if (idle_until_s_[k] < end.time_s && controllers_[k]->would_act(evaluation_, end)) return false;
  }
  return true;
}

/// After a window that skipped seconds and did not stay calm: through what it spanned in smaller ones.
void Simulation::slow_down() {
  const double begin_s = state_.time_s, end_s = instants_s_.back();
  double longest_s = 0.0;
  for (const double smaller_s : {shortest_skip_s, 300.0}) {
    if (end_s - begin_s > smaller_s) longest_s = smaller_s;
  }
  pace_ = {end_s, longest_s};
}

/// Whether nothing but work, firmware and those who look at ticks can act before the weather changes.
bool Simulation::is_calm() const {
  return integrator_.largest_calm_window_s() > 0.0 && is_multiple(state_.time_s, control_interval_s) && do_all_rest();
}

/// Whether firmware will not act for a while either, so that its seconds need not be looked at.
bool Simulation::may_skip_seconds() const {
  const double longest_s = pace_.longest_at(state_.time_s, integrator_.longest_window_s());
  return is_calm() && longest_s > 0.0 &&
         std::min(timeline_->next_thing_s(state_.time_s), next_multiple_s(state_.time_s, longest_s)) >=
             state_.time_s + control_interval_s &&
         are_all_far(evaluation_.racks);
}

/// The next window.
void Simulation::plan_window(double end_s, const std::vector<Observer*>& observers) {
  double latest_s = end_s;
  bool acts_always = false;
  for (const auto& controller : controllers_) {
    const double next_s = controller->next_s(evaluation_, state_);
    acts_always = acts_always || next_s <= state_.time_s;
    if (next_s > state_.time_s) latest_s = std::min(latest_s, next_s);
  }
  skips_seconds_ = may_skip_seconds();
  if (skips_seconds_) {
    latest_s = std::min(latest_s, take_idle_times());
    timeline_->fill_skipping(state_.time_s, pace_.longest_at(state_.time_s, integrator_.longest_window_s()),
                             instants_s_);
  } else if (is_calm()) {
    timeline_->fill_window(state_.time_s, {integrator_.largest_calm_window_s(), true}, instants_s_);
  } else {
    const double largest_s = acts_always ? 0.0 : integrator_.largest_window_s();
    timeline_->fill_window(state_.time_s, {largest_s, false}, instants_s_);
  }
  while (instants_s_.size() > 1 && instants_s_[instants_s_.size() - 2] >= latest_s) instants_s_.pop_back();
  instants_s_.back() = std::min(instants_s_.back(), latest_s);
  moving_.clear();
  for (const auto& controller : controllers_) controller->move_inputs(state_, instants_s_.back(), moving_);
  shows_units_.resize(instants_s_.size());
  std::transform(instants_s_.begin(), instants_s_.end(), shows_units_.begin(),
                 [&](double t_s) -> std::uint8_t { return is_looked_at(t_s, observers); });
}

}  // namespace wattloop::twin
