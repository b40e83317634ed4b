// Rear-door heat exchanger: a coil in the rack exhaust, cross-flow, both fluids unmixed.
//
//   Q = eps(NTU, C_r) C_min (T_exhaust - T_water,in)
//   1/UA = (1/UA_0) (s (m_a/m_a0)^-n_a + (1 - s) (m_w/m_w0)^-n_w)       s: share of the air film
//
//   P = P_0 min(m_a/m_a0, 1)^k                                           fans of an active door; behind the coil
//
// Source: [incropera2011] eq. 11.32 and 11.1; fan laws [asme_ashrae_pumps]. Valid for a dry coil;
// physics/air/rear_door_coil.hpp for any. Verified in tests/verification/air/rear_door.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/fluids/effectiveness.hpp"
#include "physics/fluids/stream.hpp"

namespace wattloop::physics {

/// A rear-door heat exchanger: passive, or active with fans of its own.
struct RearDoorParams {
  double rated_heat_w = required;
  double design_conductance_w_per_k = required;
  double air_design_flow_kg_per_s = required;
  double water_design_flow_kg_per_s = required;
  double air_side_fraction = 0.8;
  double air_flow_exponent_ratio = 0.5;
  double water_flow_exponent_ratio = 0.8;
  bool is_counterflow = false;
  double water_volume_m3 = required;
  double fan_power_w = 0.0;
  double fan_exponent = 3.0;

  static constexpr auto fields() {
    using P = RearDoorParams;
    return std::array{
        Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive,
                 "Heat that one door transfers at its design point; used for checks and for the loading."},
        Field<P>{&P::design_conductance_w_per_k, "design_conductance", "W/K", Range::positive,
                 "UA of the coil at the design flows of air and water."},
        Field<P>{&P::air_design_flow_kg_per_s, "air_design_flow", "kg/s", Range::positive,
                 "Air flow at the design point."},
        Field<P>{&P::water_design_flow_kg_per_s, "water_design_flow", "kg/s", Range::positive,
                 "Water flow, held constant by a balancing valve."},
        Field<P>{&P::air_side_fraction, "air_side_resistance", "1", Range::fraction,
                 "Share of the air film in the thermal resistance at the design point."},
        Field<P>{&P::air_flow_exponent_ratio, "air_flow_exponent", "1", Range::fraction,
                 "Exponent of the air flow in its film conductance."},
        Field<P>{&P::water_flow_exponent_ratio, "water_flow_exponent", "1", Range::fraction,
                 "Exponent of the water flow in its film conductance."},
        Field<P>{&P::is_counterflow, "counterflow",
                 "true: water flows against the air from row to row, as in coils with many rows. false: crossflow."},
        Field<P>{&P::water_volume_m3, "water_volume", "m3", Range::positive, "Water inside the coil and its hoses."},
        Field<P>{&P::fan_power_w, "fan_power", "W", Range::non_negative,
                 "Electric power of the fans of an active door at its design air flow; 0: a passive door."},
        Field<P>{&P::fan_exponent, "fan_exponent", "1", Range::positive,
                 "Exponent of the air flow in the fan power: 3 by the affinity laws, 2.5 to 2.8 with variable-speed "
                 "drives."},
    };
  }
};

/// UA of the coil at the flows of both sides; 0 when either stands still.
inline double rear_door_conductance_w_per_k(const RearDoorParams& p, double air_flow_kg_per_s,
                                            double water_flow_kg_per_s) noexcept {
  const double air_film = film_ratio(air_flow_kg_per_s, p.air_design_flow_kg_per_s, p.air_flow_exponent_ratio);
  const double water_film = film_ratio(water_flow_kg_per_s, p.water_design_flow_kg_per_s, p.water_flow_exponent_ratio);
  return p.design_conductance_w_per_k * two_film_ratio(air_film, water_film, p.air_side_fraction);
}

/// Heat from the exhaust air to the water per kelvin between their inlets. It follows from the flows alone.
inline double rear_door_w_per_k(const RearDoorParams& p, const PortNow& air_inlet,
                                const PortNow& water_inlet) noexcept {
  return exchanged_w_per_k(capacity_rate_w_per_k(air_inlet), capacity_rate_w_per_k(water_inlet),
                           rear_door_conductance_w_per_k(p, air_inlet.flow_kg_per_s, water_inlet.flow_kg_per_s),
                           p.is_counterflow ? FlowArrangement::counterflow : FlowArrangement::crossflow_unmixed);
}

/// Heat from the exhaust air to the water; negative where the water is the warmer.
inline double rear_door_heat_w(const RearDoorParams& p, const PortNow& air_inlet, const PortNow& water_inlet) noexcept {
  return rear_door_w_per_k(p, air_inlet, water_inlet) * (air_inlet.temperature_k - water_inlet.temperature_k);
}

/// Electric power of the fans of a door that keep the air of its rack moving. More than the design flow they do not move.
inline double rear_door_fan_power_w(const RearDoorParams& p, double air_flow_kg_per_s) noexcept {
  return p.fan_power_w * std::pow(std::clamp(air_flow_kg_per_s / p.air_design_flow_kg_per_s, 0.0, 1.0), p.fan_exponent);
}

}  // namespace wattloop::physics
