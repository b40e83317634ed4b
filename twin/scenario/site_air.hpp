// Air of the site: fans and coils move volume, so that thin air of a high site carries less heat, at less power of their shafts.
//
//   at full speed    m = m_0 r,  P = P_0 r                            r = p / 101.325 kPa
//   the same mass    P = P_0 / r^2, by a speed 1/r as high: 1.476 times the watts at 83.4 kPa
//   films            follow the mass that passes, as at sea level
//
// Data sheets are of sea level. What they say of fans of nodes, racks of switches, rear doors, air handlers and in-row units is
// brought to the site before a plant is built: a coil of design flow m_0 r with the conductance that it has there is the same coil.
//
// Source: fan laws [asme_ashrae_pumps]. The pressure of a weather file is its mean: weather moves it by 1 % or so. Verified in
// tests/verification/air/altitude_indoors.cpp. Documented in docs/models/hall_air.md.
#pragma once

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// The year of a weather file; none without a file, or where anything is wrong with it.
std::optional<physics::Weather> year_of_file(const WeatherSpec& weather);

/// Density of the air over that at sea level: of `pressure` where the scenario says it, else of the mean pressure of its year; 1 of a design day.
double site_density_ratio(const WeatherSpec& weather);

/// A coil with fans, as a data sheet says it.
struct CoilAndFans {
  double &conductance_w_per_k, &air_kg_per_s, &fan_power_w, &air_share_fraction;
  double air_exponent;
};

/// 1/UA = (1/UA_0) (s (m/m_0)^-n + 1 - s), taken at m = m_0 r.
void move_coil(const CoilAndFans& coil, double density_ratio);

/// Brings what moves indoor air from sea level to a site.
void move_to_site(Scenario& scenario, double density_ratio);

}  // namespace wattloop::twin
