// Rear-door heat exchanger: a coil in the rack exhaust, cross-flow, both fluids unmixed.
//
//   Q = eps(NTU, C_r) C_min (T_exhaust - T_water,in),  1/UA from air (n 0.5) and water (n 0.8) films
//
// Source: [incropera2011] eq. 11.32. Verified in tests/verification/effectiveness_ntu.cpp.
#pragma once

#include <array>
#include <string>

#include "core/field.hpp"

namespace wattloop::physics {

/// A passive rear-door heat exchanger.
struct RearDoorParams {
  double rated_heat_w = required;
  double design_conductance_w_per_k = required;
  double air_design_flow_kg_per_s = required;
  double water_design_flow_kg_per_s = required;
  double air_side_fraction = 0.8;
  double air_flow_exponent_ratio = 0.5;
  double water_flow_exponent_ratio = 0.8;
  double water_volume_m3 = required;

  static constexpr auto fields() {
    using P = RearDoorParams;
    return std::array{
        Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive,
                 "Heat that one door moves at its design point; for checks and loading."},
        Field<P>{&P::design_conductance_w_per_k, "design_conductance", "W/K", Range::positive,
                 "UA of the coil at both design flows."},
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
        Field<P>{&P::water_volume_m3, "water_volume", "m3", Range::positive,
                 "Water inside the coil and its hoses."},
    };
  }
};

}  // namespace wattloop::physics
