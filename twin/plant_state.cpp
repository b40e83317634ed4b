#include "twin/plant_state.hpp"

namespace wattloop::twin {

PlantState initial_state(const Plant& plant) {
  PlantState state;
  state.states.resize(plant.map.state_count);
  for (std::size_t slot = 0; slot < state.states.size(); ++slot) state.states[slot] = plant.layout.typical(slot);
  state.inputs = plant.initial_inputs;
  state.switches = electrical::normal_switch_state(plant.power_tree);
  state.work.asked_gpu_w.resize(plant.hall.gpu_count());
  state.work.asked_node_w.resize(plant.hall.node_count());
  state.work.clock_fraction.assign(plant.hall.gpu_count(), 1.0);
  state.work.is_shut_down.assign(plant.hall.node_count(), 0);
  state.equipment.is_failed.assign(plant.hall.motors.size(), 0);
  state.equipment.is_running.assign(plant.hall.motors.size(), 0);
  state.equipment.is_wanted = state.equipment.is_running;
  return state;
}

}  // namespace wattloop::twin
