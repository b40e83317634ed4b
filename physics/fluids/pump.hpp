// Centrifugal pump on its curve, with affinity laws and coast-down.
//
//   dp = n^2 a + n b Q + c Q^2           n = speed / rated speed, Q volume flow
//   P  = P_0 n^3 + max(dp Q, 0) / eta    idle part follows the cube, the rest the hydraulic power
//   dn/dt = (n_command - n) / tau        tau: start lag when speeding up, coast-down lag when slowing down
//
// Source: [asme_ashrae_pumps]. Valid for forward flow up to run-out with one efficiency for every speed.
// Verified in tests/verification/water/pump_operating_point.cpp.
#pragma once

#include <algorithm>
#include <array>

#include "core/parts/field.hpp"

namespace wattloop::physics {

/// One pump.
struct PumpParams {
  double shutoff_pressure_pa = required;
  double linear_pa_s_per_m3 = 0.0;
  double quadratic_pa_s2_per_m6 = required;
  double efficiency_fraction = 0.55;
  double idle_power_w = 0.0;
  double loss_to_liquid_fraction = 0.0;
  double start_lag_s = 2.0;
  double coast_down_lag_s = 1.5;

  static constexpr auto fields() {
    using P = PumpParams;
    return std::array{
        Field<P>{&P::shutoff_pressure_pa, "shutoff_pressure", "Pa", Range::positive,
                 "Pressure rise at rated speed and zero flow."},
        Field<P>{&P::linear_pa_s_per_m3, "pressure_per_flow", "Pa s m-3", Range::any,
                 "Linear coefficient of pressure rise over volume flow at rated speed."},
        Field<P>{&P::quadratic_pa_s2_per_m6, "pressure_per_flow_squared", "Pa s2 m-6", Range::any,
                 "Quadratic coefficient of pressure rise over volume flow at rated speed; negative."},
        Field<P>{&P::efficiency_fraction, "efficiency", "1", Range::positive_fraction, "Wire-to-water efficiency."},
        Field<P>{&P::idle_power_w, "idle_power", "W", Range::non_negative,
                 "Electric power at rated speed and zero flow; it follows the cube of the speed."},
        Field<P>{&P::loss_to_liquid_fraction, "loss_to_liquid", "1", Range::fraction,
                 "Share of the losses of pump and motor that heats the liquid (high for a canned motor); the remaining "
                 "share heats the surroundings."},
        Field<P>{&P::start_lag_s, "start_lag", "s", Range::positive,
                 "Time constant of the speed while the pump starts."},
        Field<P>{&P::coast_down_lag_s, "coast_down_lag", "s", Range::positive,
                 "Time constant of the speed while the pump coasts down after a trip."},
    };
  }
};

/// Pressure rise at a speed (fraction of rated) and a volume flow; negative beyond run-out.
inline double pump_pressure_pa(const PumpParams& p, double speed_fraction, double flow_m3_per_s) noexcept {
  return speed_fraction * (speed_fraction * p.shutoff_pressure_pa + p.linear_pa_s_per_m3 * flow_m3_per_s) +
         p.quadratic_pa_s2_per_m6 * flow_m3_per_s * flow_m3_per_s;
}

/// Electric power.
inline double pump_power_w(const PumpParams& p, double speed_fraction, double flow_m3_per_s) noexcept {
  const double hydraulic_w = std::max(pump_pressure_pa(p, speed_fraction, flow_m3_per_s) * flow_m3_per_s, 0.0);
  return p.idle_power_w * speed_fraction * speed_fraction * speed_fraction + hydraulic_w / p.efficiency_fraction;
}

/// Time derivative of the speed fraction, 1/s.
inline double pump_speed_rate_per_s(const PumpParams& p, double speed_fraction, double command_fraction) noexcept {
  const double lag_s = command_fraction > speed_fraction ? p.start_lag_s : p.coast_down_lag_s;
  return (command_fraction - speed_fraction) / lag_s;
}

}  // namespace wattloop::physics
