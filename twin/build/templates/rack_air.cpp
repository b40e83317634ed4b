#include "twin/build/templates/rack_air.hpp"

#include <algorithm>
#include <limits>

#include "physics/air/rear_door_coil.hpp"
#include "physics/air/rear_door_fans.hpp"
#include "physics/fluids/fluid.hpp"
#include "twin/scenario/specs/diagram_changes.hpp"

namespace wattloop::twin {

namespace {

using physics::RearDoorCoil;
using physics::RearDoorFans;

/// Air between the nodes of a rack and its door: 0.6 m wide, 2.0 m high, 0.4 m deep.
constexpr double exhaust_volume_m3 = 0.6 * 2.0 * 0.4;

/// That of all doors of its sort; of one that clogs its own, which asks for the same.
FlowId flow_of_door(Diagram& diagram, const RackAir& rack) {
  const FlowId of_sort = diagram.door_flows.at(rack.doors->name).flow;
  if (!rack.is_door_clogged) return of_sort;
  const auto of_all =
      std::ranges::find_if(diagram.drives, [&](const auto& driven) { return driven.first.number == of_sort.number; });
  Drive drive = of_all->second;
  drive.passage_input = declare_passage(diagram, door_passage(rack.name));
  const FlowId flow = diagram.declare_flow();
  diagram.drive(flow, drive);
  return flow;
}

/// The fans of the door hang on the cords of its rack.
DoorFanPart add_door_fans(Diagram& diagram, const RackAir& rack, const physics::RearDoorParams& door,
                          const JoinedAir& joined) {
  if (door.fan_power_w <= 0.0) return {};
  const std::size_t load =
      diagram.declare_load({rack.name + std::string(door_fans_suffix), diagram.use_number(RearDoorFans::use),
                            SupplyPoint::rack_pdus, rack.place, rack.blocks, diagram.rows[rack.row].room});
  const InputId command = diagram.declare_input(rack.name + ".door_fans.command", 1.0);
  diagram.add<RearDoorFans>(
      door, {.fans = {number_of(command)}, .air = {number_of(joined.airflow)}},
      {.fans = {as_number(code_of(Region::load, load))}, .air = heat_into(diagram.rows[rack.row].hot_aisle)});
  return {.load = load, .command_input = command.number};
}

}  // namespace

JoinedAir declare_air(Diagram& diagram, const RackAir& rack, const Scenario& scenario) {
  JoinedAir joined;
  joined.exhaust = diagram.declare_junction(rack.name + ".exhaust", air_heat_capacity_j_per_k(exhaust_volume_m3),
                                            scenario.cooling.rooms[diagram.rows[rack.row].room].initial_k);
  if (rack.doors != nullptr) {
    const std::string& name = diagram.door_flows.at(rack.doors->name).water;
    const FluidSystem& water = diagram.system(name);
    const JunctionId inside =
        diagram.declare_junction(rack.name + ".door", water_heat_capacity_j_per_k(rack.doors->door.water_volume_m3),
                                 diagram.inputs[water.set_point.number].second);
    joined.door.emplace(DoorWater{water, inside, flow_of_door(diagram, rack)});
    note_coil(diagram, name, diagram.rooms[diagram.rows[rack.row].room]);
  }
  joined.airflow = diagram.declare_input(rack.name + ".airflow", rack.airflow_kg_per_s);
  diagram.rows[rack.row].airflows.push_back(joined.airflow);
  return joined;
}

DoorFanPart join_air(Diagram& diagram, const RackAir& rack, const JoinedAir& joined) {
  const Row& row = diagram.rows[rack.row];
  const Passage air{row.cold_aisle, joined.exhaust, row.hot_aisle, code_of(joined.airflow),
                    physics::air_specific_heat_j_per_kg_k};
  if (!joined.door) {
    diagram.pass(air, rack.name + ".intake", rack.name + ".outlet");
    return {};
  }
  const FluidSystem& chilled = joined.door->system;
  const physics::RearDoorParams& door = rack.doors->door;
  const Passage water{chilled.supply, joined.door->inside, chilled.back, code_of(joined.door->flow),
                      chilled.specific_heat_j_per_kg_k};
  diagram.pass(air, rack.name + ".intake", rack.name + ".door_air");
  diagram.pass(water, rack.name + ".door_supply", rack.name + ".door_return");
  const RoomHumidity humidity = humidity_in(diagram, diagram.rooms[row.room].name);
  diagram.add<RearDoorCoil>(
      door,
      {.air = {temperature_number(joined.exhaust), as_number(air.flow), air.specific_heat_j_per_kg_k},
       .water = water.inlet<PortMedium::liquid>(),
       .dew_point_k = number_of(humidity.dew_point),
       .pressure_pa = number_of(humidity.pressure)},
      {.air = heat_into(air.to), .water = water.heat(), .vapour = humidity.vapour});
  diagram.doors.push_back({rack.name, joined.door->flow.number, chilled.supply.number, joined.door->inside.number,
                           chilled.specific_heat_j_per_kg_k, door.rated_heat_w});
  return add_door_fans(diagram, rack, door, joined);
}

DoorCodes door_codes(Diagram& diagram, const RackAir& air, const JoinedAir& joined) {
  const double inlet_k = temperature_number(diagram.rows[air.row].cold_aisle);
  if (!joined.door) return {inlet_k, inlet_k, number_of(diagram.nothing())};
  return {temperature_number(joined.door->system.supply), temperature_number(joined.door->inside),
          number_of(joined.door->flow)};
}

double door_rating_w(const RackAir& air) {
  return air.doors != nullptr ? air.doors->door.rated_heat_w : std::numeric_limits<double>::infinity();
}

std::size_t row_number(const Diagram& diagram, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(diagram.rows, name, &Row::name) - diagram.rows.begin());
}

std::size_t racks_on_any_block(const Diagram& diagram, std::size_t room) {
  return static_cast<std::size_t>(std::ranges::count_if(diagram.loads, [&](const DeclaredLoad& load) {
    return load.at == SupplyPoint::rack_pdus && load.blocks.empty() && load.room == room &&
           !load.name.ends_with(door_fans_suffix);
  }));
}

}  // namespace wattloop::twin
