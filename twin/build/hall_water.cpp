// The water systems of the hall: facility water between CDUs, condensers and towers; chilled water between chillers, rear
// doors and air handlers. Where a scenario has no towers or no chillers that water comes from outside, at a held
// temperature.
//
//   supply header -> users -> return header -> towers or chillers -> supply header,   and a bypass between the headers
//
// Users have pumps of their own system, towers and chillers theirs; the bypass takes the difference, either way.

#include <algorithm>

#include <fmt/format.h>

#include "physics/chiller_machine.hpp"
#include "physics/fan_control.hpp"
#include "physics/system_pump.hpp"
#include "physics/tower_cell.hpp"
#include "twin/plant/plant_draft.hpp"

namespace wattloop::twin {

namespace {

/// Time in which the pump of a chiller fills one side of it: an engineering estimate.
constexpr double chiller_side_s = 10.0;

void declare_headers(PlantDraft& draft, WaterPart& water, double volume_m3, double supply_k) {
  const double half_j_per_k = 0.5 * water_heat_capacity_j_per_k(volume_m3);
  water.supply_node = draft.declare_node(water.name + ".supply", half_j_per_k, supply_k);
  water.return_node = draft.declare_node(water.name + ".return", half_j_per_k, supply_k);
  water.load_flow = draft.declare_flow();
  water.source_flow = draft.declare_flow();
  water.bypass_flow = draft.declare_flow();
}

void declare_pumps(PlantDraft& draft, WaterPart& water, const WaterPumpsSpec& spec, LoadUse use) {
  MotorGroup group{.name = water.name + ".pumps", .motors = {}, .duty = static_cast<std::size_t>(spec.duty)};
  for (int p = 0; p < spec.count; ++p) {
    group.motors.push_back(draft.declare_motor(fmt::format("{}.pump_{}", water.name, static_cast<char>('a' + p)), use,
                                               {"speed", "1", 0.0, 1e-4}));
  }
  water.pumps = group.motors;
  water.duty = group.duty;
  draft.plant.hall.motor_groups.push_back(std::move(group));
}

void declare_towers(PlantDraft& draft) {
  HallParts& hall = draft.plant.hall;
  const TowersSpec& spec = draft.scenario.cooling.facility.towers;
  const double supply_k = draft.scenario.cooling.facility.supply_k;
  auto typical = typical_state<physics::FanControl>();
  typical.sensor_k = supply_k;
  hall.first_tower_control_state = draft.declare_states<physics::FanControl>("towers", typical);
  MotorGroup group{.name = "towers", .motors = {}, .duty = static_cast<std::size_t>(spec.count)};
  for (int t = 0; t < spec.count; ++t) {
    TowerPart tower;
    tower.name = fmt::format("tower_{}", t + 1);
    tower.rated_heat_w = spec.tower.rated_heat_w;
    tower.motor = draft.declare_motor(tower.name, LoadUse::tower,
                                      state_info<physics::TowerCell>(&physics::TowerCell::State::pump_fraction));
    hall.motors[tower.motor].restart_delay_s = spec.restart_delay_s;
    tower.fan_state =
        draft.declare_state(tower.name, state_info<physics::TowerCell>(&physics::TowerCell::State::fan_fraction));
    tower.basin_node =
        draft.declare_node(tower.name + ".basin", water_heat_capacity_j_per_k(spec.tower.basin_volume_m3), supply_k);
    tower.flow = draft.declare_flow();
    group.motors.push_back(tower.motor);
    hall.towers.push_back(std::move(tower));
  }
  hall.motor_groups.push_back(std::move(group));
  hall.dry_bulb_input = draft.declare_input("weather.dry_bulb", supply_k);
  hall.wet_bulb_input = draft.declare_input("weather.wet_bulb", supply_k);
  hall.outside_humidity_input = draft.declare_input("weather.humidity_ratio", 0.0);
  hall.outside_pressure_input = draft.declare_input("weather.pressure", 101325.0);
  hall.sky_meter = draft.declare_meter("sky.heat");
  draft.plant.meters.boundaries.push_back(hall.sky_meter);
  hall.water_meter = draft.declare_meter("towers.make_up_water", "kg");
}

void declare_facility(PlantDraft& draft) {
  HallParts& hall = draft.plant.hall;
  WaterPart& water = hall.facility;
  const FacilitySpec& spec = draft.scenario.cooling.facility;
  water.name = "facility";
  water.set_point_input =
      draft.declare_setting<physics::TowerCell>(water.name, &physics::TowerCell::Now::set_point_k, spec.supply_k);
  if (!spec.towers.is_given) {
    water.supply_node = water.return_node = draft.declare_boundary("facility", water.set_point_input);
    return;
  }
  declare_headers(draft, water, spec.volume_m3, spec.supply_k);
  declare_pumps(draft, water, spec.pumps, LoadUse::facility_pump);
  declare_towers(draft);
}

void declare_chillers(PlantDraft& draft) {
  using Machine = physics::ChillerMachine;
  HallParts& hall = draft.plant.hall;
  const ChillersSpec& spec = draft.scenario.cooling.chilled_water.chillers;
  const double chilled_k = draft.scenario.cooling.doors.supply_k;
  const double condenser_k = draft.scenario.cooling.facility.supply_k;
  const auto side_j_per_k = [](const physics::WaterPumpParams& pump) {
    return water_heat_capacity_j_per_k(chiller_side_s * pump.rated_flow_kg_per_s / physics::pumped_water_kg_per_m3);
  };
  MotorGroup group{.name = "chillers", .motors = {}, .duty = static_cast<std::size_t>(spec.count)};
  for (int c = 0; c < spec.count; ++c) {
    ChillerPart chiller;
    chiller.name = fmt::format("chiller_{}", c + 1);
    chiller.rated_heat_w = spec.chiller.rated_heat_w;
    chiller.motor =
        draft.declare_motor(chiller.name, LoadUse::chiller, state_info<Machine>(&Machine::State::pump_fraction));
    hall.motors[chiller.motor].restart_delay_s = spec.restart_delay_s;
    chiller.loading_state = draft.declare_state(chiller.name, state_info<Machine>(&Machine::State::loading_fraction));
    chiller.evaporator_node =
        draft.declare_node(chiller.name + ".evaporator", side_j_per_k(spec.chilled_pump), chilled_k);
    chiller.condenser_node =
        draft.declare_node(chiller.name + ".condenser", side_j_per_k(spec.condenser_pump), condenser_k);
    chiller.chilled_flow = draft.declare_flow();
    chiller.condenser_flow = draft.declare_flow();
    group.motors.push_back(chiller.motor);
    hall.chillers.push_back(std::move(chiller));
  }
  hall.motor_groups.push_back(std::move(group));
}

void declare_chilled_water(PlantDraft& draft) {
  HallParts& hall = draft.plant.hall;
  WaterPart& water = hall.chilled_water;
  const CoolingSpec& cooling = draft.scenario.cooling;
  water.set_point_input = draft.declare_setting<physics::ChillerMachine>(
      "rear_doors", &physics::ChillerMachine::Now::set_point_k, cooling.doors.supply_k);
  hall.door_flow_input =
      draft.declare_setting("rear_doors", "flow", "kg/s", cooling.doors.door.water_design_flow_kg_per_s);
  hall.door_flow = draft.declare_flow();
  if (!cooling.chilled_water.is_given) {
    water.name = "rear_doors";
    water.supply_node = water.return_node = draft.declare_boundary("rear_doors", water.set_point_input);
    return;
  }
  water.name = "chilled_water";
  declare_headers(draft, water, cooling.chilled_water.volume_m3, cooling.doors.supply_k);
  declare_pumps(draft, water, cooling.chilled_water.pumps, LoadUse::chilled_water_pump);
  declare_chillers(draft);
}

std::vector<std::size_t> speed_states(const HallParts& hall, const std::vector<std::size_t>& motors) {
  std::vector<std::size_t> states;
  for (const std::size_t motor : motors) states.push_back(hall.motors[motor].speed_state);
  return states;
}

void wire_pumps(PlantDraft& draft, const WaterPart& water, const physics::WaterPumpParams& pump) {
  const Plant& plant = draft.plant;
  for (const std::size_t m : water.pumps) {
    const MotorPart& motor = plant.hall.motors[m];
    const auto speed = numbered<physics::SystemPump::State>(motor.speed_state);
    draft.add<physics::SystemPump>(
        motor.name, {pump, static_cast<double>(water.duty)},
        {.state = speed, .motor = draft.order_of(motor), .system = {as_number(plant.map.flow(water.load_flow))}},
        {.rate = speed,
         .motor = draft.power_of(motor),
         .system = draft.heat_into(water.supply_node),
         .surroundings = {as_number(plant.meters.outdoors)}});
  }
}

/// Bypass between the headers: what the source gives less what all users take.
void wire_bypass(PlantDraft& draft, const WaterPart& water, const std::vector<std::size_t>& other_users) {
  const Plant& plant = draft.plant;
  SumFlow bypass{{{plant.map.flow(water.source_flow), 1.0}, {plant.map.flow(water.load_flow), -1.0}},
                 plant.map.flow(water.bypass_flow)};
  for (const std::size_t flow : other_users) bypass.terms.emplace_back(plant.map.flow(flow), -1.0);
  draft.flows.sums.push_back(std::move(bypass));
  draft.link(water.name + ".bypass", water.supply_node, water.return_node, plant.map.flow(water.bypass_flow),
             plant.hall.water_specific_heat_j_per_kg_k);
}

void wire_tower(PlantDraft& draft, const TowerPart& tower) {
  const Plant& plant = draft.plant;
  const HallParts& hall = plant.hall;
  const TowersSpec& spec = draft.scenario.cooling.facility.towers;
  const physics::PiSettings fan{spec.fan_gain_per_k, spec.fan_integral_time_s};
  const MotorPart& motor = hall.motors[tower.motor];
  const std::size_t flow = plant.map.flow(tower.flow);
  const double water = hall.water_specific_heat_j_per_kg_k;
  draft.flows.driven.push_back(
      {.design_kg_per_s = spec.pump.rated_flow_kg_per_s, .speed_states = {motor.speed_state}, .flow_signal = flow});
  draft.link(tower.name + ".return", hall.facility.return_node, tower.basin_node, flow, water);
  draft.link(tower.name + ".supply", tower.basin_node, hall.facility.supply_node, flow, water);
  const auto control = numbered<physics::FanControl::State>(hall.first_tower_control_state);
  const physics::TowerCell::State state{.pump_fraction = as_number(motor.speed_state),
                                        .fan_fraction = as_number(tower.fan_state)};
  draft.add<physics::TowerCell>(
      tower.name, {spec.tower, spec.pump, fan, spec.fan_lag_s},
      {.water = draft.inlet_from<PortMedium::liquid>(hall.facility.return_node, flow, water),
       .outside = {.dry_bulb_k = as_number(plant.map.input(hall.dry_bulb_input)),
                   .wet_bulb_k = as_number(plant.map.input(hall.wet_bulb_input)),
                   .humidity_ratio = as_number(plant.map.input(hall.outside_humidity_input)),
                   .pressure_pa = as_number(plant.map.input(hall.outside_pressure_input))},
       .state = state,
       .motor = draft.order_of(motor),
       .sensor_k = control.sensor_k,
       .integral_fraction = control.integral_fraction,
       .set_point_k = as_number(plant.map.input(hall.facility.set_point_input))},
      {.rate = state,
       .motor = draft.power_of(motor),
       .water = draft.heat_into(tower.basin_node),
       .outside = {.heat_w = as_number(hall.sky_meter), .water_kg_per_s = as_number(hall.water_meter)}},
      {.leaving_k = as_number(draft.temperature(tower.basin_node))});
}

void wire_facility(PlantDraft& draft) {
  const Plant& plant = draft.plant;
  const HallParts& hall = plant.hall;
  const TowersSpec& spec = draft.scenario.cooling.facility.towers;
  if (!spec.is_given) return;
  SumFlow load{{}, plant.map.flow(hall.facility.load_flow)}, source{{}, plant.map.flow(hall.facility.source_flow)};
  for (const CduPart& cdu : hall.cdus) load.terms.emplace_back(plant.map.flow(cdu.facility_flow), 1.0);
  for (const TowerPart& tower : hall.towers) source.terms.emplace_back(plant.map.flow(tower.flow), 1.0);
  draft.flows.sums.push_back(std::move(load));
  draft.flows.sums.push_back(std::move(source));
  std::vector<std::size_t> condensers;
  for (const ChillerPart& chiller : hall.chillers) condensers.push_back(chiller.condenser_flow);
  wire_bypass(draft, hall.facility, condensers);
  wire_pumps(draft, hall.facility, draft.scenario.cooling.facility.pumps.pump);
  for (const TowerPart& tower : hall.towers) wire_tower(draft, tower);
  const auto control = numbered<physics::FanControl::State>(hall.first_tower_control_state);
  draft.add<physics::FanControl>({{spec.fan_gain_per_k, spec.fan_integral_time_s}, spec.sensor_lag_s},
                                 {.measured_k = as_number(draft.temperature(hall.facility.supply_node)),
                                  .set_point_k = as_number(plant.map.input(hall.facility.set_point_input)),
                                  .state = control},
                                 {.rate = control});
}

void wire_chiller(PlantDraft& draft, const ChillerPart& chiller) {
  const Plant& plant = draft.plant;
  const HallParts& hall = plant.hall;
  const ChillersSpec& spec = draft.scenario.cooling.chilled_water.chillers;
  const MotorPart& motor = hall.motors[chiller.motor];
  const std::size_t chilled = plant.map.flow(chiller.chilled_flow);
  const std::size_t condenser = plant.map.flow(chiller.condenser_flow);
  const double water = hall.water_specific_heat_j_per_kg_k;
  draft.flows.driven.push_back({.design_kg_per_s = spec.chilled_pump.rated_flow_kg_per_s,
                                .speed_states = {motor.speed_state},
                                .flow_signal = chilled});
  draft.flows.driven.push_back({.design_kg_per_s = spec.condenser_pump.rated_flow_kg_per_s,
                                .speed_states = {motor.speed_state},
                                .flow_signal = condenser});
  draft.link(chiller.name + ".chilled_return", hall.chilled_water.return_node, chiller.evaporator_node, chilled, water);
  draft.link(chiller.name + ".chilled_supply", chiller.evaporator_node, hall.chilled_water.supply_node, chilled, water);
  draft.link(chiller.name + ".condenser_supply", hall.facility.supply_node, chiller.condenser_node, condenser, water);
  draft.link(chiller.name + ".condenser_return", chiller.condenser_node, hall.facility.return_node, condenser, water);
  const physics::ChillerMachine::State state{.loading_fraction = as_number(chiller.loading_state),
                                             .pump_fraction = as_number(motor.speed_state)};
  draft.add<physics::ChillerMachine>(
      chiller.name, {spec.chiller, spec.chilled_pump, spec.condenser_pump, spec.loading_lag_s},
      {.chilled = draft.inlet_from<PortMedium::liquid>(hall.chilled_water.return_node, chilled, water),
       .condenser = draft.inlet_from<PortMedium::liquid>(hall.facility.supply_node, condenser, water),
       .set_point_k = as_number(plant.map.input(hall.chilled_water.set_point_input)),
       .state = state,
       .motor = draft.order_of(motor)},
      {.rate = state,
       .motor = draft.power_of(motor),
       .chilled = draft.heat_into(chiller.evaporator_node),
       .condenser = draft.heat_into(chiller.condenser_node),
       .surroundings = {as_number(plant.meters.outdoors)}},
      {.chilled_leaving_k = as_number(draft.temperature(chiller.evaporator_node)),
       .condenser_leaving_k = as_number(draft.temperature(chiller.condenser_node))});
}

void wire_chilled_water(PlantDraft& draft) {
  const Plant& plant = draft.plant;
  const HallParts& hall = plant.hall;
  const WaterPart& water = hall.chilled_water;
  const std::vector<std::size_t> speeds = speed_states(hall, water.pumps);
  const auto duty = static_cast<double>(std::max<std::size_t>(water.duty, 1));
  draft.flows.driven.push_back({.design_signal = plant.map.input(hall.door_flow_input),
                                .speed_states = speeds,
                                .duty = duty,
                                .flow_signal = plant.map.flow(hall.door_flow)});
  for (const CrahPart& crah : hall.crahs) {
    const CrahsSpec& spec = crah.room == 0 ? draft.scenario.cooling.crahs : draft.scenario.power.rooms.crahs;
    draft.flows.driven.push_back({.design_kg_per_s = spec.crah.water_design_flow_kg_per_s,
                                  .speed_states = speeds,
                                  .duty = duty,
                                  .flow_signal = plant.map.flow(crah.water_flow)});
  }
  if (water.load_flow == no_part) return;
  const auto doors = static_cast<double>(hall.racks.size() + hall.network_racks.size());
  SumFlow load{{{plant.map.flow(hall.door_flow), doors}}, plant.map.flow(water.load_flow)};
  SumFlow source{{}, plant.map.flow(water.source_flow)};
  for (const CrahPart& crah : hall.crahs) load.terms.emplace_back(plant.map.flow(crah.water_flow), 1.0);
  for (const ChillerPart& chiller : hall.chillers) source.terms.emplace_back(plant.map.flow(chiller.chilled_flow), 1.0);
  draft.flows.sums.push_back(std::move(load));
  draft.flows.sums.push_back(std::move(source));
  wire_bypass(draft, water, {});
  wire_pumps(draft, water, draft.scenario.cooling.chilled_water.pumps.pump);
  for (const ChillerPart& chiller : hall.chillers) wire_chiller(draft, chiller);
}

}  // namespace

void declare_water(PlantDraft& draft) {
  declare_facility(draft);
  declare_chilled_water(draft);
}

void wire_water(PlantDraft& draft) {
  wire_facility(draft);
  wire_chilled_water(draft);
}

}  // namespace wattloop::twin
