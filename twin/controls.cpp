#include "twin/controls.hpp"

namespace wattloop::twin {

namespace {

/// Whether pump `p` shall run: it has not failed, has power, and fewer than the duty pumps before it do.
std::vector<std::uint8_t> wanted_pumps(const Plant& plant, const PlantState& state, const CduPart& cdu) {
  const std::size_t duty = cdu.pumps.size() > 1 ? cdu.pumps.size() - 1 : cdu.pumps.size();
  std::vector<std::uint8_t> wanted(cdu.pumps.size(), 0);
  std::size_t running = 0;
  for (const bool keep_running : {true, false}) {  // those that run keep their turn
    for (std::size_t k = 0; k < cdu.pumps.size() && running < duty; ++k) {
      const std::size_t pump = cdu.pumps[k];
      const bool is_able = state.equipment.is_pump_failed[pump] == 0 &&
                           electrical::is_served(state.switches, plant.hall.pumps[pump].load);
      if (!is_able || wanted[k] != 0 || (keep_running && state.equipment.is_pump_running[pump] == 0)) continue;
      wanted[k] = 1;
      ++running;
    }
  }
  return wanted;
}

}  // namespace

bool stage_pumps(const Plant& plant, PlantState& state, std::vector<EventRecord>* events) {
  bool changed = false;
  for (const CduPart& cdu : plant.hall.cdus) {
    const std::vector<std::uint8_t> wanted = wanted_pumps(plant, state, cdu);
    const double speed_fraction = state.inputs[plant.hall.loops[cdu.loop].pump_speed_input];
    for (std::size_t k = 0; k < cdu.pumps.size(); ++k) {
      const PumpPart& pump = plant.hall.pumps[cdu.pumps[k]];
      std::uint8_t& is_running = state.equipment.is_pump_running[cdu.pumps[k]];
      if (events != nullptr && wanted[k] != is_running) {
        events->push_back({state.time_s, wanted[k] != 0 ? "start" : "stop", pump.name, "pump staging"});
      }
      is_running = wanted[k];
      double& command = state.inputs[pump.command_input];
      const double wanted_command = wanted[k] != 0 ? speed_fraction : 0.0;
      changed = changed || command != wanted_command;
      command = wanted_command;
    }
  }
  return changed;
}

}  // namespace wattloop::twin
