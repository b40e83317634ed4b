// Coolant distribution unit: plate exchanger between facility and technology loop, valve on the supply.
//
//   1/UA = (1/UA_0) (r (m_h/m_h0)^-n + (m_c/m_c0)^-n) / (1 + r)    r: facility over technology film at design
//   Q = eps C_min (T_hot,in - T_cold,in), counterflow
//   facility flow = f / sqrt(N + (1 - N) f^2) * design flow                   N: authority of the valve
//   f = R^(x-1) above x_0 = 1 / ln R, below it the tangent through 0
//
// Source: [incropera2011] ch. 11; exponent 0.8, ratio of films and equal-percentage valve: [modelica_buildings].
// Verified in tests/verification/water/cdu_part_flow.cpp, cdu_rating.cpp; the valve follows
// physics/water/cdu_valve.hpp.
#pragma once

#include <array>
#include <cmath>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/fluids/effectiveness.hpp"
#include "physics/fluids/stream.hpp"
#include "physics/fluids/valve.hpp"

namespace wattloop::physics {

/// A coolant distribution unit without its pumps.
struct CduParams {
  double rated_heat_w = required;
  double design_conductance_w_per_k = required;
  double technology_design_flow_kg_per_s = required;
  double facility_design_flow_kg_per_s = required;
  double flow_exponent_ratio = 0.8;
  double film_conductance_ratio = 1.0;
  double internal_pressure_drop_pa = required;
  double internal_pressure_exponent = 2.0;
  double technology_volume_m3 = required;
  double facility_volume_m3 = required;
  double valve_rangeability_ratio = 50.0;
  double valve_authority_fraction = 0.0;  ///< 0: not said
  double smallest_flow_fraction = 0.0;    ///< of the design flow; 0: the valve closes tight
  double valve_lag_s = 8.0;
  double sensor_lag_s = 3.0;
  double valve_gain_per_k = 0.06;
  double valve_integral_time_s = 40.0;
  int pump_count = 2;

  static constexpr auto fields() {
    using P = CduParams;
    return std::array{
        Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive,
                 "Heat that one unit transfers at its design point; used for checks and for the loading."},
        Field<P>{&P::design_conductance_w_per_k, "design_conductance", "W/K", Range::positive,
                 "UA of the plate heat exchanger at both design flows."},
        Field<P>{&P::technology_design_flow_kg_per_s, "technology_design_flow", "kg/s", Range::positive,
                 "Flow of the technology side at the design point."},
        Field<P>{&P::facility_design_flow_kg_per_s, "facility_design_flow", "kg/s", Range::positive,
                 "Flow of the facility side with the valve fully open."},
        Field<P>{&P::flow_exponent_ratio, "flow_exponent", "1", Range::fraction,
                 "Exponent of each flow in the conductance of its film."},
        Field<P>{&P::film_conductance_ratio, "film_ratio", "1", Range::positive,
                 "Film conductance of the facility side divided by film conductance of the technology side, at both "
                 "design flows."},
        Field<P>{&P::internal_pressure_drop_pa, "internal_pressure_drop", "Pa", Range::positive,
                 "Pressure drop of the technology side inside the unit at the design flow; it is not part of the pump "
                 "curve."},
        Field<P>{&P::internal_pressure_exponent, "internal_pressure_exponent", "1", Range::positive,
                 "Exponent of the flow in this pressure drop, 1 to 2: 2 in rough passages, 1.75 in smooth passages."},
        Field<P>{&P::technology_volume_m3, "technology_volume", "m3", Range::positive,
                 "Coolant inside the unit on the technology side."},
        Field<P>{&P::facility_volume_m3, "facility_volume", "m3", Range::positive,
                 "Water inside the unit on the facility side."},
        Field<P>{&P::valve_rangeability_ratio, "valve_rangeability", "1", Range::positive,
                 "Rangeability of the equal-percentage valve: largest over smallest controllable flow."},
        Field<P>{&P::valve_authority_fraction, "valve_authority", "1", Range::fraction,
                 "Authority of the valve: share of the fully open valve in the pressure drop of the facility side. 0: "
                 "not given; then 0.5 if the flow follows from pressures, otherwise 1."},
        Field<P>{&P::smallest_flow_fraction, "smallest_flow", "1", Range::fraction,
                 "Lowest share of the facility design flow that the valve controller sets."},
        Field<P>{&P::valve_lag_s, "valve_lag", "s", Range::positive, "Time constant of the valve actuator."},
        Field<P>{&P::sensor_lag_s, "sensor_lag", "s", Range::positive,
                 "Time constant of the supply-temperature sensor."},
        Field<P>{&P::valve_gain_per_k, "valve_gain", "delta_K-1", Range::positive,
                 "Proportional gain: valve position per kelvin of error."},
        Field<P>{&P::valve_integral_time_s, "valve_integral_time", "s", Range::positive,
                 "Integral time of the supply-temperature controller."},
        Field<P>{&P::pump_count, "pumps", Range::non_negative, "Pumps in the unit; the second pump is on standby."},
    };
  }
};

/// UA of the exchanger at the flows of both sides; 0 when either stands still.
inline double cdu_conductance_w_per_k(const CduParams& p, double technology_flow_kg_per_s,
                                      double facility_flow_kg_per_s) noexcept {
  const double technology_film =
      film_ratio(technology_flow_kg_per_s, p.technology_design_flow_kg_per_s, p.flow_exponent_ratio);
  const double facility_film =
      film_ratio(facility_flow_kg_per_s, p.facility_design_flow_kg_per_s, p.flow_exponent_ratio);
  const double technology_share = p.film_conductance_ratio / (1.0 + p.film_conductance_ratio);
  return p.design_conductance_w_per_k * two_film_ratio(technology_film, facility_film, technology_share);
}

/// A unit that is rated with water on its facility side, with another liquid there.
inline CduParams with_facility_film(CduParams p, double film_over_water_ratio) noexcept {
  const TwoFilms films =
      with_first_film({p.design_conductance_w_per_k, 1.0 / (1.0 + p.film_conductance_ratio)}, film_over_water_ratio);
  p.design_conductance_w_per_k = films.conductance_w_per_k;
  p.film_conductance_ratio *= film_over_water_ratio;
  return p;
}

/// Heat from the technology to the facility side per kelvin between their inlets. It follows from the flows alone.
inline double cdu_w_per_k(const CduParams& p, const PortNow& technology_inlet, const PortNow& facility_inlet) noexcept {
  return exchanged_w_per_k(capacity_rate_w_per_k(technology_inlet), capacity_rate_w_per_k(facility_inlet),
                           cdu_conductance_w_per_k(p, technology_inlet.flow_kg_per_s, facility_inlet.flow_kg_per_s),
                           FlowArrangement::counterflow);
}

/// Heat from the technology to the facility side.
inline double cdu_heat_w(const CduParams& p, const PortNow& technology_inlet, const PortNow& facility_inlet) noexcept {
  return cdu_w_per_k(p, technology_inlet, facility_inlet) *
         (technology_inlet.temperature_k - facility_inlet.temperature_k);
}

/// Of its facility valve; where no one says its authority all of the drop.
inline ValveCurve valve_curve(const CduParams& p) noexcept {
  return {p.valve_rangeability_ratio, p.valve_authority_fraction > 0.0 ? p.valve_authority_fraction : 1.0};
}

/// Share of the design facility flow at a valve position; 0 at 0, 1 at 1, smooth, rising, clamped outside.
inline double valve_flow_fraction(const CduParams& p, double position_fraction) noexcept {
  return valve_curve(p).flow_fraction(position_fraction);
}

/// With the authority that its valve has where no one says it: an engineering estimate where its flow follows from pressures, else 1.
inline CduParams with_usual_authority(CduParams p, bool is_from_pressures) noexcept {
  constexpr double usual_fraction = 0.5;
  if (p.valve_authority_fraction <= 0.0) p.valve_authority_fraction = is_from_pressures ? usual_fraction : 1.0;
  return p;
}

/// The valve position of a share of the design facility flow; the inverse of `valve_flow_fraction`.
inline double valve_position_fraction(const CduParams& p, double flow_fraction) noexcept {
  return valve_curve(p).position_fraction(flow_fraction);
}

}  // namespace wattloop::physics
