// Racks of nodes and racks of switches: coolant through the cold plates of nodes, air from the cold aisle through a rear door
// to the hot one.

#include <fmt/format.h>

#include "network/fat_tree.hpp"
#include "network/switch_heat.hpp"
#include "physics/air/rear_door_coil.hpp"
#include "physics/air/rear_door_fans.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/units/node_rack.hpp"
#include "twin/build/layout.hpp"
#include "twin/build/templates.hpp"
#include "twin/scenario/diagram_changes.hpp"

namespace wattloop::twin {

namespace {

using physics::RearDoorCoil;
using physics::RearDoorFans;

/// Air between the nodes of a rack and its door: 0.6 m wide, 2.0 m high, 0.4 m deep.
constexpr double exhaust_volume_m3 = 0.6 * 2.0 * 0.4;

/// A rack of any sort, as air sees it.
struct RackAir {
  std::string name;
  std::size_t row = 0;
  double airflow_kg_per_s = 0.0;
  std::size_t place = 0;  ///< among all racks
};

/// What became of it.
struct JoinedAir {
  JunctionId exhaust, door_water;
  InputId airflow;
};

/// Water through every door.
void add_door_flow(Diagram& diagram, const physics::RearDoorParams& door) {
  const InputId design = diagram.declare_setting("rear_doors", "flow", "kg/s", door.water_design_flow_kg_per_s);
  diagram.door_flow = diagram.declare_flow();
  diagram.drive(*diagram.door_flow, {.design_input = design, .pumps = door_water(diagram).pumps});
}

JoinedAir declare_air(Diagram& diagram, const RackAir& rack, const Scenario& scenario) {
  const physics::RearDoorParams& door = scenario.cooling.doors.door;
  JoinedAir joined;
  joined.exhaust = diagram.declare_junction(rack.name + ".exhaust", air_heat_capacity_j_per_k(exhaust_volume_m3),
                                            scenario.cooling.room.initial_k);
  joined.door_water = diagram.declare_junction(rack.name + ".door", water_heat_capacity_j_per_k(door.water_volume_m3),
                                               scenario.cooling.doors.supply_k);
  joined.airflow = diagram.declare_input(rack.name + ".airflow", rack.airflow_kg_per_s);
  diagram.rows[rack.row].airflows.push_back(joined.airflow);
  return joined;
}

/// The fans of the door hang on the cords of its rack.
DoorFanPart add_door_fans(Diagram& diagram, const RackAir& rack, const physics::RearDoorParams& door,
                          const JoinedAir& joined) {
  if (door.fan_power_w <= 0.0) return {};
  const std::size_t load =
      diagram.declare_load({rack.name + std::string(door_fans_suffix), diagram.use_number(RearDoorFans::use),
                            SupplyPoint::rack_pdus, rack.place});
  const InputId command = diagram.declare_input(rack.name + ".door_fans.command", 1.0);
  diagram.add<RearDoorFans>(
      door, {.fans = {number_of(command)}, .air = {number_of(joined.airflow)}},
      {.fans = {as_number(code_of(Region::load, load))}, .air = heat_into(diagram.rows[rack.row].hot_aisle)});
  return {.load = load, .command_input = command.number};
}

DoorFanPart join_air(Diagram& diagram, const RackAir& rack, const physics::RearDoorParams& door,
                     const JoinedAir& joined) {
  const Row& row = diagram.rows[rack.row];
  const FluidSystem& chilled = door_water(diagram);
  const Passage air{row.cold_aisle, joined.exhaust, row.hot_aisle, code_of(joined.airflow),
                    physics::air_specific_heat_j_per_kg_k};
  const Passage water{chilled.supply, joined.door_water, chilled.back, code_of(*diagram.door_flow),
                      chilled.specific_heat_j_per_kg_k};
  diagram.pass(air, rack.name + ".intake", rack.name + ".door_air");
  diagram.pass(water, rack.name + ".door_supply", rack.name + ".door_return");
  diagram.add<RearDoorCoil>(
      door,
      {.air = {temperature_number(joined.exhaust), as_number(air.flow), air.specific_heat_j_per_kg_k},
       .water = water.inlet<PortMedium::liquid>()},
      {.air = heat_into(air.to), .water = water.heat()});
  diagram.doors.push_back({rack.name, diagram.door_flow->number, chilled.supply.number, joined.door_water.number,
                           chilled.specific_heat_j_per_kg_k, door.rated_heat_w});
  return add_door_fans(diagram, rack, door, joined);
}

void add_rack(Diagram& diagram, const RackAir& air, const Scenario& scenario, std::size_t loop_number) {
  const CoolantLoop& of_loop = diagram.coolant_loops[loop_number];
  const NodeHardware& node = scenario.racks.hardware;
  const LoopsSpec& loops = scenario.cooling.loops;
  const FluidSystem& loop = diagram.system(of_loop.name);
  const Row& row = diagram.rows[air.row];
  const physics::Fluid& coolant = physics::find_fluid(loops.coolant);
  const double manifold_j_per_k =
      0.5 * static_cast<double>(scenario.racks.nodes) * node.rack_liquid_volume_per_node_m3 *
      (coolant.density_kg_per_m3(loops.supply_k) * coolant.specific_heat_j_per_kg_k(loops.supply_k));
  RackPart rack{.name = air.name};
  const JunctionId supply = diagram.declare_junction(air.name + ".supply", manifold_j_per_k, loops.supply_k);
  const JunctionId back = diagram.declare_junction(air.name + ".return", manifold_j_per_k, loops.supply_k);
  const JoinedAir joined = declare_air(diagram, air, scenario);
  rack.airflow_input = joined.airflow.number;
  rack.load =
      diagram.declare_load({air.name, diagram.use_number(physics::NodeRack::use), SupplyPoint::rack_pdus, air.place});
  const std::size_t flow = code_of(of_loop.rack_flow);
  diagram.stream(air.name + ".supply_hose", loop.supply, supply, flow, loop.specific_heat_j_per_kg_k);
  diagram.stream(air.name + ".cold_plates", supply, back, flow, loop.specific_heat_j_per_kg_k);
  diagram.stream(air.name + ".return_hose", back, loop.back, flow, loop.specific_heat_j_per_kg_k);
  rack.door_fans = join_air(diagram, air, scenario.cooling.doors.door, joined);
  diagram.tell<physics::NodeRack>(air.name,
                                  {.inlet_air_k = temperature_number(row.cold_aisle),
                                   .outlet_air_k = temperature_number(joined.exhaust),
                                   .supply_k = temperature_number(supply),
                                   .return_k = temperature_number(back),
                                   .door_supply_k = temperature_number(door_water(diagram).supply),
                                   .door_return_k = temperature_number(joined.door_water),
                                   .door_kg_per_s = number_of(*diagram.door_flow),
                                   .coolant_kg_per_s = as_number(flow),
                                   .air_kg_per_s = number_of(joined.airflow)},
                                  {.lowest_inlet_k = node.inlet_air.lowest_allowed_k,
                                   .highest_inlet_k = node.inlet_air.highest_allowed_k,
                                   .door_water_j_per_kg_k = door_water(diagram).specific_heat_j_per_kg_k,
                                   .door_rated_heat_w = scenario.cooling.doors.door.rated_heat_w},
                                  {.nodes = {as_number(code_of(Region::load, rack.load))}});
  diagram.loops[loop_number].racks.front().count += 1.0;
  diagram.rack_places.push_back(
      {supply, back, row.cold_aisle, joined.exhaust, of_loop.rack_flow, loop.specific_heat_j_per_kg_k});
  diagram.named.push_back({air.name, "rack", {loop.name, door_water(diagram).name, row.name}, rack.load});
  diagram.it.racks.push_back(std::move(rack));
}

void add_network_rack(Diagram& diagram, const RackAir& air, const Scenario& scenario, double switches) {
  const JoinedAir joined = declare_air(diagram, air, scenario);
  const InputId power = diagram.declare_input(air.name + ".power", 0.0);
  const std::size_t load =
      diagram.declare_load({air.name, diagram.use_number(network::SwitchHeat::use), SupplyPoint::rack_pdus, air.place});
  const DoorFanPart fans = join_air(diagram, air, scenario.cooling.doors.door, joined);
  diagram.add<network::SwitchHeat>(
      air.name,
      {.highest_inlet_k = scenario.network.switches.highest_inlet_k,
       .door_water_j_per_kg_k = door_water(diagram).specific_heat_j_per_kg_k,
       .door_rated_heat_w = scenario.cooling.doors.door.rated_heat_w},
      {.power_w = number_of(power)},
      {.supply = {as_number(code_of(Region::load, load))}, .air = heat_into(joined.exhaust)},
      {.inlet_air_k = temperature_number(diagram.rows[air.row].cold_aisle),
       .outlet_air_k = temperature_number(joined.exhaust),
       .door_supply_k = temperature_number(door_water(diagram).supply),
       .door_return_k = temperature_number(joined.door_water),
       .door_kg_per_s = number_of(*diagram.door_flow),
       .air_kg_per_s = number_of(joined.airflow)});
  diagram.named.push_back({air.name, "network rack", {door_water(diagram).name, diagram.rows[air.row].name}, load});
  diagram.it.network_racks.push_back({.name = air.name,
                                      .airflow_input = joined.airflow.number,
                                      .power_input = power.number,
                                      .switches = switches,
                                      .load = load,
                                      .door_fans = fans});
}

}  // namespace

void add_racks(Diagram& diagram, const Scenario& scenario) {
  const RacksSpec& racks = scenario.racks;
  const HallCounts counts{.rows = racks.rows,
                          .racks = racks.count,
                          .nodes_per_rack = racks.nodes,
                          .loops = scenario.cooling.loops.count,
                          .cdus_per_loop = scenario.cooling.loops.cdus};
  diagram.it.nodes_per_rack = static_cast<std::size_t>(racks.nodes);
  diagram.it.node_use = diagram.use_number(physics::NodeRack::use);
  add_door_flow(diagram, scenario.cooling.doors.door);
  const std::size_t per_row = static_cast<std::size_t>((racks.count + racks.rows - 1) / racks.rows);
  for (int r = 0; r < racks.count; ++r) {
    const auto place = static_cast<std::size_t>(r);
    const RackAir air{rack_name(counts, r), place / per_row, racks.nodes * racks.hardware.airflow_kg_per_s, place};
    add_rack(diagram, air, scenario, static_cast<std::size_t>(loop_of_rack(counts, r)));
  }
}

void add_network_racks(Diagram& diagram, const Scenario& scenario) {
  const NetworkSpec& spec = scenario.network;
  if (!spec.is_given) return;
  ItEquipment& it = diagram.it;
  const network::FatTree tree = network::fat_tree(spec.tree, static_cast<int>(it.node_count()));
  it.switches = spec.switches;
  it.job_traffic_fraction = spec.traffic_fraction;
  for (int r = 0; r < spec.racks; ++r) {
    const std::size_t place = it.racks.size() + static_cast<std::size_t>(r);
    const RackAir air{fmt::format("network_rack_{}", r + 1), diagram.rows.size() - 1, spec.airflow_kg_per_s, place};
    add_network_rack(diagram, air, scenario, static_cast<double>(tree.all_switches()) / spec.racks);
  }
}

}  // namespace wattloop::twin
