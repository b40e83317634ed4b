// Racks of nodes and racks of switches: coolant through the cold plates of nodes, air as through any rack
// (twin/build/templates/rack_air.hpp).

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "network/fat_tree.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/units/node_rack.hpp"
#include "twin/build/floor/fabric_of_scenario.hpp"
#include "twin/build/templates/air_cooled_rack.hpp"
#include "twin/build/templates/cord_plan.hpp"
#include "twin/build/templates/rack_air.hpp"
#include "twin/scenario/checks/coil_water.hpp"
#include "twin/scenario/specs/node_supplies.hpp"

namespace wattloop::twin {

namespace {

/// Racks so far, by their room and the blocks of power that they hang on: they take turns there, whatever group they are of.
using RacksOnBlocks = std::map<std::pair<std::size_t, std::vector<std::string>>, std::size_t>;

/// Water through every door of a sort.
void add_door_flow(Diagram& diagram, const CoolingSpec& cooling, const DoorsSpec& doors) {
  const InputId design = diagram.declare_setting(doors.name, "flow", "kg/s", doors.door.water_design_flow_kg_per_s);
  const DoorFlow water{diagram.declare_flow(), coil_water_of(cooling, doors)->name};
  diagram.door_flows.emplace(doors.name, water);
  diagram.drive(water.flow, {.design_input = design, .pumps = diagram.system(water.water).pumps});
}

/// Without coolant nothing is too hot for it.
double highest_coolant_k(const PlannedRack& rack, const Diagram& diagram, const Scenario& scenario) {
  if (!rack.loop) return std::numeric_limits<double>::infinity();
  return physics::find_fluid(scenario.cooling.loops[diagram.coolant_loops[*rack.loop].spec].coolant).highest_k;
}

/// Coolant through a rack: that of all of its kind, or a share of its own.
FlowId coolant_flow(Diagram& diagram, const PlannedRack& rack) {
  CoolantLoop& loop = diagram.coolant_loops[*rack.loop];
  if (rack.is_clogged) return loop.clogged_rack_flow.at(rack.name);
  const FlowId of_kind = loop.rack_flow.at(rack.group);
  if (rack.flow_ratio == 1.0) return of_kind;
  const auto [known, is_new] = loop.spread_flow.try_emplace({rack.group, rack.flow_ratio});
  if (is_new) {
    known->second = diagram.declare_flow();
    diagram.sum(known->second, {{code_of(of_kind), rack.flow_ratio}});
  }
  return known->second;
}

/// Manifolds between the headers of a loop, and coolant through them.
void join_coolant(Diagram& diagram, const PlannedRack& rack, const Scenario& scenario, RackPlace& place) {
  const CoolantLoop& of_loop = diagram.coolant_loops[*rack.loop];
  const FluidSystem& loop = diagram.system(of_loop.name);
  const RacksSpec& racks = scenario.racks[rack.group];
  const LoopsSpec& loops = scenario.cooling.loops[of_loop.spec];
  const physics::Fluid& coolant = physics::find_fluid(loops.coolant);
  const double manifold_j_per_k =
      0.5 * static_cast<double>(racks.nodes) * racks.hardware.rack_liquid_volume_per_node_m3 *
      (coolant.density_kg_per_m3(loops.supply_k) * coolant.specific_heat_j_per_kg_k(loops.supply_k));
  place.supply = diagram.declare_junction(rack.name + ".supply", manifold_j_per_k, loops.supply_k);
  place.back = diagram.declare_junction(rack.name + ".return", manifold_j_per_k, loops.supply_k);
  place.coolant = coolant_flow(diagram, rack);
  place.coolant_j_per_kg_k = loop.specific_heat_j_per_kg_k;
  const std::size_t flow = code_of(place.coolant);
  diagram.stream(rack.name + ".supply_hose", loop.supply, place.supply, flow, loop.specific_heat_j_per_kg_k);
  diagram.stream(rack.name + ".cold_plates", place.supply, place.back, flow, loop.specific_heat_j_per_kg_k);
  diagram.stream(rack.name + ".return_hose", place.back, loop.back, flow, loop.specific_heat_j_per_kg_k);
}

/// What results report it.
void report_rack(Diagram& diagram, const PlannedRack& planned, const RackAir& air, const JoinedAir& joined,
                 const RackPlace& place, std::size_t load, const Scenario& scenario) {
  const DoorCodes door = door_codes(diagram, air, joined);
  const NodeHardware& node = scenario.racks[planned.group].hardware;
  const double inlet_k = temperature_number(place.cold_aisle);
  diagram.report<physics::NodeRack>(
      air.name,
      {.inlet_air_k = inlet_k,
       .outlet_air_k = temperature_number(joined.exhaust),
       .supply_k = planned.loop ? temperature_number(place.supply) : inlet_k,
       .return_k = planned.loop ? temperature_number(place.back) : inlet_k,
       .door_supply_k = door.supply_k,
       .door_return_k = door.return_k,
       .door_kg_per_s = door.kg_per_s,
       .coolant_kg_per_s = planned.loop ? number_of(place.coolant) : number_of(diagram.nothing()),
       .air_kg_per_s = number_of(joined.airflow)},
      {.lowest_inlet_k = node.inlet_air.lowest_allowed_k,
       .highest_inlet_k = node.inlet_air.highest_allowed_k,
       .door_water_j_per_kg_k = water_specific_heat_j_per_kg_k(),
       .door_rated_heat_w = door_rating_w(air),
       .highest_coolant_k = highest_coolant_k(planned, diagram, scenario),
       .takes_coolant = planned.loop.has_value(),
       .has_door = air.doors != nullptr},
      {.nodes = {as_number(code_of(Region::load, load))}});
}

void add_rack(Diagram& diagram, const PlannedRack& planned, const Scenario& scenario, RacksOnBlocks& on_blocks,
              RackPart& rack) {
  const RacksSpec& racks = scenario.racks[planned.group];
  std::vector<std::string> blocks = named_blocks(scenario.power, racks.on.power.names);
  const std::size_t power_place = on_blocks[{diagram.rows[planned.row].room, blocks}]++;
  const RackAir air{planned.name,
                    planned.row,
                    racks.nodes * racks.hardware.airflow_kg_per_s,
                    power_place,
                    planned.doors ? &scenario.cooling.doors[*planned.doors] : nullptr,
                    std::move(blocks),
                    planned.is_door_clogged};
  const Row& row = diagram.rows[air.row];
  RackPlace place;
  place.cold_aisle = row.cold_aisle;
  if (planned.loop) join_coolant(diagram, planned, scenario, place);
  const JoinedAir joined = declare_air(diagram, air, scenario);
  place.exhaust = joined.exhaust;
  rack.airflow_input = joined.airflow.number;
  rack.load = diagram.declare_load({air.name, diagram.use_number(physics::NodeRack::use), SupplyPoint::rack_pdus,
                                    air.place, air.blocks, row.room, racks.nodes * racks.hardware.nameplate_w,
                                    node_supplies(racks.hardware).needs_both_cords});
  rack.door_fans = join_air(diagram, air, joined);
  report_rack(diagram, planned, air, joined, place, rack.load, scenario);
  diagram.rack_places.push_back(place);
  std::vector<std::string> hangs_on;
  if (planned.loop) hangs_on.push_back(diagram.coolant_loops[*planned.loop].name);
  if (joined.door) hangs_on.push_back(joined.door->system.name);
  hangs_on.push_back(row.name);
  diagram.named.push_back({air.name, "rack", std::move(hangs_on), rack.load, {}, planned.loop.has_value()});
}

/// Switches of a rack, and what those of other networks in it draw.
struct RackSwitches {
  double count = 0.0;
  double counted_w = 0.0;
};

}  // namespace

void add_racks(Diagram& diagram, const Scenario& scenario, const RackPlan& plan) {
  ItEquipment& it = diagram.it;
  it.node_use = diagram.use_number(physics::NodeRack::use);
  for (const DoorsSpec& doors : scenario.cooling.doors) add_door_flow(diagram, scenario.cooling, doors);
  for (const RacksSpec& racks : scenario.racks) {
    RackGroup group;
    group.name = racks.name;
    group.nodes_per_rack = static_cast<std::size_t>(racks.nodes);
    group.fan_w = racks.hardware.fan_w;
    group.hold_up_s = racks.hardware.psu.hold_up_s;
    group.has_fan_control = racks.hardware.has_fan_control && racks.hardware.fans.is_controlled;
    for (const NodeUnits& units : racks.hardware.units) {
      if (units.name == "gpu") group.gpus_per_node = static_cast<std::size_t>(units.count);
    }
    group.gpu_limit_input = diagram
                                .declare_setting(racks.name.empty() ? "racks" : racks.name, "gpu_power_limit", "W",
                                                 racks.hardware.split.gpu_limit_w)
                                .number;
    it.groups.push_back(std::move(group));
  }
  std::size_t node = 0, gpu = 0;
  RacksOnBlocks on_blocks;
  for (const PlannedRack& planned : plan.racks) {
    RackGroup& group = it.groups[planned.group];
    if (group.rack_count++ == 0) {
      group.first_rack = it.racks.size();
      group.first_node = node;
      group.first_gpu = gpu;
    }
    RackPart rack{.name = planned.name, .group = planned.group, .first_node = node, .first_gpu = gpu};
    add_rack(diagram, planned, scenario, on_blocks, rack);
    it.racks.push_back(std::move(rack));
    node += group.nodes_per_rack;
    gpu += group.gpus_per_rack();
  }
}

void add_network_racks(Diagram& diagram, const Scenario& scenario, const RackPlan& plan) {
  const NetworkSpec& spec = scenario.network;
  if (!spec.is_given) return;
  ItEquipment& it = diagram.it;
  it.switches = spec.switches;
  it.job_traffic_fraction = spec.traffic_fraction;
  const auto racks = static_cast<std::size_t>(spec.racks);
  std::vector<RackSwitches> switches(racks);
  if (spec.fabric.is_modelled()) {
    diagram.fabric = hall_fabric(scenario);
    for (std::size_t r = 0; r < racks; ++r)
      switches[r] = {double(diagram.fabric->first_switch[r + 1] - diagram.fabric->first_switch[r]),
                     diagram.fabric->counted_w};
  } else {
    const network::FatTree tree = network::fat_tree(spec.tree, static_cast<int>(it.node_count()));
    for (RackSwitches& rack : switches) rack.count = static_cast<double>(tree.all_switches()) / spec.racks;
  }
  const DoorsSpec* doors = find_doors(scenario.cooling, spec.on.door);
  int rack = 0;
  for (const PlannedRow& row : plan.network_rows) {
    const std::size_t number = row_number(diagram, row.name), on_any = racks_on_any_block(diagram, row.room);
    for (std::size_t r = 0; r < row.racks; ++r) {
      const RackAir air{fmt::format("network_rack_{}", ++rack),
                        number,
                        spec.airflow_kg_per_s,
                        on_any + r,
                        doors,
                        {},
                        doors != nullptr && plan.clogged_network_doors[static_cast<std::size_t>(rack) - 1]};
      const RackSwitches& inside = switches[static_cast<std::size_t>(rack) - 1];
      const AddedRack added = add_air_cooled_rack<physics::SwitchesOfRack>(
          diagram, air, scenario,
          {"network rack", spec.switches.highest_inlet_k, inside.count * spec.switches.max_w + inside.counted_w});
      it.network_racks.push_back({.name = air.name,
                                  .airflow_input = added.airflow_input,
                                  .power_input = added.power_input,
                                  .switches = inside.count,
                                  .load = added.load,
                                  .door_fans = added.door_fans});
    }
  }
}

}  // namespace wattloop::twin
