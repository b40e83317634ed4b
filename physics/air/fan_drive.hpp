// Electric power of a fan with an induction motor and a variable-frequency drive, which lose little at full speed and much of what
// is left at a low one.
//
//   x = f^n rho / rho_0                               shaft power over that at full speed: affinity
//   P / P_0 = x g(1) / g(x, f),  g = eta_m(x) eta_d(f)
//   eta_m = a x / (b + x) + c x,  a, b, c = 1.137209, 0.0502359, -0.0891503       motor over its load
//   eta_d = a f / (b + f) + c f,  a, b, c = 0.987405, 0.0155361, -0.0059365       drive over speed
//   below f = 0.25 the fan runs at 0.25 and stops in turn, so that P falls in proportion to f
//
// Source: curves of an average motor and of a drive in the examples of Fan:ComponentModel [energyplus_fan_component]; least speed
// [evapco_minimum_fan_speed]. Valid for fans without belts and without static pressure; not for fans with electronically
// commutated motors, for which no curve is known to us. Verified in tests/verification/air/fan_drive.cpp.
#pragma once

#include <algorithm>

namespace wattloop::physics {

inline constexpr double least_fan_speed_fraction = 0.25;

/// Electric power over that at full speed, of a shaft with that share of its full power at that share of full speed, both above 0.
inline double driven_power_ratio(double shaft_ratio, double speed_fraction) noexcept {
  constexpr double ma = 1.137209, mb = 0.0502359, mc = -0.0891503, da = 0.987405, db = 0.0155361, dc = -0.0059365;
  constexpr double whole = (ma / (mb + 1.0) + mc) * (da / (db + 1.0) + dc);
  const double motor_in = (mb + shaft_ratio) / (ma + mc * (mb + shaft_ratio));  // x / eta_m, finite at x = 0
  return whole * motor_in / (speed_fraction * (da / (db + speed_fraction) + dc));
}

/// Electric power over that at full speed in air of the rated density; `shaft_at_speed(f)`: shaft power over its full one.
template <class ShaftAtSpeed>
double fan_power_ratio(double speed_fraction, const ShaftAtSpeed& shaft_at_speed) noexcept {
  const double turning = std::max(speed_fraction, least_fan_speed_fraction);
  const double share_of_time = std::max(speed_fraction, 0.0) / turning;
  return share_of_time * driven_power_ratio(shaft_at_speed(turning), turning);
}

/// The same, with shaft power by the cube of speed and in proportion to the density of the air.
inline double fan_power_ratio(double speed_fraction, double density_ratio = 1.0) noexcept {
  return fan_power_ratio(speed_fraction, [=](double f) { return density_ratio * f * f * f; });
}

}  // namespace wattloop::physics
