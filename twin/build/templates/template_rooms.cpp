// The air of the hall: every row of racks between a cold and a hot aisle, the room around them, the plenum of the air
// handlers; several such rooms, between which no air goes; electrical rooms with air handlers of their own.
//
//   cold aisle <- plenum (air handlers), room, a little of the own hot aisle       hot aisle -> room <-> mass
//
// Flows balance at every zone: what the racks of a row draw comes from the plenum as far as that goes and from the room
// for the rest, which may be negative (supply air that passes the racks by). Rows of a room share what its air handlers supply by what
// their racks draw: their cold aisles are at one pressure.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "physics/air/rack_row.hpp"
#include "physics/air/room.hpp"
#include "physics/air/room_mass.hpp"
#include "physics/fluids/fluid.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/plant/snapshot/room_vapour.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

using physics::RoomMass;

/// Air of an aisle for each rack of one row: 0.6 m of row, half of an aisle of 1.2 or 1.8 m, 2.6 m high.
constexpr double cold_aisle_m3_per_rack = 0.6 * 0.6 * 2.6;
constexpr double hot_aisle_m3_per_rack = 0.6 * 0.9 * 2.6;
constexpr double plenum_share = 0.15;         ///< of the room's air
constexpr double smallest_bulk_share = 0.25;  ///< left for the room when aisles take more

/// Of racks of nodes, then of racks of switches, then of racks of storage.
std::vector<PlannedRow> all_rows(const RackPlan& plan) {
  std::vector<PlannedRow> rows = plan.rows;
  rows.insert(rows.end(), plan.network_rows.begin(), plan.network_rows.end());
  rows.insert(rows.end(), plan.storage_rows.begin(), plan.storage_rows.end());
  return rows;
}

void add_row(Diagram& diagram, const PlannedRow& size, double initial_k) {
  const auto racks = static_cast<double>(size.racks);
  const JunctionId cold = diagram.declare_junction(
      size.name + ".cold_aisle", air_heat_capacity_j_per_k(racks * cold_aisle_m3_per_rack), initial_k);
  const JunctionId hot = diagram.declare_junction(size.name + ".hot_aisle",
                                                  air_heat_capacity_j_per_k(racks * hot_aisle_m3_per_rack), initial_k);
  Row row{.name = size.name, .room = size.room, .cold_aisle = cold, .hot_aisle = hot};
  for (FlowId* flow : {&row.air, &row.recirculated, &row.to_room, &row.supplied, &row.from_room})
    *flow = diagram.declare_flow();
  diagram.report<physics::RackRow>(row.name, {.cold_aisle_k = temperature_number(cold),
                                              .hot_aisle_k = temperature_number(hot),
                                              .air_kg_per_s = number_of(row.air),
                                              .supplied_kg_per_s = number_of(row.supplied)});
  diagram.named.push_back({row.name, "row", {diagram.rooms[row.room].name}});
  diagram.rows.push_back(std::move(row));
}

std::string dew_point_name(const std::string& room) { return room + ".dew_point"; }

InputId input_named(const Diagram& diagram, std::string_view name) {
  const auto found = std::ranges::find(diagram.inputs, name, &std::pair<std::string, double>::first);
  return {static_cast<std::size_t>(found - diagram.inputs.begin())};
}

/// Of humidity, all that `humidity_in` finds by name.
std::size_t declare_humidity(Diagram& diagram, const std::string& room, const HumiditySpec& humidity) {
  if (humidity.is_given) diagram.declare_input(dew_point_name(room), humidity.dew_point_k);
  const std::size_t meter = diagram.declare_meter(vapour_meter_of(room));
  diagram.meters.boundaries.push_back(meter);
  return meter;
}

/// `highest_air_k`: in which what stands there carries its rating.
void add_room(Diagram& diagram, const std::string& name, const RoomSpec& spec, double other_m3, double highest_air_k) {
  const double air_m3 = std::max(spec.volume_m3 - other_m3, smallest_bulk_share * spec.volume_m3);
  const JunctionId air = diagram.declare_junction(name, air_heat_capacity_j_per_k(air_m3), spec.initial_k);
  JunctionId slow = air;
  if (spec.mass_heat_capacity_j_per_k > 0.0) {
    const JunctionId mass = diagram.declare_junction(name + ".mass", spec.mass_heat_capacity_j_per_k, spec.initial_k);
    diagram.add<RoomMass>({mass_conductance_w_per_k(spec)}, {.air = body(air), .mass = body(mass)},
                          {.air = heat_into(air), .mass = heat_into(mass)});
    slow = mass;
  }
  const std::size_t vapour = declare_humidity(diagram, name, spec.humidity);
  diagram.report<physics::Room>(
      name, {.air_k = temperature_number(air), .mass_k = temperature_number(slow), .vapour_j = as_number(vapour)},
      {.highest_air_k = highest_air_k});
  diagram.named.push_back({name, "room", {}});
  Room room{.name = name, .air = air, .supply = air};
  if (spec.humidity.is_given) room.dew_point_k = spec.humidity.dew_point_k;
  if (diagram.coil_waters.size() == 1) note_coil(diagram, diagram.coil_waters.front(), room);
  diagram.rooms.push_back(std::move(room));
}

/// What the racks of all rows draw, room by room.
std::vector<FlowId> add_drawn_flows(Diagram& diagram) {
  std::vector<std::vector<std::pair<std::size_t, double>>> of_room(diagram.rooms.size());
  for (const Row& row : diagram.rows) {
    std::vector<std::pair<std::size_t, double>> of_racks;
    for (const InputId airflow : row.airflows) of_racks.emplace_back(code_of(airflow), 1.0);
    diagram.sum(row.air, std::move(of_racks));
    of_room[row.room].emplace_back(code_of(row.air), 1.0);
  }
  std::vector<FlowId> drawn;
  for (auto& rows : of_room) {
    drawn.push_back(diagram.declare_flow());
    diagram.sum(drawn.back(), std::move(rows));
  }
  return drawn;
}

/// The flows of a row, whose racks draw its part of what those of its room draw together.
void add_row_flows(Diagram& diagram, const Row& row, double recirculated_fraction, FlowId drawn) {
  std::vector<std::pair<std::size_t, double>> supply;
  for (const FlowId handled : diagram.rooms[row.room].handled) supply.emplace_back(code_of(handled), 1.0);
  const double kept_fraction = 1.0 - recirculated_fraction;
  const auto rows = std::ranges::count(diagram.rows, row.room, &Row::room);
  diagram.sum(row.supplied, std::move(supply), DeclaredShare{row.air, drawn, 1.0 / static_cast<double>(rows)});
  diagram.sum(row.recirculated, {{code_of(row.air), recirculated_fraction}});
  diagram.sum(row.to_room, {{code_of(row.air), kept_fraction}});
  diagram.sum(row.from_room, {{code_of(row.air), kept_fraction}, {code_of(row.supplied), -1.0}});
}

void join_row(Diagram& diagram, const Row& row) {
  const Room& room = diagram.rooms[row.room];
  const auto blow = [&](const char* name, JunctionId from, JunctionId to, FlowId flow) {
    diagram.stream(row.name + name, from, to, code_of(flow), physics::air_specific_heat_j_per_kg_k);
  };
  blow(".recirculation", row.hot_aisle, row.cold_aisle, row.recirculated);
  blow(".exhaust", row.hot_aisle, room.air, row.to_room);
  blow(".intake", room.air, row.cold_aisle, row.from_room);
  if (room.supply != room.air) blow(".supply", room.supply, row.cold_aisle, row.supplied);
}

/// Whether any rack in that room has a door.
bool has_doors(const Scenario& scenario, const RackPlan& plan, std::size_t room) {
  const auto has_row = [&](const std::vector<PlannedRow>& rows) {
    return std::ranges::find(rows, room, &PlannedRow::room) != rows.end();
  };
  const auto has_any = [&](const std::string& door, const std::vector<PlannedRow>& rows) {
    return has_row(rows) && find_doors(scenario.cooling, door) != nullptr;
  };
  const bool on_switches = has_any(scenario.network.on.door, plan.network_rows);
  const bool on_storage = scenario.storage_racks && has_any(scenario.storage_racks->door, plan.storage_rows);
  return on_switches || on_storage || std::ranges::any_of(plan.racks, [&](const PlannedRack& rack) {
           return rack.doors && plan.rows[rack.row].room == room;
         });
}

/// A room of racks, with a plenum where it has air handlers; its rows follow when all rooms are there.
void add_hall_room(Diagram& diagram, const Scenario& scenario, const RackPlan& plan, std::size_t number) {
  double aisles_m3 = 0.0;
  for (const PlannedRow& row : all_rows(plan)) {
    if (row.room == number)
      aisles_m3 += static_cast<double>(row.racks) * (cold_aisle_m3_per_rack + hot_aisle_m3_per_rack);
  }
  const RoomSpec& spec = scenario.cooling.rooms[number];
  const bool has_plenum = crahs_of(scenario.cooling, number) != nullptr;
  const double plenum_m3 = has_plenum ? plenum_share * spec.volume_m3 : 0.0;
  const double highest_air_k =  // where UPS have rooms of their own, the air of the hall is that of racks
      scenario.power.rooms.is_given ? std::numeric_limits<double>::infinity() : scenario.power.highest_ups_air_k();
  add_room(diagram, spec.called(), spec, aisles_m3 + plenum_m3, highest_air_k);
  if (!has_plenum && !has_doors(scenario, plan, number)) diagram.rooms.back().coil_waters.clear();
  if (!has_plenum) return;
  diagram.rooms.back().supply =
      diagram.declare_junction(spec.called() + ".plenum", air_heat_capacity_j_per_k(plenum_m3), spec.initial_k);
}

}  // namespace

RoomHumidity humidity_in(const Diagram& diagram, const std::string& room) {
  const InputId controlled = input_named(diagram, dew_point_name(room));
  const bool is_controlled = controlled.number < diagram.inputs.size();
  const auto meter = std::ranges::find(diagram.states, vapour_meter_of(room), &DeclaredState::component);
  return {.dew_point = is_controlled ? controlled : input_named(diagram, dew_point_outside),
          .pressure = input_named(diagram, pressure_in_rooms),
          .vapour = {as_number(static_cast<std::size_t>(meter - diagram.states.begin()))}};
}

void add_rooms(Diagram& diagram, const Scenario& scenario, const RackPlan& plan) {
  const std::vector<RoomSpec>& rooms = scenario.cooling.rooms;
  for (std::size_t number = 0; number < rooms.size(); ++number) add_hall_room(diagram, scenario, plan, number);
  for (const PlannedRow& row : all_rows(plan)) add_row(diagram, row, rooms[row.room].initial_k);
  for (const std::string& room : scenario.power.electrical_rooms())
    add_room(diagram, room, scenario.power.rooms.room, 0.0, scenario.power.highest_ups_air_k());
}

void join_rows(Diagram& diagram, const CoolingSpec& cooling) {
  const std::vector<FlowId> drawn = add_drawn_flows(diagram);
  for (const Row& row : diagram.rows) {
    add_row_flows(diagram, row, cooling.rooms[row.room].recirculation_fraction, drawn[row.room]);
    join_row(diagram, row);
  }
}

}  // namespace wattloop::twin
