// The rest of a node besides its GPUs: CPUs, switches on cold plates; memory, NICs, drives, supplies in air.
//
//   C_l dT_l/dt = phi P - eps_l m_l c_l (T_l - T_liquid,in)         phi: capture fraction
//   C_a dT_a/dt = (1 - phi) P - eps_a m_a c_a (T_a - T_air,in)
//   eps = 1 - exp(-UA / (m c)),  UA = UA_0 (m / m_0)^n
//
// Source: [incropera2011] ch. 5.1, ch. 11.4. Valid for Bi < 0.1 in both parts.
// Verified in tests/verification/units/node_rest.cpp.
#pragma once

#include <array>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/fluids/stream.hpp"

namespace wattloop::physics {

struct NodeRest {
  static constexpr std::string_view kind = "node_rest";
  static constexpr std::string_view doc =
      "CPUs, memory, adapters, drives and supplies of a node, between liquid and air.";
  static constexpr bool is_affine_at_given_flows = true;
  enum Port : std::size_t { liquid, air };
  static constexpr std::array ports{Medium::liquid, Medium::air};

  static constexpr std::array states{
      StateInfo{"liquid_part_temperature", "K", 315.0, 1e-2},
      StateInfo{"air_part_temperature", "K", 315.0, 1e-2},
  };

  struct Params {
    double capture_fraction = required;
    double liquid_heat_capacity_j_per_k = required;
    double liquid_conductance_w_per_k = required;
    double liquid_design_flow_kg_per_s = required;
    double liquid_flow_exponent_ratio = 0.6;
    double air_heat_capacity_j_per_k = required;
    double air_conductance_w_per_k = required;
    double air_design_flow_kg_per_s = required;
    double air_flow_exponent_ratio = 0.5;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::capture_fraction, "capture_fraction", "1", Range::fraction,
                   "Share of the power that heats cold plates (CPUs, switches); the remaining power heats the air."},
          Field<P>{&P::liquid_heat_capacity_j_per_k, "liquid_heat_capacity", "J/K", Range::positive,
                   "Heat capacity of the liquid-cooled part."},
          Field<P>{&P::liquid_conductance_w_per_k, "liquid_conductance", "W/K", Range::positive,
                   "Conductance from the liquid-cooled part to the coolant at design flow."},
          Field<P>{&P::liquid_design_flow_kg_per_s, "liquid_design_flow", "kg/s", Range::positive,
                   "Coolant flow at which `liquid_conductance` is given."},
          Field<P>{&P::liquid_flow_exponent_ratio, "liquid_flow_exponent", "1", Range::fraction,
                   "Exponent of the coolant flow in liquid_conductance."},
          Field<P>{&P::air_heat_capacity_j_per_k, "air_heat_capacity", "J/K", Range::positive,
                   "Heat capacity of the air-cooled part."},
          Field<P>{&P::air_conductance_w_per_k, "air_conductance", "W/K", Range::positive,
                   "Conductance from the air-cooled part to the air at design flow."},
          Field<P>{&P::air_design_flow_kg_per_s, "air_design_flow", "kg/s", Range::positive,
                   "Air flow at which `air_conductance` is given."},
          Field<P>{&P::air_flow_exponent_ratio, "air_flow_exponent", "1", Range::fraction,
                   "Exponent of the air flow in air_conductance."},
      };
    }
  };

  static std::array<double, 2> conductances_w_per_k(const Params& p, const std::array<PortNow, 2>& port) noexcept {
    return {port_w_per_k(port[liquid], p.liquid_conductance_w_per_k, p.liquid_design_flow_kg_per_s,
                         p.liquid_flow_exponent_ratio),
            port_w_per_k(port[air], p.air_conductance_w_per_k, p.air_design_flow_kg_per_s, p.air_flow_exponent_ratio)};
  }

  static UnitRates<2, 2> rates(const Params& p, const UnitNow<2, 2>& now) noexcept {
    return rates(p, now, conductances_w_per_k(p, now.port));
  }

  static UnitRates<2, 2> rates(const Params& p, const UnitNow<2, 2>& now,
                               const std::array<double, 2>& stream_w_per_k) noexcept {
    const auto [liquid_k, air_k] = now.state;
    const double to_liquid_w = stream_w_per_k[liquid] * (liquid_k - now.port[liquid].temperature_k);
    const double to_air_w = stream_w_per_k[air] * (air_k - now.port[air].temperature_k);
    return {
        .rate = {(p.capture_fraction * now.load_w - to_liquid_w) *
                     (1.0 / p.liquid_heat_capacity_j_per_k),  // reciprocals leave loops over units
                 ((1.0 - p.capture_fraction) * now.load_w - to_air_w) * (1.0 / p.air_heat_capacity_j_per_k)},
        .heat_w = {to_liquid_w, to_air_w},
        .power_w = now.load_w,
    };
  }

  static double stored_energy_j(const Params& p, const std::array<double, 2>& state) noexcept {
    return p.liquid_heat_capacity_j_per_k * state[0] + p.air_heat_capacity_j_per_k * state[1];
  }

 private:
  static double port_w_per_k(const PortNow& port, double conductance_w_per_k, double design_flow_kg_per_s,
                             double exponent_ratio) noexcept {
    return one_stream_w_per_k(
        conductance_w_per_k * film_ratio(port.flow_kg_per_s, design_flow_kg_per_s, exponent_ratio),
        capacity_rate_w_per_k(port));
  }
};

static_assert(UnitModel<NodeRest>);

}  // namespace wattloop::physics
