// Pumps of the chilled water and its chillers, whose condensers hang on the facility water.

#include <fmt/format.h>

#include "physics/water/chiller_machine.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/scenario/checks/coil_water.hpp"
#include "twin/scenario/checks/section_parts.hpp"

namespace wattloop::twin {

namespace {

using physics::ChillerMachine;

/// Time in which the pump of a chiller fills one side of it: an engineering estimate.
constexpr double chiller_side_s = 10.0;

/// One side of a chiller, with the flow of its pump.
Passage add_side(Diagram& diagram, const std::string& name, const FluidSystem& system,
                 const physics::WaterPumpParams& pump, MotorId motor, JunctionId from, JunctionId to,
                 double typical_k) {
  const double volume_m3 = chiller_side_s * pump.rated_flow_kg_per_s / physics::pumped_water_kg_per_m3;
  const JunctionId inside = diagram.declare_junction(name, volume_m3 * system.heat_capacity_j_per_m3_k, typical_k);
  const FlowId flow = diagram.declare_flow();
  diagram.drive(
      flow,
      {.design_kg_per_s = pump.rated_flow_kg_per_s, .design_input = declare_passage(diagram, name), .motor = motor});
  return {from, inside, to, code_of(flow), system.specific_heat_j_per_kg_k};
}

MotorId add_chiller(Diagram& diagram, const std::string& name, const CoolingSpec& cooling,
                    const ChilledWaterSpec& water) {
  const ChillersSpec& spec = water.chillers;
  const FluidSystem& chilled_water = diagram.system(water.name);
  const FluidSystem& facility = water_named(diagram, cooling, water.condenser);
  using State = ChillerMachine::State;
  const MotorId motor = diagram.declare_motor(
      name, {.use = diagram.use_number(ChillerMachine::use), .restart_delay_s = spec.restart_delay_s},
      state_info<ChillerMachine>(&State::pump_fraction));
  const std::size_t loading = diagram.declare_state(name, state_info<ChillerMachine>(&State::loading_fraction));
  const Passage chilled =
      add_side(diagram, name + ".evaporator", chilled_water, spec.chilled_pump, motor, chilled_water.back,
               chilled_water.supply, diagram.inputs[chilled_water.set_point.number].second);
  const Passage condenser = add_side(diagram, name + ".condenser", facility, spec.condenser_pump, motor,
                                     facility.supply, facility.back, find_water(cooling, water.condenser)->supply_k);
  diagram.pass(chilled, name + ".chilled_return", name + ".chilled_supply");
  diagram.pass(condenser, name + ".condenser_supply", name + ".condenser_return");
  const State state{.loading_fraction = as_number(loading), .pump_fraction = diagram.speed_number(motor)};
  diagram.add<ChillerMachine>(name, {spec.chiller, spec.chilled_pump, spec.condenser_pump, spec.loading_lag_s},
                              {.chilled = chilled.inlet<PortMedium::liquid>(),
                               .condenser = condenser.inlet<PortMedium::liquid>(),
                               .set_point_k = number_of(chilled_water.set_point),
                               .state = state,
                               .motor = diagram.order_of(motor)},
                              {.rate = state,
                               .motor = diagram.power_of(motor),
                               .chilled = chilled.heat(),
                               .condenser = condenser.heat(),
                               .surroundings = {as_number(diagram.meters.outdoors)}},
                              {.chilled_leaving_k = temperature_number(chilled.inside),
                               .condenser_leaving_k = temperature_number(condenser.inside)});
  diagram.add_named_motor(motor, "chiller", {chilled_water.name, facility.name});
  return motor;
}

/// The chillers of one water are a group of motors; they are counted through the hall.
void add_chillers_of(Diagram& diagram, const Scenario& scenario, const ChilledWaterSpec& water, int& count) {
  add_system_pumps(diagram, diagram.system(water.name), water.pumps, chilled_water_pumps_use);
  if (!water.chillers.is_given) return;  // a part makes the water
  MotorGroup group{.name = chillers_of(water.name), .motors = {}, .duty = 0};
  for (int c = 0; c < water.chillers.count; ++c) {
    const std::string name = fmt::format("chiller_{}", ++count);
    if (is_replaced(scenario, name)) continue;
    group.motors.push_back(add_chiller(diagram, name, scenario.cooling, water).number);
  }
  group.duty = group.motors.size();
  group.start_interval_s = water.chillers.start_interval_s;
  const ChillersSpec& spec = water.chillers;
  if (group.duty > 0)
    group.staging = LoadStaging{water.name, spec.stage_up_fraction, spec.stage_down_fraction, spec.stage_interval_s,
                                spec.warm_supply_k};
  diagram.motor_groups.push_back(std::move(group));
}

}  // namespace

void add_chillers(Diagram& diagram, const Scenario& scenario) {
  int count = 0;
  for (const ChilledWaterSpec& water : scenario.cooling.chilled_water) add_chillers_of(diagram, scenario, water, count);
}

}  // namespace wattloop::twin
