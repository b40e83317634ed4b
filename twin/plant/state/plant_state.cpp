#include "twin/plant/state/plant_state.hpp"

#include <limits>

#include "twin/plant/state/limited_quantities.hpp"

namespace wattloop::twin {

namespace {

SwitchingState initial_switching(const Plant& plant) {
  const electrical::PowerTree& tree = plant.power_tree;
  constexpr double never_s = std::numeric_limits<double>::infinity();
  SwitchingState switching;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const bool is_bypass = tree.branch_bypassed[branch] != electrical::no_branch;  // closed by what it carries for
    switching.branch_is_open.push_back(!is_bypass && tree.branch_normally_closed[branch] == 0);
  }
  switching.bypass_return_s.assign(tree.branch_name.size(), never_s);
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    const bool waits = tree.source_is_standby[source] != 0;
    switching.source_is_open.push_back(!waits && tree.source_normally_live[source] == 0);
  }
  switching.branch_is_failed.assign(tree.branch_name.size(), 0);
  switching.source_is_failed.assign(tree.source_name.size(), 0);
  switching.module_is_failed.assign(tree.module_name.size(), 0);
  switching.kept_charge.assign(tree.module_name.size(), SwitchingState::is_at_hand);
  switching.ready_s.assign(tree.source_name.size(), never_s);
  switching.feed_back_s.assign(plant.standby.size(), never_s);
  switching.branch_is_reversed.assign(tree.branch_name.size(), 0);
  switching.automatic.resize(plant.switch_rules.automatic.size());
  return switching;
}

}  // namespace

PlantState initial_state(const Plant& plant) {
  PlantState state;
  state.states.resize(plant.map.state_count);
  for (std::size_t slot = 0; slot < state.states.size(); ++slot) state.states[slot] = plant.layout.typical(slot);
  state.inputs = plant.initial_inputs;
  state.switches = electrical::normal_switch_state(plant.power_tree);
  state.work.clock_fraction.assign(plant.it.gpu_count(), 1.0);
  state.work.capped_clock_fraction.assign(plant.it.gpu_count(), 1.0);
  state.work.capped_load_w.assign(plant.it.gpu_count(), 0.0);
  state.work.capped_gpus.assign(plant.it.racks.size(), 0);
  state.work.node_is.assign(plant.it.node_count(), NodeIs::at_work);
  state.work.node_due_s.assign(plant.it.node_count(), 0.0);
  state.work.is_restrained.assign(plant.it.racks.size(), 0);
  state.work.inlet_stage.assign(plant.it.racks.size(), workload::InletStage::normal);
  state.work.fan_fraction.assign(plant.it.racks.size(), 1.0);
  state.work.requested_fan_fraction = state.work.fan_fraction;
  state.equipment.is_failed.assign(plant.motors.size(), 0);
  state.equipment.is_running.assign(plant.motors.size(), 0);
  state.equipment.is_requested = state.equipment.is_running;
  state.equipment.power_back_s.assign(plant.motors.size(), -std::numeric_limits<double>::infinity());
  for (const MotorGroup& group : plant.motor_groups) state.equipment.duty.push_back(group.duty);
  state.equipment.group_changed_s.assign(plant.motor_groups.size(), 0.0);
  state.equipment.group_started_s.assign(plant.motor_groups.size(), -std::numeric_limits<double>::infinity());
  state.equipment.is_small_lift_reported.assign(plant.motor_groups.size(), 0);
  for (const RoomPart& room : plant.rooms)
    state.equipment.is_dripping.resize(state.equipment.is_dripping.size() + room.coil_nodes.size() + 1);
  state.switching = initial_switching(plant);
  state.overload.branches.resize(plant.power_tree.branch_name.size());
  state.overload.sources.resize(plant.power_tree.source_name.size());
  state.limits.parts.resize(part_count(limited_quantities(plant)));
  state.economisers.resize(plant.economisers.size());
  for (const BatteryPart& battery : plant.batteries) {
    state.switches.battery_ready[battery.branch] = state.states[battery.charge_state] > 0.0;
  }
  return state;
}

}  // namespace wattloop::twin
