#include "twin/scenario/site_air.hpp"

#include <algorithm>
#include <any>
#include <cmath>

#include "physics/air/air_density.hpp"
#include "physics/air/in_row_unit.hpp"
#include "physics/weather/weather.hpp"
#include "physics/weather/weather_epw.hpp"

namespace wattloop::twin {

namespace {

void move_handlers(CrahsSpec& handlers, double density_ratio) {
  physics::CrahParams& p = handlers.crah;
  if (!handlers.is_given) return;
  move_coil({p.design_conductance_w_per_k, p.air_design_flow_kg_per_s, p.fan_power_w, p.air_side_fraction,
             p.air_flow_exponent_ratio},
            density_ratio);
}

/// Base power contains fans at full speed.
void move_nodes(NodeHardware& node, double density_ratio) {
  const double saved_w = (1.0 - density_ratio) * node.fan_w;
  node.airflow_kg_per_s *= density_ratio;
  node.fan_w -= saved_w;
  node.split.base_w = std::max(node.split.base_w - saved_w, 0.0);
}

}  // namespace

void move_coil(const CoilAndFans& coil, double density_ratio) {
  const double film = coil.air_share_fraction * std::pow(density_ratio, -coil.air_exponent);
  const double resistance_ratio = film + 1.0 - coil.air_share_fraction;
  coil.conductance_w_per_k /= resistance_ratio;
  coil.air_share_fraction = film / resistance_ratio;
  coil.air_kg_per_s *= density_ratio;
  coil.fan_power_w *= density_ratio;
}

std::optional<physics::Weather> year_of_file(const WeatherSpec& weather) {
  if (weather.file.empty()) return std::nullopt;
  Problems reported_when_the_plant_is_built;
  physics::Weather year = physics::read_epw(weather.file, reported_when_the_plant_is_built, weather.file_place);
  if (!reported_when_the_plant_is_built.empty()) return std::nullopt;
  return year;
}

double site_density_ratio(const WeatherSpec& weather) {
  if (weather.pressure_pa > 0.0) return physics::density_over_sea_level_ratio(weather.pressure_pa);
  if (!weather.year) return 1.0;
  double sum_pa = 0.0;
  for (const physics::WeatherNow& now : weather.year->samples) sum_pa += now.pressure_pa;
  return physics::density_over_sea_level_ratio(sum_pa / static_cast<double>(weather.year->samples.size()));
}

void move_to_site(Scenario& scenario, double density_ratio) {
  if (density_ratio == 1.0) return;
  for (RacksSpec& racks : scenario.racks) move_nodes(racks.hardware, density_ratio);
  scenario.network.airflow_kg_per_s *= density_ratio;
  for (DoorsSpec& doors : scenario.cooling.doors) {
    physics::RearDoorParams& p = doors.door;
    move_coil({p.design_conductance_w_per_k, p.air_design_flow_kg_per_s, p.fan_power_w, p.air_side_fraction,
               p.air_flow_exponent_ratio},
              density_ratio);
  }
  for (CrahsSpec& handlers : scenario.cooling.crahs) move_handlers(handlers, density_ratio);
  move_handlers(scenario.power.rooms.crahs, density_ratio);
  for (PartSpec& part : scenario.parts) {
    if (auto* p = std::any_cast<physics::InRowUnit::Params>(&part.params)) {
      move_coil(
          {p->conductance_w_per_k, p->design_airflow_kg_per_s, p->fan_power_w, p->air_share_fraction, p->air_exponent},
          density_ratio);
    }
  }
}

}  // namespace wattloop::twin
