#include "twin/controls.hpp"

namespace wattloop::twin {

namespace {

/// Marks the motors of `group` that shall run: able ones, those that run keep their turn, as many as are on duty.
void choose_motors(const Plant& plant, const MotorGroup& group, PlantState& state) {
  EquipmentState& equipment = state.equipment;
  std::size_t chosen = 0;
  for (const std::size_t motor : group.motors) equipment.is_wanted[motor] = 0;
  for (const bool must_be_running : {true, false}) {
    for (const std::size_t motor : group.motors) {
      const bool is_able = equipment.is_failed[motor] == 0 &&
                           electrical::is_served(state.switches, plant.hall.motors[motor].load);
      const bool has_turn = !must_be_running || equipment.is_running[motor] != 0;
      if (chosen == group.duty || !is_able || !has_turn || equipment.is_wanted[motor] != 0) continue;
      equipment.is_wanted[motor] = 1;
      ++chosen;
    }
  }
}

}  // namespace

bool stage_motors(const Plant& plant, PlantState& state, std::vector<EventRecord>* events) {
  bool changed = false;
  for (const MotorGroup& group : plant.hall.motor_groups) {
    choose_motors(plant, group, state);
    const double speed_fraction = group.speed_input == no_part ? 1.0 : state.inputs[group.speed_input];
    for (const std::size_t m : group.motors) {
      const MotorPart& motor = plant.hall.motors[m];
      const bool is_wanted = state.equipment.is_wanted[m] != 0;
      if (events != nullptr && is_wanted != (state.equipment.is_running[m] != 0)) {
        events->push_back({state.time_s, is_wanted ? "start" : "stop", motor.name, "staging of " + group.name});
      }
      state.equipment.is_running[m] = state.equipment.is_wanted[m];
      double& command = state.inputs[motor.command_input];
      const double wanted_command = is_wanted ? speed_fraction : 0.0;
      changed = changed || command != wanted_command;
      command = wanted_command;
    }
  }
  return changed;
}

}  // namespace wattloop::twin
