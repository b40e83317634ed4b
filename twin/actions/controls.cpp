#include "twin/actions/controls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

bool is_able(const Plant& plant, const PlantState& state, std::size_t m) {
  const MotorPart& motor = plant.hall.motors[m];
  return state.equipment.is_failed[m] == 0 && electrical::is_served(state.switches, motor.load) &&
         state.time_s >= state.equipment.power_back_s[m] + motor.restart_delay_s;
}

/// Marks the motors of `group` that shall run: able ones, those that run keep their turn, as many as are on duty.
void choose_motors(const Plant& plant, std::size_t group, PlantState& state) {
  EquipmentState& equipment = state.equipment;
  const std::vector<std::size_t>& motors = plant.hall.motor_groups[group].motors;
  std::size_t chosen = 0;
  for (const std::size_t motor : motors) equipment.is_wanted[motor] = 0;
  for (const bool must_be_running : {true, false}) {
    for (const std::size_t motor : motors) {
      const bool has_turn = !must_be_running || equipment.is_running[motor] != 0;
      if (chosen == equipment.duty[group] || !is_able(plant, state, motor) || !has_turn) continue;
      if (equipment.is_wanted[motor] != 0) continue;
      equipment.is_wanted[motor] = 1;
      ++chosen;
    }
  }
}

/// Gives one motor its command; true if that changed.
bool order_motor(const Plant& plant, std::size_t m, double speed_fraction, PlantState& state) {
  EquipmentState& equipment = state.equipment;
  equipment.is_running[m] = equipment.is_wanted[m];
  const double wanted = equipment.is_wanted[m] != 0 ? speed_fraction : 0.0;
  return std::exchange(state.inputs[plant.hall.motors[m].command_input], wanted) != wanted;
}

/// Heat that a chiller takes from the chilled water, from the flow through it.
double chiller_heat_w(const Plant& plant, const ChillerPart& chiller, const Evaluation& evaluation,
                      const PlantState& state) {
  const auto temperature_k = [&](std::size_t node) { return state.states[plant.nodes[node].temperature_signal]; };
  return evaluation.signals[plant.map.flow(chiller.chilled_flow)] * plant.hall.water_specific_heat_j_per_kg_k *
         (temperature_k(plant.hall.chilled_water.return_node) - temperature_k(chiller.evaporator_node));
}

/// Refrigerant temperatures apart from each other, from the waters that leave.
double lift_k(const Plant& plant, const ChillerPart& chiller, const physics::ChillerParams& machine,
              const PlantState& state) {
  const auto temperature_k = [&](std::size_t node) { return state.states[plant.nodes[node].temperature_signal]; };
  return temperature_k(chiller.condenser_node) + machine.condenser_pinch_k -
         (temperature_k(chiller.evaporator_node) - machine.evaporator_pinch_k);
}

}  // namespace

bool waits_any_motor(const Plant& plant, const PlantState& state) {
  for (std::size_t m = 0; m < plant.hall.motors.size(); ++m) {
    const double back_s = state.equipment.power_back_s[m] + plant.hall.motors[m].restart_delay_s;
    if (state.equipment.is_failed[m] == 0 && state.time_s < back_s) return true;
  }
  return false;
}

bool stage_motors(const Plant& plant, PlantState& state, std::vector<EventRecord>* events) {
  bool changed = false;
  for (std::size_t g = 0; g < plant.hall.motor_groups.size(); ++g) {
    const MotorGroup& group = plant.hall.motor_groups[g];
    choose_motors(plant, g, state);
    const double speed_fraction = group.speed_input == no_part ? 1.0 : state.inputs[group.speed_input];
    for (const std::size_t m : group.motors) {
      const bool is_wanted = state.equipment.is_wanted[m] != 0;
      if (is_wanted != (state.equipment.is_running[m] != 0)) {
        state.equipment.group_changed_s[g] = state.time_s;
        if (events != nullptr) {
          events->push_back(
              {state.time_s, is_wanted ? "start" : "stop", plant.hall.motors[m].name, "staging of " + group.name});
        }
      }
      changed = order_motor(plant, m, speed_fraction, state) || changed;
    }
  }
  return changed;
}

ChillerStaging::Running ChillerStaging::running(const Evaluation& evaluation, const PlantState& state) const {
  Running sum;
  for (const ChillerPart& chiller : plant_.hall.chillers) {
    if (is_able(plant_, state, chiller.motor)) ++sum.able;
    if (state.equipment.is_running[chiller.motor] == 0) continue;
    ++sum.count;
    sum.heat_w += chiller_heat_w(plant_, chiller, evaluation, state);
    sum.rated_w = chiller.rated_heat_w;
  }
  return sum;
}

int ChillerStaging::change(const Evaluation& evaluation, const PlantState& state) const {
  if (state.time_s < state.equipment.group_changed_s[group_] + spec_.stage_interval_s) return 0;
  const Running now = running(evaluation, state);
  if (now.count == 0 || now.count != state.equipment.duty[group_])
    return 0;  // failed or dead ones: the rest has no say
  const auto count = static_cast<double>(now.count);
  if (now.heat_w > spec_.stage_up_fraction * count * now.rated_w && now.able > now.count) return 1;
  return now.count > 1 && now.heat_w < spec_.stage_down_fraction * (count - 1.0) * now.rated_w ? -1 : 0;
}

const ChillerPart* ChillerStaging::small_lift(const Evaluation& evaluation, const PlantState& state) const {
  if (state.equipment.is_small_lift_told) return nullptr;
  for (const ChillerPart& chiller : plant_.hall.chillers) {
    const bool is_loaded = state.equipment.is_running[chiller.motor] != 0 && state.states[chiller.loading_state] > 0.9;
    if (!is_loaded || lift_k(plant_, chiller, spec_.chiller, state) >= spec_.chiller.minimum_lift_k) continue;
    const double colder_k = state.states[plant_.nodes[chiller.evaporator_node].temperature_signal] -
                            state.states[plant_.nodes[plant_.hall.facility.supply_node].temperature_signal];
    const double rate_w_per_k =
        evaluation.signals[plant_.map.flow(chiller.condenser_flow)] * plant_.hall.water_specific_heat_j_per_kg_k;
    const double by_itself_w = physics::migration_heat_w(spec_.chiller, 1.0, colder_k, rate_w_per_k);
    if (chiller_heat_w(plant_, chiller, evaluation, state) > by_itself_w) return &chiller;
  }
  return nullptr;
}

void ChillerStaging::act(const Evaluation& evaluation, PlantState& state, std::vector<EventRecord>& events) const {
  if (const ChillerPart* chiller = small_lift(evaluation, state)) {
    events.push_back({state.time_s, "out_of_range", chiller->name,
                      fmt::format("a lift of {:.1f} K is less than its smallest, {:.1f} K: it draws the power of that",
                                  lift_k(plant_, *chiller, spec_.chiller, state), spec_.chiller.minimum_lift_k)});
    state.equipment.is_small_lift_told = true;
  }
  const int by = change(evaluation, state);
  if (by == 0) return;
  const Running now = running(evaluation, state);
  std::size_t& duty = state.equipment.duty[group_];
  duty = by > 0 ? duty + 1 : duty - 1;
  events.push_back({state.time_s, "stage", plant_.hall.motor_groups[group_].name,
                    fmt::format("{} on duty: {} carry {:.0f} % of their rating", duty, now.count,
                                100.0 * now.heat_w / (static_cast<double>(now.count) * now.rated_w))});
}

bool ChillerStaging::drop_idle(const Evaluation& evaluation, PlantState& state) const {
  std::size_t& duty = state.equipment.duty[group_];
  const Running now = running(evaluation, state);
  const double needed = std::ceil(now.heat_w / (spec_.stage_up_fraction * std::max(now.rated_w, 1.0)));
  const auto wanted = static_cast<std::size_t>(std::max(needed, 1.0));
  if (now.count == 0 || wanted >= duty) return false;
  duty = wanted;
  return true;
}

std::optional<ChillerStaging> make_chiller_staging(const Plant& plant, const ChillersSpec& spec) {
  const std::vector<MotorGroup>& groups = plant.hall.motor_groups;
  const auto group =
      std::find_if(groups.begin(), groups.end(), [](const MotorGroup& g) { return g.name == "chillers"; });
  if (group == groups.end() || plant.hall.chillers.empty()) return std::nullopt;
  return ChillerStaging(plant, spec, static_cast<std::size_t>(group - groups.begin()));
}

}  // namespace wattloop::twin
