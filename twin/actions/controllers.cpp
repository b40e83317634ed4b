// All controllers, a class each: when it acts, and the function of twin/actions that it calls.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/units/units.hpp"
#include "twin/actions/controller.hpp"
#include "twin/actions/events/followed_settings.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/actions/power/part_limits.hpp"
#include "twin/actions/power/power_protection.hpp"
#include "twin/actions/power/switching.hpp"
#include "twin/actions/staging/economisers.hpp"
#include "twin/actions/staging/sequences.hpp"
#include "twin/actions/staging/staging.hpp"
#include "twin/actions/weather/condensation.hpp"
#include "twin/actions/weather/outdoors.hpp"
#include "twin/actions/work/node_fans.hpp"
#include "twin/actions/work/node_states.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"

namespace wattloop::twin {

namespace {

constexpr double calm_margin_k = 10.0;  ///< of dies to their limit: more than one rises and falls in a sample

/// " of dgx" where there are several groups.
std::string of_group(const ItEquipment& it, std::size_t group) {
  return it.groups.size() > 1 ? " of " + it.groups[group].name : "";
}

/// A controller that knows the run.
class InRun : public Controller {
 public:
  explicit InRun(const RunContext& run) : plant_(run.plant), run_(run) {}

 protected:
  const Plant& plant_;
  const RunContext run_;
};

class Events final : public InRun {
 public:
  using InRun::InRun;
  void act(StepContext& context) override {
    for (const ScheduledEvent& event : run_.timeline.events_at(context.state.time_s)) {
      apply_event(plant_, event, context.state, context.events);
      context.has_changed = true;
    }
  }
};

/// Settings that follow a file.
class Followed final : public InRun {
 public:
  Followed(const RunContext& run, std::vector<FollowedSetting> settings) : InRun(run), settings_(std::move(settings)) {}
  void prepare(PlantState& state) override { follow_files(settings_, state); }
  void act(StepContext& context) override { follow_files(settings_, context.state); }
  double next_s(const Evaluation&, const PlantState& now) const override {
    return next_change_s(settings_, now.time_s);
  }

 private:
  const std::vector<FollowedSetting> settings_;
};

class Settings final : public InRun {
 public:
  using InRun::InRun;
  void act(StepContext& context) override {
    if (advance_settings(context.state)) context.has_changed = true;
  }
  double next_s(const Evaluation& evaluation, const PlantState& state) const override {
    return is_idle(state) ? Controller::next_s(evaluation, state) : state.time_s;
  }
  bool is_idle(const PlantState& state) const override { return !is_a_setting_moving(state); }
};

class Outside final : public InRun {
 public:
  explicit Outside(const RunContext& run) : InRun(run), outdoors_(make_outdoors(run.scenario)) {}
  void prepare(PlantState& state) override { follow_weather(plant_, outdoors_, state); }
  void act(StepContext& context) override {
    follow_weather(plant_, outdoors_, context.state);
    if (!is_multiple(context.state.time_s, weather_interval_s)) return;
    note_condensation(plant_, run_.scenario, outdoors_, context.state, context.events);
  }

  double idle_until_s(const PlantState& state) const override {
    return plant_.outside.wet_bulb == no_part ? state.time_s : next_bend_s(outdoors_, state.time_s);
  }
  void move_inputs(const PlantState& state, double end_s, std::vector<MovingInput>& moving) const override {
    move_weather(plant_, outdoors_, state, end_s, moving);
  }
  bool would_act(const Evaluation&, const PlantState& state) const override {
    return would_note_condensation(plant_, run_.scenario, outdoors_, state);
  }

 private:
  const Outdoors outdoors_;
};

/// Modes of economisers; resets of the same settings act after them.
class Economisers final : public InRun {
 public:
  using InRun::InRun;
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
class Sequences final : public InRun {
 public:
  using InRun::InRun;
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

/// When samples of work begin; what they ask for is given by `Loads`.
class Work final : public InRun {
 public:
  using InRun::InRun;
  void act(StepContext& context) override {
    PlantState& state = context.state;
    if (state.time_s + boundary_slack_s < state.work.sample_end_s) return;  // a record may be due next to it
    state.work.sample_end_s = run_.workload.next_change_s(state.time_s);
    context.has_changed = true;
  }
};

/// Of nodes, against hot inlet air.
class InletAir final : public InRun {
 public:
  explicit InletAir(const RunContext& run) : InRun(run), watch_(run.plant, run.nodes) {}
  void act(StepContext& context) override {
    if (looks_at(context.state.time_s) && watch_.act(context.state, context.events)) context.has_changed = true;
  }
  void check_start(const PlantState& state, const Evaluation&, std::vector<std::string>& impossible) override {
    for (std::size_t g = 0; g < run_.nodes.size(); ++g) {
      const workload::InletParams& protection = run_.nodes[g].inlet_air;
      const double hottest_k = watch_.hottest_k(plant_.it.groups[g], state);
      if (!protection.is_enabled || hottest_k < protection.shutdown_k) continue;
      impossible.push_back(fmt::format("air before racks{} reaches {}, firmware switches nodes off at {}",
                                       of_group(plant_.it, g), format_quantity(hottest_k, "K"),
                                       format_quantity(protection.shutdown_k, "K")));
    }
  }
  bool looks_at(double time_s) const override { return is_multiple(time_s, control_interval_s); }
  bool would_act(const Evaluation&, const PlantState& state) const override { return watch_.would_act(state); }

 private:
  const InletWatch watch_;
};

class Firmware final : public InRun {
 public:
  using InRun::InRun;
  void act(StepContext& context) override {
    digest_racks(plant_, context.state, context.evaluation.racks);
    if (!is_multiple(context.state.time_s, protection_interval_s)) return;
    if (protect_gpus(plant_, run_.nodes, context.state, context.evaluation.racks, context.events))
      context.has_changed = true;
    if (!context.has_changed && is_power_limit_due(plant_, run_.nodes, context.state)) context.has_changed = true;
  }
  void check_start(const PlantState& state, const Evaluation&, std::vector<std::string>& impossible) override {
    std::vector<RackDigest> racks(plant_.it.racks.size());
    digest_racks(plant_, state, racks);
    for (std::size_t g = 0; g < run_.nodes.size(); ++g) {
      const workload::ProtectionParams& protection = run_.nodes[g].protection;
      const double hottest_k = hottest_die_k(racks_of(plant_.it.groups[g], racks));
      if (!protection.is_enabled || hottest_k < protection.shutdown_k) continue;
      impossible.push_back(fmt::format("dies{} reach {}, firmware switches nodes off at {}", of_group(plant_.it, g),
                                       format_quantity(hottest_k, "K"), format_quantity(protection.shutdown_k, "K")));
    }
  }
  bool is_far(std::span<const RackDigest> racks) const override {
    for (std::size_t g = 0; g < run_.nodes.size(); ++g) {
      const workload::ProtectionParams& protection = run_.nodes[g].protection;
      const bool is_far = std::ranges::all_of(racks_of(plant_.it.groups[g], racks), [&](const RackDigest& rack) {
        const bool is_cool = rack.throttled_gpus == 0 && rack.hottest_k < protection.throttle_k - calm_margin_k;
        return is_cool || !protection.is_enabled;
      });
      if (!is_far) return false;
    }
    return true;
  }
};

/// Of nodes, whose fans follow inlet air and dies. They look at every tick, because what they remember moves on.
class ServerFans final : public InRun {
 public:
  explicit ServerFans(const RunContext& run) : InRun(run), fans_(run.plant, run.nodes) {}
  void act(StepContext& context) override {
    if (is_tick(context.state.time_s) && fans_.act(context.evaluation.racks, control_interval_s, context.state))
      context.has_changed = true;
  }
  bool stage_down(const Evaluation&, PlantState& state) override {
    std::vector<RackDigest> racks(plant_.it.racks.size());
    digest_racks(plant_, state, racks);
    return rests_found_++ < most_rests && fans_.act(racks, settling_s, state);
  }
  bool is_idle(const PlantState&) const override { return false; }  // its memory moves on at every tick

 private:
  static bool is_tick(double time_s) { return is_multiple(time_s, control_interval_s); }
  static constexpr double settling_s = 60.0;  ///< of the controller, from one rest of the hall to the next
  static constexpr int most_rests = 40;

  const NodeFans fans_;
  int rests_found_ = 0;
};

/// Of the power system, against overload.
class Protection final : public InRun {
 public:
  using InRun::InRun;
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
  bool trips() const { return run_.scenario.trips == "on"; }
};

/// Of parts that are no electrical equipment.
class Limits final : public InRun {
 public:
  explicit Limits(const RunContext& run) : InRun(run), limits_(run.plant) {}
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

class Switching final : public InRun {
 public:
  using InRun::InRun;
  void act(StepContext& context) override {
    if (switch_power(plant_, context.state, context.events)) context.has_changed = true;
  }
  double next_s(const Evaluation&, const PlantState& state) const override { return next_switching_s(plant_, state); }
};

/// Of nodes: who lost its supply, who boots, who is back.
class NodeSupply final : public InRun {
 public:
  using InRun::InRun;
  void act(StepContext& context) override {
    if (!follow_supply(plant_, run_.nodes, context.state, context.events)) return;
    digest_racks(plant_, context.state, context.evaluation.racks);
    context.has_changed = true;
  }
  double next_s(const Evaluation&, const PlantState& state) const override { return next_node_s(plant_, state); }
};

/// Watts of all units, air of racks, watts of switches: they follow from all that acted before.
class Loads final : public InRun {
 public:
  explicit Loads(const RunContext& run) : InRun(run), asked_(plant_.it) {}
  void prepare(PlantState& state) override { follow(state, true); }
  void act(StepContext& context) override {
    follow(context.state, context.has_changed);
    for (std::size_t rack = 0; rack < plant_.it.racks.size(); ++rack)
      context.evaluation.racks[rack].capped_gpus = context.state.work.capped_gpus[rack];
  }
  /// Power limits hold with the leakage of dies in steady state, which loads by dies of another temperature brought about.
  bool stage_down(const Evaluation&, PlantState& state) override {
    if (rests_found_++ >= most_rests || !is_power_limit_due(plant_, run_.nodes, state)) return false;
    const std::vector<double> before = state.inputs;
    apply_work(plant_, run_.nodes, run_.workload, state, asked_);
    return !std::ranges::equal(before, state.inputs, [](double a, double b) { return std::abs(b - a) < noticeable_w; });
  }

 private:
  static constexpr double noticeable_w = 1e-3;
  static constexpr int most_rests = 20;

  void follow(PlantState& state, bool has_changed) {
    if (has_changed) apply_work(plant_, run_.nodes, run_.workload, state, asked_);
    drive_fans(plant_, state);
    load_fabric(plant_, run_.nodes, state);
  }

  AskedWatts asked_;  ///< [node] scratch
  int rests_found_ = 0;
};

class Chillers final : public InRun {
 public:
  Chillers(const RunContext& run, ChillerStaging staging) : InRun(run), staging_(std::move(staging)) {}
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

class Motors final : public InRun {
 public:
  using InRun::InRun;
  void prepare(PlantState& state) override {
    stage_motors(plant_, state, nullptr);
    for (const MotorPart& motor : plant_.motors) state.states[motor.speed_state] = state.inputs[motor.command_input];
  }
  void act(StepContext& context) override {
    if (is_multiple(context.state.time_s, control_interval_s)) stage_motors(plant_, context.state, &context.events);
  }
  bool is_idle(const PlantState& state) const override { return !waits_any_motor(plant_, state); }
};

}  // namespace

std::vector<std::unique_ptr<Controller>> make_controllers(const RunContext& run) {
  std::vector<std::unique_ptr<Controller>> controllers;
  controllers.push_back(std::make_unique<Events>(run));
  Problems problems;  // reported with those of events before
  if (auto followed = followed_settings(run.scenario, run.plant, problems); !followed.empty())
    controllers.push_back(std::make_unique<Followed>(run, std::move(followed)));
  controllers.push_back(std::make_unique<Settings>(run));
  controllers.push_back(std::make_unique<Outside>(run));
  if (!run.plant.economisers.empty()) controllers.push_back(std::make_unique<Economisers>(run));
  if (!run.plant.sequences.empty()) controllers.push_back(std::make_unique<Sequences>(run));
  controllers.push_back(std::make_unique<Work>(run));
  controllers.push_back(std::make_unique<InletAir>(run));
  controllers.push_back(std::make_unique<Firmware>(run));
  if (std::ranges::any_of(run.nodes, [](const NodeCoupling& node) { return node.fans.has_value(); }))
    controllers.push_back(std::make_unique<ServerFans>(run));
  controllers.push_back(std::make_unique<Protection>(run));
  controllers.push_back(std::make_unique<Limits>(run));
  controllers.push_back(std::make_unique<Switching>(run));
  controllers.push_back(std::make_unique<NodeSupply>(run));
  controllers.push_back(std::make_unique<Loads>(run));
  for (ChillerStaging& staging : make_chiller_stagings(run.plant, run.scenario.cooling))
    controllers.push_back(std::make_unique<Chillers>(run, std::move(staging)));
  controllers.push_back(std::make_unique<Motors>(run));
  return controllers;
}

}  // namespace wattloop::twin
