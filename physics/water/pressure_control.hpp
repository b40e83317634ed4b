// Speed of circulating pumps that hold the differential pressure between the headers of a loop.
//
//   ds/dt = (dp - s)/tau_s,  e = 1 - s/dp_set,  u = K e + I,  speed = clamp(u, n_min, n_max)
//
// All pumps of a loop follow one controller, as coolant units do that work as a group: several integrals of one pressure
// would drift against each other. What flows through the racks then depends on them alone, whatever pumps serve them, until
// the pumps reach full speed.
//
// Source: PI with back-calculation [astrom_hagglund2006] ch. 3.5; pressure over speed, which sets the gain,
// [asme_ashrae_pumps]. Verified in tests/verification/water/pressure_control.cpp.
#pragma once

#include <algorithm>
#include <array>

#include "core/parts/field.hpp"
#include "physics/fluids/pi_controller.hpp"

namespace wattloop::physics {

/// Settings of the controller.
struct PressureControlParams {
  double gain_ratio = 0.2;
  double integral_time_s = 2.0;
  double sensor_lag_s = 0.5;
  double lowest_speed_fraction = 0.2;

  static constexpr auto fields() {
    using P = PressureControlParams;
    return std::array{
        Field<P>{&P::gain_ratio, "gain", "1", Range::positive,
                 "Proportional gain: speed per deviation of the pressure over its set-point."},
        Field<P>{&P::integral_time_s, "integral_time", "s", Range::positive, "Integral time of the controller."},
        Field<P>{&P::sensor_lag_s, "sensor_lag", "s", Range::positive, "Time constant of the pressure sensor."},
        Field<P>{&P::lowest_speed_fraction, "lowest_speed", "1", Range::fraction, "Lowest speed of a running pump."},
    };
  }
};

/// States of the control of one loop.
struct PressureControl {
  double sensor_pa;
  double integral_fraction;  ///< of the PI, in speeds
};

/// What the controller wants: a pressure to hold with speeds up to a highest; no set-point (0): the highest speed.
struct PressureDemand {
  double set_point_pa;
  double highest_speed_fraction;
};

/// Speed that a running pump is ordered, and the rate of the integral.
inline PiNow ordered_speed(const PressureControlParams& p, const PressureDemand& demand,
                           const PressureControl& now) noexcept {
  const double highest = demand.highest_speed_fraction;
  if (demand.set_point_pa <= 0.0) return {highest, (highest - now.integral_fraction) / p.integral_time_s};
  const double lowest = std::min(p.lowest_speed_fraction, highest);
  return pi_control({p.gain_ratio, p.integral_time_s, lowest, highest}, 1.0 - now.sensor_pa / demand.set_point_pa,
                    now.integral_fraction);
}

/// Time derivatives of the control for the pressure now; members are rates per second.
inline PressureControl pressure_control_rates(const PressureControlParams& p, const PressureDemand& demand,
                                              const PressureControl& now, double pressure_pa) noexcept {
  return {.sensor_pa = (pressure_pa - now.sensor_pa) / p.sensor_lag_s,
          .integral_fraction = ordered_speed(p, demand, now).integral_rate_per_s};
}

}  // namespace wattloop::physics
