// Direct-to-chip liquid cooling: die -> cold plate -> coolant, two lumped capacities.
//
//   C_d dT_d/dt = P - (T_d - T_p) G_dp                      P = load + leakage (T_d - T_ref)
//   C_p dT_p/dt = (T_d - T_p) G_dp - G (T_p - T_in)         UA = UA_0 (m/m_0)^n
//
//   wall of one temperature   1/G = R_s + 1/(eps m c)         eps = 1 - exp(-UA / (m c))
//   uniform heat flux         1/G = R_s + 1/UA + 1/(2 m c), and G <= m c: no coolant leaves warmer than the plate
//   behind u equal GPUs       1/G = 1/G_0 + u/(m c), see place_in_stream.hpp
//
// Source: [incropera2011] ch. 5.1 (lumped capacitance), 8.3.2 (uniform flux: the wall's mean stands above the middle of the
// stream), 11.4 (one stream). Valid for Bi < 0.1 in die and plate. Verified in tests/verification/units/cold_plate.cpp against the
// two-mode exponential, in tests/verification/units/cold_plate_record.cpp against a measured plate.
#pragma once

#include <array>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/fluids/stream.hpp"
#include "physics/units/leakage.hpp"
#include "physics/units/place_in_stream.hpp"

namespace wattloop::physics {

struct ColdPlate {
  static constexpr std::string_view kind = "cold_plate";
  static constexpr std::string_view doc = "A GPU under a liquid cold plate: die and plate, each one temperature.";
  static constexpr bool is_affine_at_given_flows = true;
  enum Port : std::size_t { liquid };
  static constexpr std::array ports{Medium::liquid};

  static constexpr std::array states{
      StateInfo{"die_temperature", "K", 320.0, 1e-2},
      StateInfo{"plate_temperature", "K", 310.0, 1e-2},
  };

  struct Params {
    double die_heat_capacity_j_per_k = required;
    double plate_heat_capacity_j_per_k = required;
    double die_to_plate_w_per_k = required;
    double design_conductance_w_per_k = required;
    double design_flow_kg_per_s = required;
    double flow_exponent_ratio = 0.6;
    double spreading_k_per_w = 0.0;
    bool has_uniform_heat_flux = false;
    double stream_gpus_ratio = 1.0;
    double upstream_gpus_ratio = 0.0;
    double front_gpus_ratio = 0.0;  ///< 0: all of a node stand alike
    double rear_conductance_ratio = 1.0;
    double leakage_w_per_k = 0.0;
    double leakage_reference_k = 333.15;
    double flow_ratio = 1.0;    ///< of the flow that the port reports; of a hall's spread, no parameter of a device
    double behind_ratio = 0.0;  ///< GPUs whose heat is in its stream before it; of its place, no parameter of a device

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::die_heat_capacity_j_per_k, "die_heat_capacity", "J/K", Range::positive,
                   "Heat capacity of die and lid."},
          Field<P>{&P::plate_heat_capacity_j_per_k, "plate_heat_capacity", "J/K", Range::positive,
                   "Heat capacity of the plate and of the coolant inside it."},
          Field<P>{&P::die_to_plate_w_per_k, "die_to_plate_conductance", "W/K", Range::positive,
                   "Thermal conductance of lid and interface material."},
          Field<P>{&P::design_conductance_w_per_k, "design_conductance", "W/K", Range::positive,
                   "Conductance of the coolant film at the design flow."},
          Field<P>{&P::design_flow_kg_per_s, "design_flow", "kg/s", Range::positive,
                   "Coolant flow at which `design_conductance` is given."},
          Field<P>{
              &P::flow_exponent_ratio, "flow_exponent", "1", Range::fraction,
              "Exponent of the flow in the conductance: 0.33 for laminar developing flow, 0.8 for turbulent flow."},
          Field<P>{&P::spreading_k_per_w, "spreading_resistance", "K/W", Range::non_negative,
                   "Thermal resistance of conduction and spreading inside the plate; in series with the film, the same "
                   "at every flow."},
          Field<P>{&P::has_uniform_heat_flux, "uniform_heat_flux",
                   "true: the plate takes up heat evenly along the stream. false: the wall of the plate has one "
                   "temperature."},
          Field<P>{&P::stream_gpus_ratio, "gpus_in_stream", "1", Range::positive,
                   "Number of GPUs in series in the same coolant stream; each of them gets this number of shares of "
                   "the node's coolant."},
          Field<P>{&P::upstream_gpus_ratio, "gpus_upstream", "1", Range::non_negative,
                   "Number of GPUs of the series that are upstream of this GPU; 0.5 is the mean of a series of two."},
          Field<P>{&P::front_gpus_ratio, "front_gpus", "1", Range::non_negative,
                   "Number of the eight GPUs of a node that are first in their stream; every other GPU has all other "
                   "GPUs of its stream upstream. 0: `gpus_upstream` is valid for all GPUs."},
          Field<P>{&P::rear_conductance_ratio, "rear_conductance", "1", Range::positive,
                   "Film conductance of the plates behind other GPUs, divided by design_conductance, if these plates "
                   "are of another type."},
          Field<P>{&P::leakage_w_per_k, "leakage_slope", "W/delta_K", Range::non_negative,
                   "Leakage power per kelvin above leakage_reference_temperature."},
          Field<P>{&P::leakage_reference_k, "leakage_reference_temperature", "K", Range::positive,
                   "Die temperature for which the given GPU power already includes leakage."},
      };
    }
  };

  static double stream_conductance_w_per_k(const Params& p, const PortNow& port) noexcept {
    const double shares_ratio = p.flow_ratio * p.stream_gpus_ratio;
    const double film_w_per_k =
        p.design_conductance_w_per_k *
        film_ratio(shares_ratio * port.flow_kg_per_s, p.design_flow_kg_per_s, p.flow_exponent_ratio);
    const double capacity_w_per_k = shares_ratio * capacity_rate_w_per_k(port);
    return behind_equals_w_per_k(fresh_conductance_w_per_k(p, film_w_per_k, capacity_w_per_k), capacity_w_per_k,
                                 p.upstream_gpus_ratio);
  }

  /// In a stream that no other GPU has warmed.
  static double fresh_conductance_w_per_k(const Params& p, double film_w_per_k, double capacity_w_per_k) noexcept {
    if (p.has_uniform_heat_flux) return uniform_flux_w_per_k(film_w_per_k, p.spreading_k_per_w, capacity_w_per_k);
    const double film_and_stream_w_per_k = one_stream_w_per_k(film_w_per_k, capacity_w_per_k);
    return film_and_stream_w_per_k / (1.0 + p.spreading_k_per_w * film_and_stream_w_per_k);
  }

  static std::array<double, 1> conductances_w_per_k(const Params& p, const std::array<PortNow, 1>& port) noexcept {
    return {stream_conductance_w_per_k(p, port[liquid])};
  }

  static UnitRates<2, 1> rates(const Params& p, const UnitNow<2, 1>& now) noexcept {
    return rates(p, now, conductances_w_per_k(p, now.port));
  }

  static UnitRates<2, 1> rates(const Params& p, const UnitNow<2, 1>& now,
                               const std::array<double, 1>& stream_w_per_k) noexcept {
    const auto [die_k, plate_k] = now.state;
    const PortNow& port = now.port[liquid];
    const double power_w = now.load_w + leakage_w(p.leakage_w_per_k, p.leakage_reference_k, die_k, now.load_w);
    const double die_to_plate_w = p.die_to_plate_w_per_k * (die_k - plate_k);
    const double plate_to_coolant_w = stream_w_per_k[liquid] * (plate_k - port.temperature_k);
    return {
        .rate = {(power_w - die_to_plate_w) *
                     (1.0 / p.die_heat_capacity_j_per_k),  // reciprocals leave loops over units
                 (die_to_plate_w - plate_to_coolant_w) * (1.0 / p.plate_heat_capacity_j_per_k)},
        .heat_w = {plate_to_coolant_w},
        .power_w = power_w,
    };
  }

  static std::size_t place_before(const Params& mean, std::size_t place) noexcept {
    return place_before_in_stream(mean, place);
  }

  /// Kelvin above the inlet of the node, per kelvin of the one before above it.
  static double warmed_by(const Params& before, const Params& p, const PortNow& port) noexcept {
    return warmed_ratio(p, stream_conductance_w_per_k(before, port),
                        p.flow_ratio * p.stream_gpus_ratio * capacity_rate_w_per_k(port));
  }

  static bool has_places(const Params& p) noexcept { return has_places_in_stream(p); }

  /// The plate at that place in its node, from 0.
  static Params placed(const Params& mean, std::size_t place) noexcept { return placed_in_stream(mean, place); }

  static Params varied(const Params& mean, const UnitVariation& variation) noexcept {
    Params p = mean;
    p.die_to_plate_w_per_k /= variation.resistance_ratio;
    p.spreading_k_per_w *= variation.resistance_ratio;
    p.flow_ratio *= variation.flow_ratio;
    p.leakage_w_per_k *= variation.leakage_ratio;
    return p;
  }

  static double stored_energy_j(const Params& p, const std::array<double, 2>& state) noexcept {
    return p.die_heat_capacity_j_per_k * state[0] + p.plate_heat_capacity_j_per_k * state[1];
  }
};

static_assert(UnitModel<ColdPlate> && VariesByUnit<ColdPlate>);

}  // namespace wattloop::physics
