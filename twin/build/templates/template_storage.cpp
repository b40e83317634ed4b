// Racks of the storage that jobs share, in a row of their own: appliances in the air between cold and hot aisle, with a rear door where
// the hall has doors, on the cords of racks.

#include <fmt/format.h>

#include "physics/air/storage_rack.hpp"
#include "twin/build/templates/rack_air.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

void add_storage_rack(Diagram& diagram, const RackAir& air, const Scenario& scenario, double appliances) {
  const workload::ApplianceParams& appliance = scenario.storage_racks->appliance;
  const JoinedAir joined = declare_air(diagram, air, scenario);
  const DoorCodes door = door_codes(diagram, air, joined);
  const InputId power = diagram.declare_input(air.name + ".power", 0.0);
  const std::size_t load =
      diagram.declare_load({air.name, diagram.use_number(physics::StorageRack::use), SupplyPoint::rack_pdus, air.place,
                            air.blocks, diagram.rows[air.row].room, appliances * appliance.active_w});
  const DoorFanPart fans = join_air(diagram, air, joined);
  diagram.add<physics::StorageRack>(
      air.name,
      {.highest_inlet_k = appliance.highest_inlet_k,
       .door_water_j_per_kg_k = water_specific_heat_j_per_kg_k(),
       .door_rated_heat_w = door_rating_w(air)},
      {.power_w = number_of(power)},
      {.supply = {as_number(code_of(Region::load, load))}, .air = heat_into(joined.exhaust)},
      {.inlet_air_k = temperature_number(diagram.rows[air.row].cold_aisle),
       .outlet_air_k = temperature_number(joined.exhaust),
       .door_supply_k = door.supply_k,
       .door_return_k = door.return_k,
       .door_kg_per_s = door.kg_per_s,
       .air_kg_per_s = number_of(joined.airflow)});
  std::vector<std::string> hangs_on;
  if (joined.door) hangs_on.push_back(joined.door->system.name);
  hangs_on.push_back(diagram.rows[air.row].name);
  diagram.named.push_back({air.name, "storage rack", std::move(hangs_on), load});
  diagram.it.storage_racks.push_back({.name = air.name,
                                      .airflow_input = joined.airflow.number,
                                      .power_input = power.number,
                                      .appliances = appliances,
                                      .load = load,
                                      .door_fans = fans});
}

}  // namespace

void add_storage_racks(Diagram& diagram, const Scenario& scenario, const RackPlan& plan) {
  if (!scenario.storage_racks) return;
  const StorageRacksSpec& spec = *scenario.storage_racks;
  diagram.it.appliance = spec.appliance;
  const DoorsSpec* doors = find_doors(scenario.cooling, spec.door);
  for (const PlannedRow& row : plan.storage_rows) {
    const std::size_t number = row_number(diagram, row.name), on_any = racks_on_any_block(diagram, row.room);
    for (std::size_t rack = 0; rack < row.racks; ++rack) {
      const auto before = [&](std::size_t r) { return r * static_cast<std::size_t>(spec.count) / row.racks; };
      const auto appliances = static_cast<double>(before(rack + 1) - before(rack));
      add_storage_rack(diagram,
                       {.name = fmt::format("storage_rack_{}", rack + 1),
                        .row = number,
                        .airflow_kg_per_s = appliances * spec.appliance.airflow_kg_per_s,
                        .place = on_any + rack,
                        .doors = doors},
                       scenario, appliances);
    }
  }
}

}  // namespace wattloop::twin
