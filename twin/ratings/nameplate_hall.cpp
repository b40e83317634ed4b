#include "twin/ratings/nameplate_hall.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "physics/units/node_rack.hpp"
#include "physics/water/cdu_exchanger.hpp"
#include "twin/actions/events/applied_events.hpp"
#include "twin/actions/events/followed_settings.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/actions/jobs/storage_watch.hpp"
#include "twin/actions/power/switching.hpp"
#include "twin/actions/power/voltages.hpp"
#include "twin/actions/staging/economisers.hpp"
#include "twin/actions/staging/sequences.hpp"
#include "twin/actions/staging/staging.hpp"
#include "twin/actions/work/node_fans.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/planning/events/followed_by_name.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"
#include "twin/planning/work/node_couplings.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "workload/constant_load.hpp"

namespace wattloop::twin {

namespace {

constexpr double equal_ratio = 1.5;   ///< of distances from the same rest, which rounding parts
constexpr double settled_s = 3600.0;  ///< generators carry and restart delays are over
constexpr double reported_from =
    1.5 * NodeFans::step_fraction;  ///< what fans would go on; between two steps they stand

/// Of a run: the instant at which the wet bulb outside is highest where water evaporates, else the dry bulb; and the highest of both,
/// which may be of other hours. `sign` -1: the lowest.
ExtremeAir extreme_air(const Outdoors& outdoors, double duration_s, bool evaporates, double sign = 1.0) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  double felt = none, wet = none, dry = none, time_s = 0.0;
  for (double t_s = 0.0; t_s <= duration_s; t_s += weather_interval_s) {
    const physics::WeatherNow now = physics::weather_at(outdoors.weather, outdoors.start_s + t_s);
    wet = std::max(wet, sign * now.wet_bulb_k);
    dry = std::max(dry, sign * now.dry_bulb_k);
    const double felt_now = sign * (evaporates ? now.wet_bulb_k : now.dry_bulb_k);
    if (felt_now <= felt) continue;
    felt = felt_now;
    time_s = t_s;
  }
  return {time_s, sign * wet, sign * dry};
}
}  // namespace

Scenario at_nameplate(Scenario scenario) {
  scenario.workload.params = workload::ConstantParams{};
  scenario.jobs.reset();
  for (RacksSpec& racks : scenario.racks) racks.workload.reset();
  scenario.network.traffic_fraction = 1.0;
  scenario.network.fabric.is_full = true;
  scenario.initial = InitialState::steady;
  scenario.events.clear();
  return scenario;
}

NameplateHall::NameplateHall(const Scenario& scenario)
    : scenario_(at_nameplate(scenario)),
      plant_(build_plant(scenario_)),
      work_(make_work(scenario_).workload),
      nodes_(node_couplings(scenario)),
      outdoors_(make_outdoors(scenario)),
      air_(extreme_air(outdoors_, scenario.duration_s, plant_.meters.make_up_water != no_part)),
      state_(initial_state(plant_)),
      evaluation_(plant_),
      rates_(plant_.map.state_count),
      search_(plant_) {}

bool NameplateHall::go_to_coldest_hour() {
  const bool evaporates = plant_.meters.make_up_water != no_part;
  const double warmest_s = std::exchange(air_, extreme_air(outdoors_, scenario_.duration_s, evaporates, -1.0)).time_s;
  return air_.time_s != warmest_s;
}

double NameplateHall::dew_point_outside_k() const {
  return physics::weather_at(outdoors_.weather, outdoors_.start_s + air_.time_s).dew_point_k;
}

/// Batteries that still carry have nothing left by then. True if there were any.
bool NameplateHall::empty_batteries() {
  bool any = false;
  for (const BatteryPart& battery : plant_.batteries) {
    if (state_.switches.branch_mode[battery.branch] != electrical::BranchMode::on_battery) continue;
    state_.states[battery.charge_state] = 0.0;
    any = true;
  }
  return any;
}

/// What is out is out, what switches by itself has switched, batteries that carry are empty, and all restart delays are over.
void NameplateHall::order(const Outage& outage) {
  scenario_.events = outage.events;
  Problems problems;
  std::vector<EventRecord> log;
  for (const ScheduledEvent& event : schedule_events(scenario_, plant_, problems))
    apply_event(plant_, event, state_, log);
  problems.throw_if_any(outage.text);
  advance_settings(state_);
  switch_until(settled_s, plant_, state_, log);
  if (empty_batteries()) switch_until(settled_s, plant_, state_, log);
  state_.time_s += settled_s;
}

void NameplateHall::set_speeds() {
  for (const MotorPart& motor : plant_.motors) state_.states[motor.speed_state] = state_.inputs[motor.command_input];
}

/// Coolant that stands in a CDU has taken the temperature of its facility water: nothing else would move it from where the
/// search begins, and its valve with it.
void NameplateHall::rest_standing_cdus() {
  const PartSetOf<physics::CduExchanger>& cdus = parts_of<physics::CduExchanger>(plant_);
  std::unordered_map<std::string_view, const MotorGroup*> pumps_of;
  for (const MotorGroup& group : plant_.motor_groups) pumps_of[group.name] = &group;
  for (std::size_t cdu = 0; cdu < cdus.size(); ++cdu) {
    const bool stands = std::ranges::all_of(pumps_of.at(cdus.names()[cdu])->motors, [&](std::size_t motor) {
      return state_.inputs[plant_.motors[motor].command_input] == 0.0;
    });
    if (!stands) continue;
    const auto outlet = static_cast<std::size_t>(cdus.shown(cdu, place_of_signal).technology_leaving_k);
    state_.states[outlet] =
        cdus.now(cdu, [&](std::size_t signal) { return evaluation_.signals[signal]; }).facility.temperature_k;
  }
}

void NameplateHall::evaluate_now() {
  std::copy(state_.inputs.begin(), state_.inputs.end(), evaluation_.inputs().begin());
  evaluate_with_voltages(plant_, state_, evaluation_, rates_);
  digest_racks(plant_, state_, evaluation_.racks);
}

/// Begins from that of the known steady states which is nearer to one at the inputs at present; gives it, if there is one.
const std::vector<double>* NameplateHall::begin_near(KnownStates known) {
  const std::vector<double>* nearest = nullptr;
  double nearest_per_s = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& states : known) {
    if (states.empty()) continue;
    state_.states = states;
    set_speeds();
    evaluate_now();
    const double distance_per_s = largest_relative_rate_per_s(plant_, rates_);
    if (nearest != nullptr && !(distance_per_s < nearest_per_s)) continue;
    nearest = &states;
    nearest_per_s = distance_per_s;
  }
  if (nearest != nullptr) state_.states = *nearest;
  set_speeds();
  return nearest;
}

void NameplateHall::begin(const Outage& outage) {
  const std::array known{whole_states_, std::exchange(last_states_, {})};
  begin_from(known, outage);
}

const std::vector<double>* NameplateHall::begin_from(KnownStates known, const Outage& outage) {
  state_ = initial_state(plant_);
  state_.time_s = air_.time_s;
  follow_weather(plant_, outdoors_, state_);
  if (plant_.outside.is_felt()) state_.inputs[plant_.outside.dry_bulb] = air_.dry_bulb_k;
  state_.time_s = 0.0;
  if (!modes_.empty()) state_.economisers = modes_;
  if (!whole_fans_.empty()) state_.work.fan_fraction = whole_fans_;
  order_economisers(plant_, state_);
  follow_sequences(plant_, state_, nullptr);
  Problems reported_by_now;
  follow_worst(followed_settings(scenario_, plant_, reported_by_now), scenario_.duration_s, state_);
  order(outage);
  stage_motors(plant_, state_, nullptr);
  AskedWatts asked(plant_.it);
  apply_work(plant_, nodes_, *work_, state_, asked);
  drive_fans(plant_, state_);
  load_fabric(plant_, nodes_, state_);
  load_storage(plant_, 1.0, state_);
  const std::vector<double>* nearest = begin_near(known);
  evaluate_now();
  rest_standing_cdus();
  evaluate_now();
  return nearest;
}

/// Outages of feeds and generators leave all inputs as they are with nothing out, or with another block out, and the steady state with them.
bool NameplateHall::is_known_rest() {
  const std::vector<double> begin = state_.states;
  for (const Rest& rest : rests_) {
    if (rest.inputs != state_.inputs) continue;
    state_.states = rest.states;
    evaluate_now();
    if (largest_relative_rate_per_s(plant_, rates_) <= equal_ratio * rest.distance_per_s) return true;
  }
  state_.states = begin;
  return false;
}

void NameplateHall::find_rest() {
  if (is_known_rest()) return;
  ++searches_;
  search_.find(state_);
  evaluate_now();
  rests_.push_back({state_.inputs, state_.states, largest_relative_rate_per_s(plant_, rates_)});
}

bool NameplateHall::comes_to_rest() {
  try {
    find_rest();
    return true;
  } catch (const SolverError&) {
    return false;
  }
}

/// A search that ends at nothing from one known state may find the rest from another, or from none.
void NameplateHall::search(const Outage& outage) {
  std::vector<std::vector<double>> known{whole_states_, std::exchange(last_states_, {})};
  if (known.front() == known.back()) known.pop_back();
  std::erase(known, std::vector<double>{});
  for (;;) {
    const std::vector<double>* from = begin_from(known, outage);
    try {
      return find_rest();
    } catch (const SolverError&) {
      if (from == nullptr) throw;
    }
    known.erase(known.begin() + (from - known.data()));
  }
}

/// The same with fewer machines on duty: from the state in which more of them ran, then from that with nothing out. False, and the
/// state as it was, where neither leads to a rest.
bool NameplateHall::search_with_fewer(const Outage& outage) {
  const PlantState before = state_;
  const std::vector<std::size_t> duty = state_.equipment.duty;
  for (const bool is_from_here : {true, false}) {
    if (!is_from_here) begin_from({&whole_states_, whole_states_.empty() ? 0u : 1u}, outage);
    state_.equipment.duty = duty;
    stage_motors(plant_, state_, nullptr);
    set_speeds();
    evaluate_now();
    rest_standing_cdus();
    if (comes_to_rest()) return true;
    state_ = before;
  }
  return false;
}

/// Fans of nodes go that share of the way to where dies and inlet air ask for, one step at least where that is farther than one. Gives the
/// longest way.
double NameplateHall::move_fans(double share) {
  constexpr double interval_s = 60.0;
  NodeCouplings quick = nodes_;
  for (NodeCoupling& node : quick) {
    if (node.fans) node.fans->ramp_s = 0.0;
  }
  const std::vector<double> before = state_.work.fan_fraction;
  state_.work.requested_fan_fraction = before;  // no share of a step is left over from the search
  evaluate_now();
  if (!NodeFans(plant_, quick).act(evaluation_.racks, interval_s, state_)) return 0.0;
  double longest = 0.0;
  for (std::size_t rack = 0; rack < before.size(); ++rack) {
    double &requested = state_.work.requested_fan_fraction[rack], &now = state_.work.fan_fraction[rack];
    longest = std::max(longest, std::abs(now - before[rack]));
    if (share == 1.0 || now == before[rack]) continue;
    const double way = now - before[rack];
    const double least = std::abs(way) > reported_from ? NodeFans::step_fraction : 0.0;
    requested = before[rack] + std::copysign(std::max(share * std::abs(way), least), way);
    now = NodeFans::step_fraction * std::round(requested / NodeFans::step_fraction);
  }
  return longest;
}

/// At the speeds at which fans of nodes turn now. False where the hall comes to no steady state.
bool NameplateHall::search_at_speeds() {
  AskedWatts asked(plant_.it);
  apply_work(plant_, nodes_, *work_, state_, asked);
  drive_fans(plant_, state_);
  return comes_to_rest();
}

bool NameplateHall::has_fans() const {
  return std::ranges::any_of(nodes_, [](const NodeCoupling& node) { return node.fans.has_value(); });
}

/// Fans of nodes in steady state. Where they would go to and fro they go a smaller share of the way each time; where they come to no steady state between,
/// or the hall comes to none at their next speed, they stay as they were. At speeds that they come back to the hall is as it was there.
void NameplateHall::settle_fans() {
  if (!has_fans()) return;
  constexpr int whole_steps = 10, most_steps = 40;
  std::map<std::vector<double>, PlantState> rests;
  const PlantState* rest = &rests.emplace(state_.work.fan_fraction, state_).first->second;
  double share = 1.0, way_before = 0.0, way = 0.0;
  for (int steps = 0; steps < most_steps && (way = move_fans(share)) > 0.0; ++steps) {
    if (state_.work.fan_fraction == rest->work.fan_fraction) break;
    if (steps > whole_steps && way > 0.7 * way_before) share *= 0.5;
    way_before = way;
    auto known = rests.find(state_.work.fan_fraction);
    if (known == rests.end()) {
      if (!search_at_speeds()) break;
      known = rests.emplace(state_.work.fan_fraction, state_).first;
    }
    rest = &known->second;
    state_ = *rest;
  }
  if (way > 0.0) state_ = *rest;
}

/// Fans of nodes that would go on from the rest that was found, by more than the step in which they turn, are a doubt.
void NameplateHall::doubt_fans() {
  if (!has_fans()) return;
  PlantState rest = state_;
  if (move_fans(1.0) >= reported_from) doubts_.push_back(fans_text(rest.work.fan_fraction, state_.work.fan_fraction));
  state_ = std::move(rest);
  evaluate_now();
}

/// From the rest that was found to what their controllers would do next, for the rack that differs most.
std::string NameplateHall::fans_text(std::span<const double> rest, std::span<const double> next) const {
  std::size_t farthest = 0;
  const auto change = [&](std::size_t rack) { return std::abs(next[rack] - rest[rack]); };
  for (std::size_t rack = 1; rack < rest.size(); ++rack) farthest = change(rack) > change(farthest) ? rack : farthest;
  return fmt::format(
      "the speed of node fans does not settle: the fans of {} run at {:.0f} %, but their controller asks for {:.0f} %",
      parts_of<physics::NodeRack>(plant_).names()[farthest], 100.0 * rest[farthest], 100.0 * next[farthest]);
}

/// Economisers are in the mode that fits the weather, and chillers run where they leave the supply too warm. Where no steady state is found
/// in a mode the one before holds, and that is a doubt.
void NameplateHall::settle_modes(const Outage& outage) {
  for (evaluate_now();; evaluate_now()) {
    const std::vector<EconomiserState> before = state_.economisers;
    PlantState rest = state_;
    if (!choose_economiser_modes(plant_, evaluation_, state_)) return;
    modes_ = state_.economisers;
    try {
      search(outage);
    } catch (const SolverError&) {
      modes_ = before;
      state_ = std::move(rest);
      doubts_.emplace_back(
          "economisers stay in a mode that does not fit the weather: no steady state was found in the mode "
          "that does");
      return evaluate_now();
    }
    state_.economisers = modes_;
  }
}

/// Machines that the hall does not need stop. True if any did.
bool NameplateHall::drop_idle_chillers(const Outage& outage) {
  PlantState rest = state_;
  bool any = false;
  evaluate_now();
  for (const ChillerStaging& staging : make_chiller_stagings(plant_)) {
    for (; staging.drop_idle(evaluation_, state_); evaluate_now()) {
      if (!search_with_fewer(outage)) {
        state_ = rest;  // with one machine more than is needed: a rest all the same
        evaluate_now();
        break;
      }
      rest = state_;
      any = true;
    }
  }
  return any;
}

void NameplateHall::settle(const Outage& outage) {
  doubts_.clear();
  modes_ = whole_modes_;
  search(outage);
  settle_modes(outage);
  settle_fans();
  if (drop_idle_chillers(outage)) settle_fans();  // with fewer machines water may be warmer
  doubt_fans();
  if (outage.events.empty()) {
    whole_states_ = state_.states;
    whole_modes_ = state_.economisers;
    whole_fans_ = state_.work.fan_fraction;
  }
  last_states_ = state_.states;
}

}  // namespace wattloop::twin
