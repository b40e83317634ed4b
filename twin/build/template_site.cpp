// Meters of energy, and what it is like outside.

#include "physics/fluid.hpp"
#include "twin/build/templates.hpp"

namespace wattloop::twin {

namespace {

/// Where the heat capacity of facility and chilled water is taken.
constexpr double water_reference_k = 293.15;

constexpr double sea_level_pa = 101325.0;

}  // namespace

double water_specific_heat_j_per_kg_k() {
  return physics::find_fluid("water").specific_heat_j_per_kg_k(water_reference_k);
}

double water_heat_capacity_j_per_k(double volume_m3) {
  return volume_m3 * (physics::find_fluid("water").density_kg_per_m3(water_reference_k) *
                      water_specific_heat_j_per_kg_k());
}

double air_heat_capacity_j_per_k(double volume_m3) {
  return volume_m3 * physics::air_density_kg_per_m3 * physics::air_specific_heat_j_per_kg_k;
}

void add_site(Diagram& diagram, const CoolingSpec& cooling) {
  Meters& meters = diagram.meters;
  meters.feed = diagram.declare_meter("feed.energy");
  meters.outdoors = diagram.declare_meter("outdoors.heat");
  for (std::size_t use = 0; use < load_use_count; ++use) {
    meters.energy[use] = diagram.declare_meter(std::string(load_use_names[use]) + ".energy");
  }
  meters.electrical_loss = diagram.declare_meter("electrical.loss");
  for (std::size_t kind = 0; kind < loss_kind_count; ++kind) {
    meters.loss[kind] = diagram.declare_meter(std::string(loss_kind_names[kind]) + ".loss");
  }
  HallParts& hall = diagram.hall;
  hall.air_specific_heat_j_per_kg_k = physics::air_specific_heat_j_per_kg_k;
  hall.water_specific_heat_j_per_kg_k = water_specific_heat_j_per_kg_k();
  if (!cooling.facility.towers.is_given) return;
  hall.dry_bulb_input = diagram.declare_input("weather.dry_bulb", cooling.facility.supply_k).number;
  hall.wet_bulb_input = diagram.declare_input("weather.wet_bulb", cooling.facility.supply_k).number;
  hall.outside_humidity_input = diagram.declare_input("weather.humidity_ratio", 0.0).number;
  hall.outside_pressure_input = diagram.declare_input("weather.pressure", sea_level_pa).number;
  hall.sky_meter = diagram.declare_meter("sky.heat");
  meters.boundaries.push_back(hall.sky_meter);
  hall.water_meter = diagram.declare_meter("towers.make_up_water", "kg");
}

}  // namespace wattloop::twin
