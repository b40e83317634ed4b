#include "twin/controls.hpp"

#include <algorithm>
#include <limits>
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

}  // namespace

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
          events->push_back({state.time_s, is_wanted ? "start" : "stop", plant.hall.motors[m].name,
                             "staging of " + group.name});
        }
      }
      changed = order_motor(plant, m, speed_fraction, state) || changed;
    }
  }
  return changed;
}

void ChillerStaging::act(const Evaluation& evaluation, PlantState& state, std::vector<EventRecord>& events) const {
  EquipmentState& equipment = state.equipment;
  if (state.time_s < equipment.group_changed_s[group_] + spec_.stage_interval_s) return;
  double heat_w = 0.0;
  double running_w = 0.0;
  double smallest_w = std::numeric_limits<double>::infinity();
  std::size_t running = 0, able = 0;
  for (const ChillerPart& chiller : plant_.hall.chillers) {
    if (is_able(plant_, state, chiller.motor)) ++able;
    if (equipment.is_running[chiller.motor] == 0) continue;
    ++running;
    heat_w += chiller_heat_w(plant_, chiller, evaluation, state);
    running_w += chiller.rated_heat_w;
    smallest_w = std::min(smallest_w, chiller.rated_heat_w);
  }
  if (running == 0 || running != equipment.duty[group_]) return;
  const bool is_more = heat_w > spec_.stage_up_fraction * running_w && able > running;
  const bool is_less = running > 1 && heat_w < spec_.stage_down_fraction * (running_w - smallest_w);
  if (!is_more && !is_less) return;
  equipment.duty[group_] += is_more ? 1 : -1;
  events.push_back({state.time_s, "stage", plant_.hall.motor_groups[group_].name,
                    fmt::format("{} on duty at {:.0f} % of the rating of {}", equipment.duty[group_],
                                100.0 * heat_w / running_w, running)});
}

std::optional<ChillerStaging> make_chiller_staging(const Plant& plant, const ChillersSpec& spec) {
  const std::vector<MotorGroup>& groups = plant.hall.motor_groups;
  const auto group = std::find_if(groups.begin(), groups.end(), [](const MotorGroup& g) { return g.name == "chillers"; });
  if (group == groups.end() || plant.hall.chillers.empty()) return std::nullopt;
  return ChillerStaging(plant, spec, static_cast<std::size_t>(group - groups.begin()));
}

}  // namespace wattloop::twin
