// Centrifugal pump that serves a water system: facility water, chilled water, towers.
//
//   balanced system:  m = share of the system's flow,  P = n^2 dp m / (rho eta),  dn/dt = (n_command - n) / tau
//   on its curve:     p(m, n) = dp (n^2 (1 + a) - a (m / m_r)^2)
//                     P(m, n) = P_r n^3 (b + (1 - b) m / (n m_r)),  P_r = dp m_r / (rho eta)
//
// A balanced system lets the pressure fall with the square of the speed: at full speed the pump works at its
// design pressure, whatever the valves take. The cube law of a pump in a fixed system follows, since m ~ n there.
// Where flows follow from pressures, the pump is on its curve: a parabola through shut-off and rating, with power on a straight
// line between the two, both moved by affinity.
//
// Source: [asme_ashrae_pumps], affinity laws. Verified in tests/verification/water/water_pump.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parts/field.hpp"

namespace wattloop::physics {

inline constexpr double pumped_water_kg_per_m3 = 998.0;

/// One pump.
struct WaterPumpParams {
  double rated_flow_kg_per_s = required;
  double pressure_pa = required;
  double efficiency_fraction = 0.7;
  double start_lag_s = 3.0;
  double coast_down_lag_s = 3.0;
  double density_kg_per_m3 = pumped_water_kg_per_m3;  ///< of what it moves; follows from its system

  static constexpr auto fields() {
    using P = WaterPumpParams;
    return std::array{
        Field<P>{&P::rated_flow_kg_per_s, "rated_flow", "kg/s", Range::positive,
                 "Flow at full speed and design pressure."},
        Field<P>{&P::pressure_pa, "pressure", "Pa", Range::positive, "Pressure rise at full speed and rated flow."},
        Field<P>{&P::efficiency_fraction, "efficiency", "1", Range::positive_fraction,
                 "Wire-to-water efficiency of pump, motor and drive."},
        Field<P>{&P::start_lag_s, "start_lag", "s", Range::positive,
                 "Time constant of the speed while the pump starts."},
        Field<P>{&P::coast_down_lag_s, "coast_down_lag", "s", Range::positive,
                 "Time constant of the speed while the pump coasts down."},
    };
  }
};

/// A pump beside its rating. Defaults: a Wilo IL 80/220 beside its best point [modelica_buildings].
struct WaterPumpCurveParams {
  double shutoff_rise_ratio = 0.31;
  double shutoff_power_ratio = 0.46;

  static constexpr auto fields() {
    using P = WaterPumpCurveParams;
    return std::array{
        Field<P>{&P::shutoff_rise_ratio, "shutoff_rise", "1", Range::positive,
                 "Shut-off pressure: pressure at zero flow minus pressure at rated flow, divided by the pressure at "
                 "rated flow, at full speed."},
        Field<P>{&P::shutoff_power_ratio, "shutoff_power", "1", Range::fraction,
                 "Electric power at zero flow divided by electric power at rated flow, at full speed."},
    };
  }
};

/// Electric power at a share of full speed and a flow.
inline double water_pump_power_w(const WaterPumpParams& p, double speed_fraction, double flow_kg_per_s) noexcept {
  const double pressure_pa = speed_fraction * speed_fraction * p.pressure_pa;
  return pressure_pa * std::max(flow_kg_per_s, 0.0) / (p.density_kg_per_m3 * p.efficiency_fraction);
}

/// A pump whose pressure and flow follow its curve.
struct PumpOnCurve {
  WaterPumpParams pump;
  WaterPumpCurveParams curve;

  /// Pressure rise at a share of full speed.
  double pressure_pa(double speed_fraction, double flow_kg_per_s) const noexcept {
    const double flow_ratio = flow_kg_per_s / pump.rated_flow_kg_per_s;
    return pump.pressure_pa * (speed_fraction * speed_fraction * (1.0 + curve.shutoff_rise_ratio) -
                               curve.shutoff_rise_ratio * flow_ratio * flow_ratio);
  }

  /// Electric power at this speed and flow.
  double power_w(double speed_fraction, double flow_kg_per_s) const noexcept {
    const double flow_ratio = std::max(flow_kg_per_s, 0.0) / pump.rated_flow_kg_per_s;
    const double rated_w = water_pump_power_w(pump, 1.0, pump.rated_flow_kg_per_s);
    return rated_w * speed_fraction * speed_fraction *
           (curve.shutoff_power_ratio * speed_fraction + (1.0 - curve.shutoff_power_ratio) * flow_ratio);
  }

  /// Speed that gives its rated pressure at a flow.
  double speed_that_holds(double flow_kg_per_s) const noexcept {
    const double flow_ratio = flow_kg_per_s / pump.rated_flow_kg_per_s;
    return std::sqrt((1.0 + curve.shutoff_rise_ratio * flow_ratio * flow_ratio) / (1.0 + curve.shutoff_rise_ratio));
  }
};

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
