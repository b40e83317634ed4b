// A part of a node that sits in the air alone: its power supplies and fans.
//
//   C dT/dt = P - eps m c (T - T_in),    eps = 1 - exp(-UA / (m c)),  UA = UA_0 (m / m_0)^n
//
// Source: [incropera2011] ch. 5.1, ch. 11.4. Valid for Bi < 0.1.
// Verified in tests/verification/air/air_part.cpp.
#pragma once

#include <array>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/fluids/stream.hpp"

namespace wattloop::physics {

struct AirPart {
  static constexpr std::string_view kind = "air_part";
  static constexpr std::string_view doc = "Parts of a node in the air alone: power supplies and fans.";
  static constexpr bool is_affine_at_given_flows = true;
  enum Port : std::size_t { air };
  static constexpr std::array ports{Medium::air};

  static constexpr std::array states{StateInfo{"temperature", "K", 315.0, 1e-2}};

  struct Params {
    double heat_capacity_j_per_k = required;
    double conductance_w_per_k = required;
    double design_flow_kg_per_s = required;
    double flow_exponent_ratio = 0.5;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::heat_capacity_j_per_k, "heat_capacity", "J/K", Range::positive, "Heat stored per kelvin."},
          Field<P>{&P::conductance_w_per_k, "conductance", "W/K", Range::positive,
                   "Conductance from the part to the air at design flow."},
          Field<P>{&P::design_flow_kg_per_s, "design_flow", "kg/s", Range::positive,
                   "Air flow at which `conductance` is given."},
          Field<P>{&P::flow_exponent_ratio, "flow_exponent", "1", Range::fraction,
                   "Exponent of the air flow in the conductance."},
      };
    }
  };

  static std::array<double, 1> conductances_w_per_k(const Params& p, const std::array<PortNow, 1>& port) noexcept {
    const double film = film_ratio(port[air].flow_kg_per_s, p.design_flow_kg_per_s, p.flow_exponent_ratio);
    return {one_stream_w_per_k(p.conductance_w_per_k * film, capacity_rate_w_per_k(port[air]))};
  }

  static UnitRates<1, 1> rates(const Params& p, const UnitNow<1, 1>& now) noexcept {
    return rates(p, now, conductances_w_per_k(p, now.port));
  }

  static UnitRates<1, 1> rates(const Params& p, const UnitNow<1, 1>& now,
                               const std::array<double, 1>& stream_w_per_k) noexcept {
    const double to_air_w = stream_w_per_k[air] * (now.state[0] - now.port[air].temperature_k);
    return {
        .rate = {(now.load_w - to_air_w) * (1.0 / p.heat_capacity_j_per_k)},  // a reciprocal leaves loops over units
        .heat_w = {to_air_w},
        .power_w = now.load_w,
    };
  }

  static double stored_energy_j(const Params& p, const std::array<double, 1>& state) noexcept {
    return p.heat_capacity_j_per_k * state[0];
  }
};

static_assert(UnitModel<AirPart>);

}  // namespace wattloop::physics
