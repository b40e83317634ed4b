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

void add_site(Diagram& diagram) {
  Meters& meters = diagram.meters;
  meters.feed = diagram.declare_meter("feed.energy");
  meters.outdoors = diagram.declare_meter("outdoors.heat");
  for (const UseOfPower& use : known_uses) diagram.use_number(use);
  meters.electrical_loss = diagram.declare_meter("electrical.loss");
  for (std::size_t kind = 0; kind < loss_kind_count; ++kind) {
    meters.loss[kind] = diagram.declare_meter(std::string(loss_kind_names[kind]) + ".loss");
  }
  HallParts& hall = diagram.hall;
  hall.air_specific_heat_j_per_kg_k = physics::air_specific_heat_j_per_kg_k;
  hall.water_specific_heat_j_per_kg_k = water_specific_heat_j_per_kg_k();
}

void declare_weather(Diagram& diagram, double typical_k) {
  HallParts& hall = diagram.hall;
  if (hall.dry_bulb_input != no_part) return;
  hall.dry_bulb_input = diagram.declare_input("weather.dry_bulb", typical_k).number;
  hall.wet_bulb_input = diagram.declare_input("weather.wet_bulb", typical_k).number;
  hall.outside_humidity_input = diagram.declare_input("weather.humidity_ratio", 0.0).number;
  hall.outside_pressure_input = diagram.declare_input("weather.pressure", sea_level_pa).number;
  hall.sky_meter = diagram.declare_meter("sky.heat");
  diagram.meters.boundaries.push_back(hall.sky_meter);
}

std::size_t make_up_meter(Diagram& diagram) {
  std::size_t& meter = diagram.hall.water_meter;
  if (meter == no_part) meter = diagram.declare_meter("towers.make_up_water", "kg");
  return meter;
}

WetAir outside_air(const Diagram& diagram) {
  const HallParts& hall = diagram.hall;
  return {.dry_bulb_k = number_of(InputId{hall.dry_bulb_input}),
          .wet_bulb_k = number_of(InputId{hall.wet_bulb_input}),
          .humidity_ratio = number_of(InputId{hall.outside_humidity_input}),
          .pressure_pa = number_of(InputId{hall.outside_pressure_input})};
}

}  // namespace wattloop::twin
