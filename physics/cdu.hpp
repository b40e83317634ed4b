// Coolant distribution unit: plate heat exchanger between facility and technology loop, valve on the supply temperature.
//
//   1/UA = (1/UA_0) ((m_h/m_h0)^-n + (m_c/m_c0)^-n) / 2,  Q = eps C_min (T_hot,in - T_cold,in), counterflow
//   facility flow = f(valve) * design facility flow, f equal percentage, closed tight below its range
//
// Source: [incropera2011] ch. 11; exponent 0.8: REFERENCES 3. Verified in tests/verification/cdu_rating.cpp.
#pragma once

#include <array>
#include <string>

#include "core/field.hpp"

namespace wattloop::physics {

/// A coolant distribution unit without its pumps.
struct CduParams {
  double rated_heat_w = required;
  double design_conductance_w_per_k = required;
  double technology_design_flow_kg_per_s = required;
  double facility_design_flow_kg_per_s = required;
  double flow_exponent_ratio = 0.8;
  double internal_pressure_drop_pa = required;
  double technology_volume_m3 = required;
  double facility_volume_m3 = required;
  double valve_rangeability_ratio = 50.0;
  double valve_lag_s = 8.0;
  double sensor_lag_s = 3.0;
  double valve_gain_per_k = 0.03;
  double valve_integral_time_s = 40.0;
  int pump_count = 2;

  static constexpr auto fields() {
    using P = CduParams;
    return std::array{
        Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive,
                 "Heat that one unit moves at its design point; for checks and loading."},
        Field<P>{&P::design_conductance_w_per_k, "design_conductance", "W/K", Range::positive,
                 "UA of the plate heat exchanger at both design flows."},
        Field<P>{&P::technology_design_flow_kg_per_s, "technology_design_flow", "kg/s", Range::positive,
                 "Flow of the technology side at the design point."},
        Field<P>{&P::facility_design_flow_kg_per_s, "facility_design_flow", "kg/s", Range::positive,
                 "Flow of the facility side with the valve fully open."},
        Field<P>{&P::flow_exponent_ratio, "flow_exponent", "1", Range::fraction,
                 "Exponent of either flow in its film conductance."},
        Field<P>{&P::internal_pressure_drop_pa, "internal_pressure_drop", "Pa", Range::positive,
                 "Pressure drop of the technology side inside the unit at design flow, not in the pump curve."},
        Field<P>{&P::technology_volume_m3, "technology_volume", "m3", Range::positive,
                 "Coolant inside the unit on the technology side."},
        Field<P>{&P::facility_volume_m3, "facility_volume", "m3", Range::positive,
                 "Water inside the unit on the facility side."},
        Field<P>{&P::valve_rangeability_ratio, "valve_rangeability", "1", Range::positive,
                 "Largest over smallest controllable flow of the equal-percentage valve."},
        Field<P>{&P::valve_lag_s, "valve_lag", "s", Range::positive,
                 "Time constant of the valve actuator."},
        Field<P>{&P::sensor_lag_s, "sensor_lag", "s", Range::positive,
                 "Time constant of the supply-temperature sensor."},
        Field<P>{&P::valve_gain_per_k, "valve_gain", "delta_K-1", Range::positive,
                 "Proportional gain: valve position per kelvin of error."},
        Field<P>{&P::valve_integral_time_s, "valve_integral_time", "s", Range::positive,
                 "Integral time of the supply-temperature controller."},
        Field<P>{&P::pump_count, "pumps", Range::non_negative,
                 "Pumps in the unit; the second is standby."},
    };
  }
};

}  // namespace wattloop::physics
