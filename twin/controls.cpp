#include "twin/controls.hpp"

namespace wattloop::twin {

namespace {

/// Marks the pumps of `cdu` that shall run: able ones, those that run keep their turn, as many as are on duty.
void choose_pumps(const Plant& plant, const CduPart& cdu, PlantState& state) {
  EquipmentState& equipment = state.equipment;
  const std::size_t duty = cdu.pumps.size() > 1 ? cdu.pumps.size() - 1 : cdu.pumps.size();
  std::size_t chosen = 0;
  for (const std::size_t pump : cdu.pumps) equipment.is_pump_wanted[pump] = 0;
  for (const bool must_be_running : {true, false}) {
    for (const std::size_t pump : cdu.pumps) {
      const bool is_able = equipment.is_pump_failed[pump] == 0 &&
                           electrical::is_served(state.switches, plant.hall.pumps[pump].load);
      const bool has_turn = !must_be_running || equipment.is_pump_running[pump] != 0;
      if (chosen == duty || !is_able || !has_turn || equipment.is_pump_wanted[pump] != 0) continue;
      equipment.is_pump_wanted[pump] = 1;
      ++chosen;
    }
  }
}

}  // namespace

bool stage_pumps(const Plant& plant, PlantState& state, std::vector<EventRecord>* events) {
  bool changed = false;
  for (const CduPart& cdu : plant.hall.cdus) {
    choose_pumps(plant, cdu, state);
    const double speed_fraction = state.inputs[plant.hall.loops[cdu.loop].pump_speed_input];
    for (const std::size_t p : cdu.pumps) {
      const PumpPart& pump = plant.hall.pumps[p];
      const bool is_wanted = state.equipment.is_pump_wanted[p] != 0;
      if (events != nullptr && is_wanted != (state.equipment.is_pump_running[p] != 0)) {
        events->push_back({state.time_s, is_wanted ? "start" : "stop", pump.name, "pump staging"});
      }
      state.equipment.is_pump_running[p] = state.equipment.is_pump_wanted[p];
      double& command = state.inputs[pump.command_input];
      const double wanted_command = is_wanted ? speed_fraction : 0.0;
      changed = changed || command != wanted_command;
      command = wanted_command;
    }
  }
  return changed;
}

}  // namespace wattloop::twin
