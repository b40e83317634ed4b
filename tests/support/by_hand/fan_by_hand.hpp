// A fan by hand: what motor and drive of an outdoor fan draw at part speed, and the density of the air that it moves.
#pragma once

#include <algorithm>
#include <cmath>

namespace wattloop::tests {

/// Density of outdoor air over that at sea level: as its pressure.
inline double thin_air_by_hand(double pressure_pa) { return pressure_pa / 101325.0; }

/// Electric power over that at full speed at sea level: shaft power f^n rho over the efficiencies of motor and drive, those at full speed
/// being 1; below a quarter of its speed the fan runs at a quarter and stops in turn.
inline double driven_fan_by_hand(double speed, double exponent, double density) {
  const auto motor = [](double load) { return 1.137209 * load / (0.0502359 + load) - 0.0891503 * load; };
  const auto drive = [](double f) { return 0.987405 * f / (0.0155361 + f) - 0.0059365 * f; };
  const double turning = std::max(speed, 0.25), shaft = density * std::pow(turning, exponent);
  return std::max(speed, 0.0) / turning * shaft * motor(1.0) * drive(1.0) / (motor(shaft) * drive(turning));
}

}  // namespace wattloop::tests
