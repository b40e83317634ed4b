// PI controller with limits and back-calculation against wind-up.
//
//   u = K e + I,  output = clamp(u),  dI/dt = (K e + output - u) / T_i
//
// Inside the limits this is the ideal PI; at a limit the integral runs after the output with the time
// constant T_i, so that it always has one resting point.
//
// Source: [astrom_hagglund2006] ch. 3.5. Verified in tests/verification/water/cdu_control.cpp.
#pragma once

#include <algorithm>

namespace wattloop::physics {

/// Settings of a controller whose output lies between two limits.
struct PiSettings {
  double gain;  ///< output per unit of error
  double integral_time_s;
  double lowest = 0.0;
  double highest = 1.0;
};

/// What the controller does now.
struct PiNow {
  double output;
  double integral_rate_per_s;
};

/// Output and rate of the integral for an error that shall vanish; a positive error raises the output.
inline PiNow pi_control(const PiSettings& settings, double error, double integral) noexcept {
  const double proportional = settings.gain * error;
  const double unclamped = proportional + integral;
  const double output = std::clamp(unclamped, settings.lowest, settings.highest);
  return {output, (proportional + output - unclamped) / settings.integral_time_s};
}

}  // namespace wattloop::physics
