#include "twin/actions/staging/staging.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "physics/water/chiller_machine.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/plant/equipment/parts_of.hpp"

namespace wattloop::twin {

namespace {

using physics::ChillerMachine;

/// With as many decimals as show that the lift is smaller.
std::string small_lift_words(double lift_k, double minimum_k) {
  constexpr int most_decimals = 6;
  int decimals = 1;
  const auto text = [&](double difference_k) { return fmt::format("{:.{}f} K", difference_k, decimals); };
  while (decimals < most_decimals && text(lift_k) == text(minimum_k)) ++decimals;
  return fmt::format(
      "its lift of {} is below its minimum lift of {}: its power is computed at the minimum lift, no action needed",
      text(lift_k), text(minimum_k));
}

bool is_able(const Plant& plant, const PlantState& state, std::size_t m) {
  const MotorPart& motor = plant.motors[m];
  return state.equipment.is_failed[m] == 0 && electrical::is_served(state.switches, motor.load) &&
         state.time_s >= state.equipment.power_back_s[m] + motor.restart_delay_s;
}

/// How many motors of `group` may start now.
std::size_t may_start(const Plant& plant, std::size_t group, const PlantState& state) {
  const double interval_s = plant.motor_groups[group].start_interval_s;
  if (interval_s <= 0.0) return plant.motor_groups[group].motors.size();
  return state.time_s >= state.equipment.group_started_s[group] + interval_s ? 1 : 0;
}

/// Marks the motors of `group` that shall run: able ones, those that run keep their turn, as many as are on duty. At most `starts` of them
/// did not run before.
void choose_motors(const Plant& plant, std::size_t group, std::size_t starts, PlantState& state) {
  EquipmentState& equipment = state.equipment;
  const std::vector<std::size_t>& motors = plant.motor_groups[group].motors;
  std::size_t chosen = 0;
  for (const std::size_t motor : motors) equipment.is_requested[motor] = 0;
  for (const bool must_be_running : {true, false}) {
    for (const std::size_t motor : motors) {
      const bool has_turn = !must_be_running || equipment.is_running[motor] != 0;
      if (chosen == equipment.duty[group] || !is_able(plant, state, motor) || !has_turn) continue;
      if (equipment.is_requested[motor] != 0) continue;
      if (!must_be_running && starts-- == 0) return;
      equipment.is_requested[motor] = 1;
      ++chosen;
    }
  }
}

/// Gives one motor its command; true if that changed.
bool order_motor(const Plant& plant, std::size_t m, double speed_fraction, PlantState& state) {
  EquipmentState& equipment = state.equipment;
  equipment.is_running[m] = equipment.is_requested[m];
  const double command = equipment.is_requested[m] != 0 ? speed_fraction : 0.0;
  return std::exchange(state.inputs[plant.motors[m].command_input], command) != command;
}

/// A chiller now: flows of the last instant, temperatures and all other states of this one.
struct ChillerNow {
  ChillerMachine::Now now;
  ChillerMachine::Shown shown;
};

ChillerNow chiller_now(const Plant& plant, std::size_t chiller, const Evaluation& evaluation, const PlantState& state) {
  const auto at = [&](std::size_t signal) {
    return signal < plant.map.state_count ? state.states[signal] : evaluation.signals[signal];
  };
  const PartSetOf<ChillerMachine>& chillers = parts_of<ChillerMachine>(plant);
  return {chillers.now(chiller, at), chillers.shown(chiller, at)};
}

/// Refrigerant temperatures apart from each other, from the waters that leave.
double lift_k(const ChillerNow& chiller, const physics::ChillerParams& machine) {
  return chiller.shown.condenser_leaving_k + machine.condenser_pinch_k -
         (chiller.shown.chilled_leaving_k - machine.evaporator_pinch_k);
}

/// Whether fewer motors of `group` run than are on duty while another could.
bool waits_for_its_turn(const Plant& plant, std::size_t group, const PlantState& state) {
  std::size_t running = 0;
  bool is_any_idle = false;
  for (const std::size_t m : plant.motor_groups[group].motors) {
    const bool runs = state.equipment.is_running[m] != 0;
    running += runs ? 1 : 0;
    is_any_idle = is_any_idle || (!runs && is_able(plant, state, m));
  }
  return is_any_idle && running < state.equipment.duty[group];
}

}  // namespace

bool waits_any_motor(const Plant& plant, const PlantState& state) {
  for (std::size_t g = 0; g < plant.motor_groups.size(); ++g) {
    if (plant.motor_groups[g].start_interval_s > 0.0 && waits_for_its_turn(plant, g, state)) return true;
  }
  for (std::size_t m = 0; m < plant.motors.size(); ++m) {
    const double back_s = state.equipment.power_back_s[m] + plant.motors[m].restart_delay_s;
    if (state.equipment.is_failed[m] == 0 && state.time_s < back_s) return true;
  }
  return false;
}

bool stage_motors(const Plant& plant, PlantState& state, std::vector<EventRecord>* events) {
  bool changed = false;
  for (std::size_t g = 0; g < plant.motor_groups.size(); ++g) {
    const MotorGroup& group = plant.motor_groups[g];
    choose_motors(plant, g, events == nullptr ? group.motors.size() : may_start(plant, g, state), state);
    const double speed_fraction = group.speed_input == no_part ? 1.0 : state.inputs[group.speed_input];
    for (const std::size_t m : group.motors) {
      const bool is_requested = state.equipment.is_requested[m] != 0;
      if (is_requested != (state.equipment.is_running[m] != 0)) {
        state.equipment.group_changed_s[g] = state.time_s;
        if (is_requested && events != nullptr) state.equipment.group_started_s[g] = state.time_s;
        if (events != nullptr) {
          events->push_back(
              {state.time_s, is_requested ? "start" : "stop", plant.motors[m].name, "staging of " + group.name});
        }
      }
      changed = order_motor(plant, m, speed_fraction, state) || changed;
    }
  }
  return changed;
}

ChillerStaging::ChillerStaging(const Plant& plant, std::size_t group)
    : plant_(plant),
      staging_(*plant.motor_groups[group].staging),
      system_(system_named(plant, staging_.system)),
      group_(group) {
  const std::span<const std::string> names = parts_of<ChillerMachine>(plant).names();
  const std::string& first = plant.motors[plant.motor_groups[group].motors.front()].name;
  first_ = static_cast<std::size_t>(std::ranges::find(names, first) - names.begin());
}

const physics::ChillerParams& ChillerStaging::machine() const {
  return parts_of<ChillerMachine>(plant_).params(first_).chiller;
}

ChillerStaging::Running ChillerStaging::running(const Evaluation& evaluation, const PlantState& state) const {
  const std::vector<std::size_t>& motors = plant_.motor_groups[group_].motors;
  Running sum;
  for (std::size_t number = 0; number < motors.size(); ++number) {
    if (is_able(plant_, state, motors[number])) ++sum.able;
    if (state.equipment.is_running[motors[number]] == 0) continue;
    const std::size_t chiller = first_ + number;
    const ChillerNow now = chiller_now(plant_, chiller, evaluation, state);
    ++sum.count;
    sum.heat_w += ChillerMachine::heat_w(parts_of<ChillerMachine>(plant_).params(chiller), now.now);
    sum.kg_per_s += now.now.chilled.flow_kg_per_s;
    sum.rated_w = parts_of<ChillerMachine>(plant_).params(chiller).chiller.rated_heat_w;
  }
  return sum;
}

double ChillerStaging::passed_k(const Evaluation& evaluation, const PlantState& state) const {
  const auto flow_kg_per_s = [&](std::size_t flow) { return evaluation.signals[plant_.map.flow(flow)]; };
  if (flow_kg_per_s(system_.load_flow) <= flow_kg_per_s(system_.source_flow)) return 0.0;
  return node_k(system_.supply_node, state) - state.inputs[system_.set_point_input];
}

/// Machines give water of the set-point; r of what users draw comes from them, the rest is return water: T_supply - T_set =
/// (1 - r) (T_return - T_set), with what users warm it by, T_return - T_supply, as it is: (1/r - 1) (T_return - T_supply).
double ChillerStaging::passing_k(const Running& now, std::size_t needed_count, const Evaluation& evaluation,
                                 const PlantState& state) const {
  const auto flow_kg_per_s = [&](std::size_t flow) { return evaluation.signals[plant_.map.flow(flow)]; };
  const double drawn_kg_per_s = flow_kg_per_s(system_.load_flow);
  const double fewer = static_cast<double>(now.count) - static_cast<double>(needed_count);
  const double given_kg_per_s =
      flow_kg_per_s(system_.source_flow) - fewer * now.kg_per_s / static_cast<double>(now.count);
  if (given_kg_per_s >= drawn_kg_per_s) return 0.0;
  if (given_kg_per_s <= 0.0) return std::numeric_limits<double>::infinity();
  const double warmed_k = node_k(system_.return_node, state) - node_k(system_.supply_node, state);
  return (drawn_kg_per_s / given_kg_per_s - 1.0) * std::max(warmed_k, 0.0);
}

double ChillerStaging::node_k(std::size_t node, const PlantState& state) const {
  return state.states[plant_.nodes[node].temperature_signal];
}

int ChillerStaging::change(const Evaluation& evaluation, const PlantState& state) const {
  if (state.time_s < state.equipment.group_changed_s[group_] + staging_.stage_interval_s) return 0;
  const Running now = running(evaluation, state);
  if (now.count == 0 || now.count != state.equipment.duty[group_])
    return 0;  // failed or dead ones: the rest has no say
  const auto count = static_cast<double>(now.count);
  const bool is_requested = now.heat_w > staging_.stage_up_fraction * count * now.rated_w ||
                            passed_k(evaluation, state) > staging_.warm_supply_k;
  if (is_requested && now.able > now.count) return 1;
  const bool is_idle = now.count > 1 && now.heat_w < staging_.stage_down_fraction * (count - 1.0) * now.rated_w;
  return is_idle && passing_k(now, now.count - 1, evaluation, state) < 0.5 * staging_.warm_supply_k ? -1 : 0;
}

double ChillerStaging::idle_until_s(const PlantState& state) const {
  const double until_s = state.equipment.group_changed_s[group_] + staging_.stage_interval_s;
  if (!(until_s > state.time_s)) return state.time_s;
  return std::ceil(until_s / control_interval_s) * control_interval_s;
}

std::optional<std::size_t> ChillerStaging::small_lift(const Evaluation& evaluation, const PlantState& state) const {
  if (state.equipment.is_small_lift_reported[group_] != 0) return std::nullopt;
  const std::vector<std::size_t>& motors = plant_.motor_groups[group_].motors;
  for (std::size_t number = 0; number < motors.size(); ++number) {
    const ChillerNow chiller = chiller_now(plant_, first_ + number, evaluation, state);
    const bool is_loaded = state.equipment.is_running[motors[number]] != 0 && chiller.now.state.loading_fraction > 0.9;
    if (!is_loaded || lift_k(chiller, machine()) >= machine().minimum_lift_k) continue;
    const Liquid& condenser = chiller.now.condenser;
    const double colder_k = chiller.shown.chilled_leaving_k - condenser.temperature_k;
    const double rate_w_per_k = condenser.flow_kg_per_s * condenser.specific_heat_j_per_kg_k;
    const double by_itself_w = physics::migration_heat_w(machine(), 1.0, colder_k, rate_w_per_k);
    const auto& params = parts_of<ChillerMachine>(plant_).params(first_ + number);
    if (ChillerMachine::heat_w(params, chiller.now) > by_itself_w) return first_ + number;
  }
  return std::nullopt;
}

void ChillerStaging::act(const Evaluation& evaluation, PlantState& state, std::vector<EventRecord>& events) const {
  if (const auto chiller = small_lift(evaluation, state)) {
    events.push_back({state.time_s, "out_of_range", parts_of<ChillerMachine>(plant_).names()[*chiller],
                      small_lift_words(lift_k(chiller_now(plant_, *chiller, evaluation, state), machine()),
                                       machine().minimum_lift_k)});
    state.equipment.is_small_lift_reported[group_] = 1;
  }
  const int by = change(evaluation, state);
  if (by == 0) return;
  const Running now = running(evaluation, state);
  std::size_t& duty = state.equipment.duty[group_];
  duty = by > 0 ? duty + 1 : duty - 1;
  const double carried_fraction = now.heat_w / (static_cast<double>(now.count) * now.rated_w);
  const bool is_by_water = by > 0 && carried_fraction <= staging_.stage_up_fraction;
  const std::string passed = is_by_water
                                 ? fmt::format(", and return water that bypasses them warms the supply by {:.1f} K",
                                               passed_k(evaluation, state))
                                 : "";
  events.push_back({state.time_s, "stage", plant_.motor_groups[group_].name,
                    fmt::format("{} on duty: {} carry {:.0f} % of their rating{}", duty, now.count,
                                100.0 * carried_fraction, passed)});
}

bool ChillerStaging::drop_idle(const Evaluation& evaluation, PlantState& state) const {
  std::size_t& duty = state.equipment.duty[group_];
  const Running now = running(evaluation, state);
  const double needed = std::ceil(now.heat_w / (staging_.stage_up_fraction * std::max(now.rated_w, 1.0)));
  auto needed_count = static_cast<std::size_t>(std::max(needed, 1.0));
  while (now.count > 0 && needed_count < duty &&
         passing_k(now, needed_count, evaluation, state) >= 0.5 * staging_.warm_supply_k)
    ++needed_count;
  if (now.count == 0 || needed_count >= duty) return false;
  duty = needed_count;
  return true;
}

std::vector<ChillerStaging> make_chiller_stagings(const Plant& plant) {
  std::vector<ChillerStaging> stagings;
  for (std::size_t group = 0; group < plant.motor_groups.size(); ++group) {
    if (plant.motor_groups[group].staging) stagings.emplace_back(plant, group);
  }
  return stagings;
}

}  // namespace wattloop::twin
