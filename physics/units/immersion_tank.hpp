// Single-phase immersion: die -> bath -> coil, a GPU with its share of the dielectric fluid in a tank.
//
//   C_d dT_d/dt = P - G (T_d - T_f)                        P = load + leakage (T_d - T_ref)
//   C_f dT_f/dt = G (T_d - T_f) - eps m c (T_f - T_in)     eps = 1 - exp(-UA / (m c)),  UA = UA_0 (m/m_0)^n
//   G = G_0 (|T_d - T_f| / dT_0)^q                         q: 0 stirred, 0.25 natural convection
//
// Source: [incropera2011] ch. 5.1 (lumped capacitance), 9.6 (free convection), 11.4 (one stream). Valid for a
// bath well mixed and below its boiling point. Verified in tests/verification/units/immersion_tank.cpp.
#pragma once

#include <array>
#include <cmath>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/fluids/stream.hpp"
#include "physics/units/leakage.hpp"

namespace wattloop::physics {

struct ImmersionTank {
  static constexpr std::string_view kind = "immersion_tank";
  static constexpr std::string_view doc = "A GPU in a bath of dielectric fluid that a coil cools: die and bath.";
  enum Port : std::size_t { liquid };
  static constexpr std::array ports{Medium::liquid};

  static constexpr std::array states{
      StateInfo{"die_temperature", "K", 335.0, 1e-2},
      StateInfo{"fluid_temperature", "K", 315.0, 1e-2},
  };

  struct Params {
    double die_heat_capacity_j_per_k = required;
    double fluid_heat_capacity_j_per_k = required;
    double die_to_fluid_w_per_k = required;
    double design_difference_k = 25.0;
    double convection_exponent_ratio = 0.25;
    double coil_conductance_w_per_k = required;
    double design_flow_kg_per_s = required;
    double flow_exponent_ratio = 0.8;
    double leakage_w_per_k = 0.0;
    double leakage_reference_k = 333.15;
    double flow_ratio = 1.0;  ///< of the flow that the port reports; of a hall's spread, no parameter of a device

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::die_heat_capacity_j_per_k, "die_heat_capacity", "J/K", Range::positive,
                   "Heat capacity of die, lid and heat sink."},
          Field<P>{&P::fluid_heat_capacity_j_per_k, "fluid_heat_capacity", "J/K", Range::positive,
                   "Heat capacity of the share of the bath that belongs to this unit."},
          Field<P>{&P::die_to_fluid_w_per_k, "die_to_fluid_conductance", "W/K", Range::positive,
                   "Conductance from die to bath at design_difference."},
          Field<P>{&P::design_difference_k, "design_difference", temperature_difference, Range::positive,
                   "Temperature difference between die and bath at which `die_to_fluid_conductance` is given."},
          Field<P>{
              &P::convection_exponent_ratio, "convection_exponent", "1", Range::fraction,
              "Exponent of this difference in the conductance: 0 for a stirred bath, 0.25 for natural convection."},
          Field<P>{
              &P::coil_conductance_w_per_k, "coil_conductance", "W/K", Range::positive,
              "Conductance from bath to coolant at the design flow: the share of the coil that belongs to this unit."},
          Field<P>{&P::design_flow_kg_per_s, "design_flow", "kg/s", Range::positive,
                   "Coolant flow of this unit at which `coil_conductance` is given."},
          Field<P>{&P::flow_exponent_ratio, "flow_exponent", "1", Range::fraction,
                   "Exponent of the coolant flow in coil_conductance."},
          Field<P>{&P::leakage_w_per_k, "leakage_slope", "W/delta_K", Range::non_negative,
                   "Leakage power per kelvin above leakage_reference_temperature."},
          Field<P>{&P::leakage_reference_k, "leakage_reference_temperature", "K", Range::positive,
                   "Die temperature for which the given GPU power already includes leakage."},
      };
    }
  };

  static double die_to_fluid_w(const Params& p, double difference_k) noexcept {
    return p.die_to_fluid_w_per_k * difference_k *
           std::pow(std::abs(difference_k) / p.design_difference_k, p.convection_exponent_ratio);
  }

  static double coil_w_per_k(const Params& p, const PortNow& port) noexcept {
    const double film = film_ratio(p.flow_ratio * port.flow_kg_per_s, p.design_flow_kg_per_s, p.flow_exponent_ratio);
    return one_stream_w_per_k(p.coil_conductance_w_per_k * film, p.flow_ratio * capacity_rate_w_per_k(port));
  }

  static std::array<double, 1> conductances_w_per_k(const Params& p, const std::array<PortNow, 1>& port) noexcept {
    return {coil_w_per_k(p, port[liquid])};
  }

  static UnitRates<2, 1> rates(const Params& p, const UnitNow<2, 1>& now) noexcept {
    return rates(p, now, conductances_w_per_k(p, now.port));
  }

  static UnitRates<2, 1> rates(const Params& p, const UnitNow<2, 1>& now,
                               const std::array<double, 1>& stream_w_per_k) noexcept {
    const auto [die_k, fluid_k] = now.state;
    const PortNow& port = now.port[liquid];
    const double power_w = now.load_w + leakage_w(p.leakage_w_per_k, p.leakage_reference_k, die_k, now.load_w);
    const double to_fluid_w = die_to_fluid_w(p, die_k - fluid_k);
    const double to_coolant_w = stream_w_per_k[liquid] * (fluid_k - port.temperature_k);
    return {
        .rate = {(power_w - to_fluid_w) / p.die_heat_capacity_j_per_k,
                 (to_fluid_w - to_coolant_w) / p.fluid_heat_capacity_j_per_k},
        .heat_w = {to_coolant_w},
        .power_w = power_w,
    };
  }

  static Params varied(const Params& mean, const UnitVariation& variation) noexcept {
    Params p = mean;
    p.die_to_fluid_w_per_k /= variation.resistance_ratio;
    p.flow_ratio *= variation.flow_ratio;
    p.leakage_w_per_k *= variation.leakage_ratio;
    return p;
  }

  static double stored_energy_j(const Params& p, const std::array<double, 2>& state) noexcept {
    return p.die_heat_capacity_j_per_k * state[0] + p.fluid_heat_capacity_j_per_k * state[1];
  }
};

static_assert(UnitModel<ImmersionTank> && VariesByUnit<ImmersionTank>);

}  // namespace wattloop::physics
