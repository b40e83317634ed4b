// Computer-room air handler: a water coil in cross-flow, both streams unmixed, and a fan behind it.
//
//   Q = eps(NTU, C_r) C_min (T_return - T_water,in),   1/UA = (1/UA_0) (s (m_a/m_a0)^-n_a + (1 - s)
//   (m_w/m_w0)^-n_w) m_a = f n m_a0,  P = P_0 n^k,  T_supply = T_return - (Q - P) / (m_a c)          n: fan
//   speed; its power warms the air; f: share of the air that a clogged filter lets through at the same speed, 1 of a clean one
//
// Source: [incropera2011] eq. 11.32 and 11.1; fan laws [asme_ashrae_pumps]. Valid for a dry coil;
// physics/air/crah_in_humid_air.hpp for any. Verified in tests/verification/air/crah.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/fluids/effectiveness.hpp"
#include "physics/fluids/stream.hpp"

namespace wattloop::physics {

/// A computer-room air handler.
struct CrahParams {
  double rated_heat_w = required;
  double design_conductance_w_per_k = required;
  double air_design_flow_kg_per_s = required;
  double water_design_flow_kg_per_s = required;
  double air_side_fraction = 0.8;
  double air_flow_exponent_ratio = 0.5;
  double water_flow_exponent_ratio = 0.8;
  bool is_counterflow = false;
  double fan_power_w = required;
  double fan_exponent = 3.0;
  double water_volume_m3 = required;

  static constexpr auto fields() {
    using P = CrahParams;
    return std::array{
        Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive,
                 "Heat that one unit transfers at its design point; used for checks and for the loading."},
        Field<P>{&P::design_conductance_w_per_k, "design_conductance", "W/K", Range::positive,
                 "UA of the coil at the design flows of air and water."},
        Field<P>{&P::air_design_flow_kg_per_s, "air_design_flow", "kg/s", Range::positive,
                 "Air flow at full fan speed."},
        Field<P>{&P::water_design_flow_kg_per_s, "water_design_flow", "kg/s", Range::positive,
                 "Water flow at the design point."},
        Field<P>{&P::air_side_fraction, "air_side_resistance", "1", Range::fraction,
                 "Share of the air film in the thermal resistance at the design point."},
        Field<P>{&P::air_flow_exponent_ratio, "air_flow_exponent", "1", Range::fraction,
                 "Exponent of the air flow in its film conductance."},
        Field<P>{&P::water_flow_exponent_ratio, "water_flow_exponent", "1", Range::fraction,
                 "Exponent of the water flow in its film conductance."},
        Field<P>{&P::is_counterflow, "counterflow",
                 "true: water flows against the air from row to row, as in coils with many rows. false: crossflow."},
        Field<P>{&P::fan_power_w, "fan_power", "W", Range::non_negative, "Electric power of the fans at full speed."},
        Field<P>{
            &P::fan_exponent, "fan_exponent", "1", Range::positive,
            "Exponent of the speed in the fan power: 3 by the affinity laws, 2.5 to 2.8 with variable-speed drives."},
        Field<P>{&P::water_volume_m3, "water_volume", "m3", Range::positive, "Water inside the coil."},
    };
  }
};

/// What one unit does now.
struct CrahNow {
  double heat_w;  ///< from air to water
  double fan_power_w;
  double air_flow_kg_per_s;
  double supply_k;  ///< air behind the fan; the return temperature where no air moves
};

/// Electric power of the fans at a share of full speed.
inline double crah_fan_power_w(const CrahParams& p, double fan_speed_fraction) noexcept {
  return p.fan_power_w * std::pow(std::max(fan_speed_fraction, 0.0), p.fan_exponent);
}

/// UA of the coil at the flows of both sides; 0 when either stands still.
inline double crah_conductance_w_per_k(const CrahParams& p, double air_flow_kg_per_s,
                                       double water_flow_kg_per_s) noexcept {
  const double air_film = film_ratio(air_flow_kg_per_s, p.air_design_flow_kg_per_s, p.air_flow_exponent_ratio);
  const double water_film = film_ratio(water_flow_kg_per_s, p.water_design_flow_kg_per_s, p.water_flow_exponent_ratio);
  return p.design_conductance_w_per_k * two_film_ratio(air_film, water_film, p.air_side_fraction);
}

/// The unit for return air, its water, a share of full fan speed and what is left of its filter. `return_air` gives
/// temperature and specific heat; its flow is not read.
inline CrahNow crah_now(const CrahParams& p, const PortNow& return_air, const PortNow& water_inlet,
                        double fan_speed_fraction, double filter_fraction = 1.0) noexcept {
  PortNow air = return_air;
  air.flow_kg_per_s = std::max(fan_speed_fraction, 0.0) * p.air_design_flow_kg_per_s * filter_fraction;
  const double air_rate = capacity_rate_w_per_k(air);
  const double heat_w =
      exchanged_heat_w({air.temperature_k, air_rate}, {water_inlet.temperature_k, capacity_rate_w_per_k(water_inlet)},
                       crah_conductance_w_per_k(p, air.flow_kg_per_s, water_inlet.flow_kg_per_s),
                       p.is_counterflow ? FlowArrangement::counterflow : FlowArrangement::crossflow_unmixed);
  const double fan_w = crah_fan_power_w(p, fan_speed_fraction);
  return {
      .heat_w = heat_w,
      .fan_power_w = fan_w,
      .air_flow_kg_per_s = air.flow_kg_per_s,
      .supply_k = air_rate > 0.0 ? air.temperature_k - (heat_w - fan_w) / air_rate : air.temperature_k,
  };
}

}  // namespace wattloop::physics
