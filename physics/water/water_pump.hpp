// Centrifugal pump that serves a water system at a held differential pressure: facility water, chilled water, towers.
//
//   m = share of the system's flow,  P = n^2 dp m / (rho eta),  dn/dt = (n_command - n) / tau
//
// The system is balanced so that the pressure falls with the square of the speed: at full speed the pump works at its
// design pressure, whatever the valves take. The cube law of a pump in a fixed system follows, since m ~ n there.
//
// Source: [asme_ashrae_pumps], affinity laws. Verified in tests/verification/water_pump.cpp.
#pragma once

#include <algorithm>
#include <array>

#include "core/field.hpp"

namespace wattloop::physics {

/// One pump.
struct WaterPumpParams {
  double rated_flow_kg_per_s = required;
  double pressure_pa = required;
  double efficiency_fraction = 0.7;
  double start_lag_s = 3.0;
  double coast_down_lag_s = 3.0;

  static constexpr auto fields() {
    using P = WaterPumpParams;
    return std::array{
        Field<P>{&P::rated_flow_kg_per_s, "rated_flow", "kg/s", Range::positive,
                 "Flow at full speed and design pressure."},
        Field<P>{&P::pressure_pa, "pressure", "Pa", Range::positive,
                 "Pressure rise that the pump holds at full speed."},
        Field<P>{&P::efficiency_fraction, "efficiency", "1", Range::positive_fraction,
                 "Wire-to-water efficiency of pump, motor and drive."},
        Field<P>{&P::start_lag_s, "start_lag", "s", Range::positive, "Time constant of speeding up."},
        Field<P>{&P::coast_down_lag_s, "coast_down_lag", "s", Range::positive, "Time constant of coasting down."},
    };
  }
};

inline constexpr double pumped_water_kg_per_m3 = 998.0;

/// Electric power at a share of full speed and a flow.
inline double water_pump_power_w(const WaterPumpParams& p, double speed_fraction, double flow_kg_per_s) noexcept {
  const double pressure_pa = speed_fraction * speed_fraction * p.pressure_pa;
  return pressure_pa * std::max(flow_kg_per_s, 0.0) / (pumped_water_kg_per_m3 * p.efficiency_fraction);
}

/// What a pump adds: electric power, of it the hydraulic part to the water and the loss to where it stands.
struct PumpedHeat {
  double electric_w;
  double water_w;
  double loss_w;
};

/// `on` is 1 for a motor that is ordered to run, else 0: then it draws nothing, however fast it still turns.
inline PumpedHeat pumped_heat(const WaterPumpParams& pump, double on, double speed_fraction,
                              double flow_kg_per_s) noexcept {
  const double electric_w = on * water_pump_power_w(pump, speed_fraction, flow_kg_per_s);
  const double water_w = pump.efficiency_fraction * electric_w;
  return {electric_w, water_w, electric_w - water_w};
}

/// Time derivative of the speed fraction of anything with a motor, 1/s.
inline double speed_rate_per_s(double start_lag_s, double coast_down_lag_s, double speed_fraction,
                               double command_fraction) noexcept {
  return (command_fraction - speed_fraction) / (command_fraction > speed_fraction ? start_lag_s : coast_down_lag_s);
}

}  // namespace wattloop::physics
