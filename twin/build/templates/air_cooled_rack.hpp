// A rack of equipment that its own fans cool, with a rear door where the hall has doors, on the cords of racks.
#pragma once

#include <string_view>

#include "physics/air/air_cooled_rack.hpp"
#include "twin/build/templates/rack_air.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

struct AirCooledRackSpec {
  std::string_view noun;  ///< "storage rack"
  double highest_inlet_k = 0.0;
  double rated_w = 0.0;  ///< all of its equipment at full load
};

/// What the plant keeps of it: numbers of inputs and of the load.
struct AddedRack {
  std::size_t airflow_input = 0;
  std::size_t power_input = 0;
  std::size_t load = 0;
  DoorFanPart door_fans = {};
};

template <class Contents>
AddedRack add_air_cooled_rack(Diagram& diagram, const RackAir& air, const Scenario& scenario,
                              const AirCooledRackSpec& spec) {
  using Rack = physics::AirCooledRack<Contents>;
  const JoinedAir joined = declare_air(diagram, air, scenario);
  const DoorCodes door = door_codes(diagram, air, joined);
  const InputId power = diagram.declare_input(air.name + ".power", 0.0);
  const std::size_t load = diagram.declare_load({air.name, diagram.use_number(Rack::use), SupplyPoint::rack_pdus,
                                                 air.place, air.blocks, diagram.rows[air.row].room, spec.rated_w});
  const DoorFanPart fans = join_air(diagram, air, joined);
  diagram.add<Rack>(air.name,
                    {.highest_inlet_k = spec.highest_inlet_k,
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
  diagram.named.push_back({air.name, std::string(spec.noun), std::move(hangs_on), load});
  return {joined.airflow.number, power.number, load, fans};
}

}  // namespace wattloop::twin
