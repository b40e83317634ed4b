// Pumps of the facility water and the cells of its cooling towers, whose fans follow its supply temperature.

#include <fmt/format.h>

#include "physics/water/fan_control.hpp"
#include "physics/water/tower_cell.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/scenario/checks/section_parts.hpp"

namespace wattloop::twin {

namespace {

using physics::FanControl;
using physics::TowerCell;

FanControl::State add_fan_control(Diagram& diagram, const std::string& name, const TowersSpec& spec,
                                  const FluidSystem& water, double supply_k) {
  auto typical = typical_state<FanControl>();
  typical.sensor_k = supply_k;
  const auto control = diagram.declare_states<FanControl>(name, typical);
  diagram.add<FanControl>(
      {{spec.fan_gain_per_k, spec.fan_integral_time_s}, spec.sensor_lag_s},
      {.measured_k = temperature_number(water.supply), .set_point_k = number_of(water.set_point), .state = control},
      {.rate = control});
  return control;
}

/// A cell; its motor stands for its pump and its fan.
MotorId add_cell(Diagram& diagram, const std::string& name, const TowersSpec& spec, const FluidSystem& water,
                 double supply_k, const FanControl::State& control) {
  const MotorId motor =
      diagram.declare_motor(name, {.use = diagram.use_number(TowerCell::use), .restart_delay_s = spec.restart_delay_s},
                            state_info<TowerCell>(&TowerCell::State::pump_fraction));
  const std::size_t fan_state = diagram.declare_state(name, state_info<TowerCell>(&TowerCell::State::fan_fraction));
  const JunctionId basin =
      diagram.declare_junction(name + ".basin", water_heat_capacity_j_per_k(spec.tower.basin_volume_m3), supply_k);
  const FlowId flow = diagram.declare_flow();
  diagram.drive(flow, {.design_kg_per_s = spec.pump.rated_flow_kg_per_s,
                       .design_input = declare_passage(diagram, name + ".water"),
                       .motor = motor});
  const Passage way{water.back, basin, water.supply, code_of(flow), water.specific_heat_j_per_kg_k};
  diagram.pass(way, name + ".return", name + ".supply");
  const TowerCell::State state{.pump_fraction = diagram.speed_number(motor), .fan_fraction = as_number(fan_state)};
  diagram.add<TowerCell>(
      name, {spec.tower, spec.pump, {spec.fan_gain_per_k, spec.fan_integral_time_s}, spec.fan_lag_s},
      {.water = way.inlet<PortMedium::liquid>(),
       .outside = outside_air(diagram),
       .state = state,
       .motor = diagram.order_of(motor),
       .sensor_k = control.sensor_k,
       .integral_fraction = control.integral_fraction,
       .leaving_k = temperature_number(basin),
       .set_point_k = number_of(water.set_point),
       .fan_failed = number_of(diagram.declare_setting<TowerCell>(name, &TowerCell::Now::fan_failed, 0.0))},
      {.rate = state,
       .motor = diagram.power_of(motor),
       .water = way.heat(),
       .outside = {.heat_w = as_number(diagram.meters.sky), .water_kg_per_s = as_number(make_up_meter(diagram))}});
  diagram.add_named_motor(motor, "tower cell", {water.name, "weather"});
  return motor;
}

/// The cells of one water system are a group of motors; they are counted through the hall.
void add_towers_of(Diagram& diagram, const Scenario& scenario, const FacilitySpec& spec, int& count) {
  if (!spec.pumps.is_given) return;
  const TowersSpec& towers = spec.towers;
  const FluidSystem& water = diagram.system(spec.name);
  add_system_pumps(diagram, water, spec.pumps, facility_pumps_use);
  if (!towers.is_given) return;
  const std::string group_name = spec.name == "facility" ? "towers" : spec.name + ".towers";
  declare_weather(diagram, spec.supply_k);
  const FanControl::State control = add_fan_control(diagram, group_name, towers, water, spec.supply_k);
  MotorGroup group{.name = group_name, .motors = {}, .duty = 0};
  for (int t = 0; t < towers.count; ++t) {
    const std::string name = fmt::format("tower_{}", ++count);
    if (is_replaced(scenario, name)) continue;
    group.motors.push_back(add_cell(diagram, name, towers, water, spec.supply_k, control).number);
  }
  group.duty = group.motors.size();
  diagram.motor_groups.push_back(std::move(group));
}

}  // namespace

void add_towers(Diagram& diagram, const Scenario& scenario) {
  int count = 0;
  for (const FacilitySpec& water : scenario.cooling.water) add_towers_of(diagram, scenario, water, count);
}

}  // namespace wattloop::twin
