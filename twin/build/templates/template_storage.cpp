// Racks of the storage that jobs share, in a row of their own: appliances in the air between cold and hot aisle, with a rear door where
// the hall has doors, on the cords of racks.

#include <fmt/format.h>

#include "twin/build/templates/air_cooled_rack.hpp"
#include "twin/build/templates/rack_air.hpp"

namespace wattloop::twin {

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
      const RackAir air{.name = fmt::format("storage_rack_{}", rack + 1),
                        .row = number,
                        .airflow_kg_per_s = appliances * spec.appliance.airflow_kg_per_s,
                        .place = on_any + rack,
                        .doors = doors};
      const AddedRack added = add_air_cooled_rack<physics::AppliancesOfRack>(
          diagram, air, scenario,
          {"storage rack", spec.appliance.highest_inlet_k, appliances * spec.appliance.active_w});
      diagram.it.storage_racks.push_back({.name = air.name,
                                          .airflow_input = added.airflow_input,
                                          .power_input = added.power_input,
                                          .appliances = appliances,
                                          .load = added.load,
                                          .door_fans = added.door_fans});
    }
  }
}

}  // namespace wattloop::twin
