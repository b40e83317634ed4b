// The air of the hall: every row of racks between a cold and a hot aisle, the room around them, the plenum of the air
// handlers; electrical rooms with air handlers of their own.
//
//   cold aisle <- plenum (air handlers), room, a little of the own hot aisle       hot aisle -> room <-> mass
//
// Flows balance at every zone: what the racks of a row draw comes from the plenum as far as that goes and from the room
// for the rest, which may be negative (supply air that passes the racks by).

#include <algorithm>

#include <fmt/format.h>

#include "physics/crah_unit.hpp"
#include "physics/fan_control.hpp"
#include "physics/fluid.hpp"
#include "physics/rear_door_coil.hpp"
#include "physics/rear_door_fans.hpp"
#include "physics/room_mass.hpp"
#include "twin/plant/plant_draft.hpp"

namespace wattloop::twin {

namespace {

/// Air of an aisle for each rack of one row: 0.6 m of row, half of an aisle of 1.2 or 1.8 m, 2.6 m high.
constexpr double cold_aisle_m3_per_rack = 0.6 * 0.6 * 2.6;
constexpr double hot_aisle_m3_per_rack = 0.6 * 0.9 * 2.6;
constexpr double plenum_share = 0.15;         ///< of the room's air
constexpr double smallest_bulk_share = 0.25;  ///< left for the room when aisles take more

double air_j_per_k(double volume_m3) {
  return volume_m3 * physics::air_density_kg_per_m3 * physics::air_specific_heat_j_per_kg_k;
}

struct RowSize {
  std::string name;
  std::size_t racks;
};

std::vector<RowSize> row_sizes(const Scenario& scenario) {
  std::vector<RowSize> rows;
  const auto racks = static_cast<std::size_t>(scenario.racks.count);
  const std::size_t per_row = (racks + scenario.racks.rows - 1) / scenario.racks.rows;
  for (std::size_t first = 0; first < racks; first += per_row) {
    rows.push_back({fmt::format("row_{}", rows.size() + 1), std::min(per_row, racks - first)});
  }
  if (scenario.network.is_given) rows.push_back({"network_row", static_cast<std::size_t>(scenario.network.racks)});
  return rows;
}

void declare_row(PlantDraft& draft, const RowSize& size) {
  const double initial_k = draft.scenario.cooling.room.initial_k;
  const auto racks = static_cast<double>(size.racks);
  RowPart row;
  row.name = size.name;
  row.cold_node = draft.declare_node(row.name + ".cold_aisle", air_j_per_k(racks * cold_aisle_m3_per_rack), initial_k);
  row.hot_node = draft.declare_node(row.name + ".hot_aisle", air_j_per_k(racks * hot_aisle_m3_per_rack), initial_k);
  for (std::size_t* flow :
       {&row.air_flow, &row.recirculated_flow, &row.to_room_flow, &row.supplied_flow, &row.from_room_flow}) {
    *flow = draft.declare_flow();
  }
  draft.plant.hall.rows.push_back(std::move(row));
}

void declare_room(PlantDraft& draft, const std::string& name, const RoomSpec& spec, double other_m3) {
  const double air_m3 = std::max(spec.volume_m3 - other_m3, smallest_bulk_share * spec.volume_m3);
  RoomPart room{.name = name, .node = draft.declare_node(name, air_j_per_k(air_m3), spec.initial_k)};
  if (spec.mass_heat_capacity_j_per_k > 0.0) {
    room.mass_node = draft.declare_node(name + ".mass", spec.mass_heat_capacity_j_per_k, spec.initial_k);
  }
  draft.plant.hall.rooms.push_back(std::move(room));
}

void declare_crahs(PlantDraft& draft, std::size_t room_index, const CrahsSpec& spec) {
  HallParts& hall = draft.plant.hall;
  RoomPart& room = hall.rooms[room_index];
  room.set_point_input =
      draft.declare_setting<physics::CrahUnit>(room.name, &physics::CrahUnit::Now::set_point_k, spec.air_k);
  for (int c = 0; c < spec.count; ++c) {
    CrahPart crah;
    crah.name = fmt::format("crah_{}", hall.crahs.size() + 1);
    crah.room = room_index;
    crah.rated_heat_w = spec.crah.rated_heat_w;
    crah.motor = draft.declare_motor(crah.name, LoadUse::crah,
                                     state_info<physics::CrahUnit>(&physics::CrahUnit::State::fan_fraction));
    hall.motors[crah.motor].restart_delay_s = spec.restart_delay_s;
    auto typical = typical_state<physics::FanControl>();
    typical.sensor_k = spec.air_k;
    crah.first_control_state = draft.declare_states<physics::FanControl>(crah.name, typical);
    crah.water_node = draft.declare_node(crah.name + ".water", water_heat_capacity_j_per_k(spec.crah.water_volume_m3),
                                         draft.scenario.cooling.doors.supply_k);
    crah.air_flow = draft.declare_flow();
    crah.water_flow = draft.declare_flow();
    hall.motor_groups.push_back({.name = crah.name, .motors = {crah.motor}, .duty = 1});
    room.crahs.push_back(hall.crahs.size());
    hall.crahs.push_back(std::move(crah));
  }
}

const RoomSpec& spec_of_room(const PlantDraft& draft, std::size_t room) {
  return room == 0 ? draft.scenario.cooling.room : draft.scenario.power.rooms.room;
}

const CrahsSpec& crahs_of_room(const PlantDraft& draft, std::size_t room) {
  return room == 0 ? draft.scenario.cooling.crahs : draft.scenario.power.rooms.crahs;
}

void wire_crah(PlantDraft& draft, const CrahPart& crah) {
  const Plant& plant = draft.plant;
  const HallParts& hall = plant.hall;
  const RoomPart& room = hall.rooms[crah.room];
  const MotorPart& motor = hall.motors[crah.motor];
  const CrahsSpec& spec = crahs_of_room(draft, crah.room);
  const physics::PiSettings fan{spec.fan_gain_per_k, spec.fan_integral_time_s, spec.lowest_speed_fraction, 1.0};
  const std::size_t set_point = plant.map.input(room.set_point_input);
  const std::size_t air_node = room.supply_node == no_part ? room.node : room.supply_node;
  const std::size_t air = plant.map.flow(crah.air_flow);
  const std::size_t water = plant.map.flow(crah.water_flow);
  draft.flows.driven.push_back(
      {.design_kg_per_s = spec.crah.air_design_flow_kg_per_s, .speed_states = {motor.speed_state}, .flow_signal = air});
  if (air_node != room.node)
    draft.link(crah.name + ".air", room.node, air_node, air, hall.air_specific_heat_j_per_kg_k);
  draft.link(crah.name + ".supply", hall.chilled_water.supply_node, crah.water_node, water,
             hall.water_specific_heat_j_per_kg_k);
  draft.link(crah.name + ".return", crah.water_node, hall.chilled_water.return_node, water,
             hall.water_specific_heat_j_per_kg_k);
  const auto control = numbered<physics::FanControl::State>(crah.first_control_state);
  draft.add<physics::FanControl>(
      {fan, spec.sensor_lag_s},
      {.measured_k = as_number(draft.temperature(room.node)), .set_point_k = as_number(set_point), .state = control},
      {.rate = control});
  const auto speed = numbered<physics::CrahUnit::State>(motor.speed_state);
  draft.add<physics::CrahUnit>(
      crah.name, {spec.crah, fan, spec.fan_lag_s, hall.air_specific_heat_j_per_kg_k},
      {.air = draft.body(room.node),
       .water = draft.inlet_from<PortMedium::liquid>(hall.chilled_water.supply_node, water,
                                                     hall.water_specific_heat_j_per_kg_k),
       .state = speed,
       .motor = draft.order_of(motor),
       .sensor_k = control.sensor_k,
       .integral_fraction = control.integral_fraction,
       .set_point_k = as_number(set_point)},
      {.rate = speed,
       .motor = draft.power_of(motor),
       .air = draft.heat_into(air_node),
       .water = draft.heat_into(crah.water_node)},
      {.leaving_k = as_number(draft.temperature(crah.water_node)), .air_kg_per_s = as_number(air)});
}

/// The flows of a row: sums of what its racks draw and what the air handlers of the hall supply.
void add_row_flows(PlantDraft& draft, const RowPart& row) {
  const Plant& plant = draft.plant;
  const HallParts& hall = plant.hall;
  const double recirculated = draft.scenario.cooling.room.recirculation_fraction;
  const std::size_t air = plant.map.flow(row.air_flow);
  const std::size_t supplied = plant.map.flow(row.supplied_flow);
  SumFlow drawn{{}, air};
  for (const std::size_t input : row.airflow_inputs) drawn.terms.emplace_back(plant.map.input(input), 1.0);
  SumFlow supply{{}, supplied};
  for (const std::size_t c : hall.rooms.front().crahs) {
    supply.terms.emplace_back(plant.map.flow(hall.crahs[c].air_flow), 1.0 / static_cast<double>(hall.rows.size()));
  }
  draft.flows.sums.push_back(std::move(drawn));
  draft.flows.sums.push_back(std::move(supply));
  draft.flows.sums.push_back({{{air, recirculated}}, plant.map.flow(row.recirculated_flow)});
  draft.flows.sums.push_back({{{air, 1.0 - recirculated}}, plant.map.flow(row.to_room_flow)});
  draft.flows.sums.push_back({{{air, 1.0 - recirculated}, {supplied, -1.0}}, plant.map.flow(row.from_room_flow)});
}

void wire_row(PlantDraft& draft, const RowPart& row) {
  const Plant& plant = draft.plant;
  const RoomPart& room = plant.hall.rooms.front();
  const double air = plant.hall.air_specific_heat_j_per_kg_k;
  add_row_flows(draft, row);
  draft.link(row.name + ".recirculation", row.hot_node, row.cold_node, plant.map.flow(row.recirculated_flow), air);
  draft.link(row.name + ".exhaust", row.hot_node, room.node, plant.map.flow(row.to_room_flow), air);
  draft.link(row.name + ".intake", room.node, row.cold_node, plant.map.flow(row.from_room_flow), air);
  if (room.supply_node == no_part) return;
  draft.link(row.name + ".supply", room.supply_node, row.cold_node, plant.map.flow(row.supplied_flow), air);
}

}  // namespace

void declare_air(PlantDraft& draft) {
  const Scenario& scenario = draft.scenario;
  HallParts& hall = draft.plant.hall;
  double aisles_m3 = 0.0;
  const std::vector<RowSize> rows = row_sizes(scenario);
  for (const RowSize& row : rows) {
    aisles_m3 += static_cast<double>(row.racks) * (cold_aisle_m3_per_rack + hot_aisle_m3_per_rack);
  }
  const bool has_plenum = scenario.cooling.crahs.is_given;
  const double plenum_m3 = has_plenum ? plenum_share * scenario.cooling.room.volume_m3 : 0.0;
  declare_room(draft, "room_1", scenario.cooling.room, aisles_m3 + plenum_m3);
  if (has_plenum) {
    hall.rooms.front().supply_node =
        draft.declare_node("room_1.plenum", air_j_per_k(plenum_m3), scenario.cooling.room.initial_k);
  }
  for (const RowSize& row : rows) declare_row(draft, row);
  if (!scenario.power.rooms.is_given) return;
  for (int side = 0; side < scenario.power.sides(); ++side) {
    declare_room(draft, fmt::format("electrical_room_{}", static_cast<char>('a' + side)), scenario.power.rooms.room,
                 0.0);
  }
}

void declare_air_handlers(PlantDraft& draft) {
  for (std::size_t room = 0; room < draft.plant.hall.rooms.size(); ++room) {
    if (crahs_of_room(draft, room).is_given) declare_crahs(draft, room, crahs_of_room(draft, room));
  }
}

void wire_rack_air(PlantDraft& draft, const RackAir& rack) {
  const Plant& plant = draft.plant;
  const HallParts& hall = plant.hall;
  const WaterPart& chilled = hall.chilled_water;
  const std::size_t airflow = plant.map.input(rack.airflow_input);
  const std::size_t door_flow = plant.map.flow(hall.door_flow);
  const double air = hall.air_specific_heat_j_per_kg_k;
  const double water = hall.water_specific_heat_j_per_kg_k;
  draft.link(rack.name + ".intake", rack.row.cold_node, rack.exhaust_node, airflow, air);
  draft.link(rack.name + ".door_air", rack.exhaust_node, rack.row.hot_node, airflow, air);
  draft.link(rack.name + ".door_supply", chilled.supply_node, rack.door_water_node, door_flow, water);
  draft.link(rack.name + ".door_return", rack.door_water_node, chilled.return_node, door_flow, water);
  draft.add<physics::RearDoorCoil>(
      draft.scenario.cooling.doors.door,
      {.air = draft.inlet_from<PortMedium::air>(rack.exhaust_node, airflow, air),
       .water = draft.inlet_from<PortMedium::liquid>(chilled.supply_node, door_flow, water)},
      {.air = draft.heat_into(rack.row.hot_node), .water = draft.heat_into(rack.door_water_node)});
  if (rack.door_fans.load == no_part) return;
  draft.add<physics::RearDoorFans>(
      draft.scenario.cooling.doors.door,
      {.fans = {as_number(plant.map.input(rack.door_fans.command_input))}, .air = {as_number(airflow)}},
      {.fans = {as_number(plant.map.load(rack.door_fans.load))}, .air = draft.heat_into(rack.row.hot_node)});
}

void wire_air(PlantDraft& draft) {
  HallParts& hall = draft.plant.hall;
  for (const CrahPart& crah : hall.crahs) wire_crah(draft, crah);
  for (const RowPart& row : hall.rows) wire_row(draft, row);
  for (std::size_t r = 0; r < hall.rooms.size(); ++r) {
    const RoomPart& room = hall.rooms[r];
    draft.plant.rooms.push_back({room.name, draft.heat(room.node)});
    if (room.mass_node == no_part) continue;
    draft.add<physics::RoomMass>({mass_conductance_w_per_k(spec_of_room(draft, r))},
                                 {.air = draft.body(room.node), .mass = draft.body(room.mass_node)},
                                 {.air = draft.heat_into(room.node), .mass = draft.heat_into(room.mass_node)});
  }
}

}  // namespace wattloop::twin
