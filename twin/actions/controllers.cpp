// All controllers, a class each: when it acts, and the function of twin/actions that it calls.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/units/units.hpp"
#include "twin/actions/controller.hpp"
#include "twin/actions/events/applied_events.hpp"
#include "twin/actions/events/followed_settings.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/actions/power/part_limits.hpp"
#include "twin/actions/power/power_protection.hpp"
#include "twin/actions/power/switching.hpp"
#include "twin/actions/power/tap_changers.hpp"
#include "twin/actions/power/voltages.hpp"
#include "twin/actions/staging/economisers.hpp"
#include "twin/actions/staging/sequences.hpp"
#include "twin/actions/staging/staging.hpp"
#include "twin/actions/weather/condensation.hpp"
#include "twin/actions/weather/outdoors.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"

namespace wattloop::twin {

namespace {

class Events final : public RunController {
 public:
  using RunController::RunController;
  void act(StepContext& context) override {
    for (const ScheduledEvent& event : run_.timeline.events_at(context.state.time_s)) {
      apply_event(plant_, event, context.state, context.events);
      context.has_changed = true;
    }
  }
};

/// Settings that follow a file.
class Followed final : public RunController {
 public:
  using RunController::RunController;
  void prepare(PlantState& state) override { follow_files(run_.plan.followed, state); }
  void act(StepContext& context) override { follow_files(run_.plan.followed, context.state); }
  double next_s(const Evaluation&, const PlantState& now) const override {
    return next_change_s(run_.plan.followed, now.time_s);
  }
};

class Settings final : public RunController {
 public:
  using RunController::RunController;
  void act(StepContext& context) override {
    if (advance_settings(context.state)) context.has_changed = true;
  }
  double next_s(const Evaluation& evaluation, const PlantState& state) const override {
    return is_idle(state) ? Controller::next_s(evaluation, state) : state.time_s;
  }
  bool is_idle(const PlantState& state) const override { return !is_a_setting_moving(state); }
};

class Outside final : public RunController {
 public:
  explicit Outside(const RunContext& run) : RunController(run), outdoors_(run.plan.outdoors) {}
  void prepare(PlantState& state) override { follow_weather(plant_, outdoors_, state); }
  void act(StepContext& context) override {
    follow_weather(plant_, outdoors_, context.state);
    if (!is_multiple(context.state.time_s, weather_interval_s)) return;
    note_condensation(plant_, outdoors_, context.state, context.events);
  }

  double idle_until_s(const PlantState& state) const override {
    return plant_.outside.wet_bulb == no_part ? state.time_s : next_bend_s(outdoors_, state.time_s);
  }
  void move_inputs(const PlantState& state, double end_s, std::vector<MovingInput>& moving) const override {
    move_weather(plant_, outdoors_, state, end_s, moving);
  }
  bool would_act(const Evaluation&, const PlantState& state) const override {
    return would_note_condensation(plant_, outdoors_, state);
  }

 private:
  const Outdoors& outdoors_;
};

/// Modes of economisers; resets of the same settings act after them.
class Economisers final : public RunController {
 public:
  using RunController::RunController;
  void prepare(PlantState& state) override { order_economisers(plant_, state); }
  void act(StepContext& context) override {
    if (follow_economisers(plant_, context.evaluation, context.state, context.events)) context.has_changed = true;
  }
  bool stage_down(const Evaluation& evaluation, PlantState& state) override {
    return choose_economiser_modes(plant_, evaluation, state);
  }
  bool is_far(std::span<const RackDigest>) const override {  // whole minutes are instants in any window
    return std::ranges::all_of(plant_.economisers, [](const PlannedEconomiser& economiser) {
      return is_multiple(economiser.every_s, weather_interval_s);
    });
  }
  double idle_until_s(const PlantState& state) const override { return next_economiser_look_s(plant_, state.time_s); }
  bool looks_at(double time_s) const override { return does_an_economiser_look(plant_, time_s); }
  bool would_act(const Evaluation& evaluation, const PlantState& state) const override {
    return would_an_economiser_act(plant_, evaluation, state);
  }
};

/// Settings that follow the weather.
class Sequences final : public RunController {
 public:
  using RunController::RunController;
  void prepare(PlantState& state) override { follow_sequences(plant_, state, nullptr); }
  void act(StepContext& context) override {
    if (follow_sequences(plant_, context.state, &context.events)) context.has_changed = true;
  }
  double idle_until_s(const PlantState& state) const override { return next_sequence_look_s(plant_, state.time_s); }
  bool looks_at(double time_s) const override { return does_a_sequence_look(plant_, time_s); }
  bool would_act(const Evaluation&, const PlantState& state) const override {
    return would_a_sequence_act(plant_, state);
  }
};

/// Of the power system, against overload.
class Protection final : public RunController {
 public:
  using RunController::RunController;
  void count(PlantState& memory, const Evaluation& evaluation, double end_s, double duration_s) override {
    count_overload(plant_, evaluation, end_s, duration_s, memory);
  }
  void act(StepContext& context) override {
    if (protect_power(plant_, trips(), context.state, context.events)) context.has_changed = true;
    if (looks_at(context.state.time_s) && switch_off_in_hot_air(plant_, trips(), context.state, context.events))
      context.has_changed = true;
  }
  double next_s(const Evaluation& evaluation, const PlantState& state) const override {
    if (!is_near_trip(plant_, evaluation.power, state.overload)) return Controller::next_s(evaluation, state);
    const double sample_s =
        run_.timeline.next_s(state.time_s);  // followed the same where nothing trips: the same is reported
    return trips() ? std::min(sample_s, next_trip_s(plant_, evaluation.power, state)) : sample_s;
  }
  void check_start(const PlantState& state, const Evaluation&, std::vector<std::string>& impossible) override {
    if (trips() && is_in_hot_air(plant_, state)) impossible.push_back(hot_air_text(plant_, state));
  }
  bool looks_at(double time_s) const override { return is_multiple(time_s, control_interval_s); }
  bool would_act(const Evaluation&, const PlantState& state) const override {
    return trips() && is_in_hot_air(plant_, state);
  }

 private:
  bool trips() const { return run_.plan.trips; }
};

/// Of parts that are no electrical equipment.
class Limits final : public RunController {
 public:
  explicit Limits(const RunContext& run) : RunController(run), limits_(run.plant) {}
  void count(PlantState& memory, const Evaluation& evaluation, double end_s, double duration_s) override {
    limits_.count(evaluation, end_s, duration_s, memory.limits);
  }
  void act(StepContext& context) override { limits_.report(context.state, context.events); }
  void check_start(const PlantState&, const Evaluation& evaluation, std::vector<std::string>& impossible) override {
    for (std::string& text : limits_.impossible(evaluation)) impossible.push_back(std::move(text));
  }

 private:
  PartLimits limits_;
};

class Switching final : public RunController {
 public:
  using RunController::RunController;
  void act(StepContext& context) override {
    if (switch_power(plant_, context.state, context.events)) context.has_changed = true;
  }
  double next_s(const Evaluation&, const PlantState& state) const override { return next_switching_s(plant_, state); }
};

class Chillers final : public RunController {
 public:
  Chillers(const RunContext& run, ChillerStaging staging) : RunController(run), staging_(std::move(staging)) {}
  void act(StepContext& context) override {
    if (looks_at(context.state.time_s)) staging_.act(context.evaluation, context.state, context.events);
  }
  bool stage_down(const Evaluation& evaluation, PlantState& state) override {
    return staging_.drop_idle(evaluation, state);
  }
  double idle_until_s(const PlantState& state) const override { return staging_.idle_until_s(state); }
  bool looks_at(double time_s) const override { return is_multiple(time_s, control_interval_s); }
  bool would_act(const Evaluation& evaluation, const PlantState& state) const override {
    return staging_.would_act(evaluation, state);
  }

 private:
  const ChillerStaging staging_;
};

class Motors final : public RunController {
 public:
  using RunController::RunController;
  void prepare(PlantState& state) override {
    stage_motors(plant_, state, nullptr);
    for (const MotorPart& motor : plant_.motors) state.states[motor.speed_state] = state.inputs[motor.command_input];
  }
  void act(StepContext& context) override {
    if (is_multiple(context.state.time_s, control_interval_s)) stage_motors(plant_, context.state, &context.events);
  }
  bool is_idle(const PlantState& state) const override { return !waits_any_motor(plant_, state); }
};

/// Holds voltages, and what they change in losses and loadings, from instant to instant.
class Voltages final : public RunController {
 public:
  using RunController::RunController;
  void act(StepContext& context) override {
    follow_voltages(plant_, context.evaluation, context.has_changed, scratch_, context.state, context.events);
  }
  double next_s(const Evaluation&, const PlantState& state) const override { return next_tap_s(state); }

 private:
  VoltageScratch scratch_;
};

}  // namespace

std::vector<std::unique_ptr<Controller>> make_controllers(const RunContext& run) {
  std::vector<std::unique_ptr<Controller>> controllers;
  controllers.push_back(std::make_unique<Events>(run));
  if (!run.plan.followed.empty()) controllers.push_back(std::make_unique<Followed>(run));
  controllers.push_back(std::make_unique<Settings>(run));
  controllers.push_back(std::make_unique<Outside>(run));
  if (!run.plant.economisers.empty()) controllers.push_back(std::make_unique<Economisers>(run));
  if (!run.plant.sequences.empty()) controllers.push_back(std::make_unique<Sequences>(run));
  add_node_controllers(run, controllers);
  controllers.push_back(std::make_unique<Protection>(run));
  controllers.push_back(std::make_unique<Limits>(run));
  controllers.push_back(std::make_unique<Switching>(run));
  add_load_controllers(run, controllers);
  for (ChillerStaging& staging : make_chiller_stagings(run.plant))
    controllers.push_back(std::make_unique<Chillers>(run, std::move(staging)));
  controllers.push_back(std::make_unique<Motors>(run));
  if (run.plant.voltages) controllers.push_back(std::make_unique<Voltages>(run));
  return controllers;
}

}  // namespace wattloop::twin
