// A GPU in the air of its server: die -> heat sink -> air, two lumped capacities.
//
//   C_d dT_d/dt = P - (T_d - T_s) G_ds                      P = load + leakage (T_d - T_ref)
//   C_s dT_s/dt = (T_d - T_s) G_ds - G (T_s - T_in)         UA = UA_0 (m/m_0)^n
//
//   in fresh air              G_0 = m c (1 - exp(-UA / (m c)))
//   behind u equal GPUs       1/G = 1/G_0 + u/(m c), see place_in_stream.hpp
//
// m is what passes the fins: the flow of the port times the GPUs that stand one behind the other in one stream.
// Source: [incropera2011] ch. 5.1 (lumped capacitance), eq. 8.60 (n = 0.8, turbulent), ch. 11.4 (one stream). Valid for Bi < 0.1 in
// die and sink; without places where GPUs of one stream have like loads. Verified in tests/verification/units/heat_sink.cpp against the two-mode
// exponential, in tests/verification/units/heat_sink_h100.cpp against eight measured GPUs.
#pragma once

#include <array>
#include <cstddef>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/fluids/stream.hpp"
#include "physics/units/leakage.hpp"
#include "physics/units/place_in_stream.hpp"

namespace wattloop::physics {

struct HeatSink {
  static constexpr std::string_view kind = "heat_sink";
  static constexpr std::string_view doc = "A GPU under a finned heat sink in air: die and sink, each one temperature.";
  static constexpr bool is_affine_at_given_flows = true;
  enum Port : std::size_t { air };
  static constexpr std::array ports{Medium::air};

  static constexpr std::array states{
      StateInfo{"die_temperature", "K", 330.0, 1e-2},
      StateInfo{"sink_temperature", "K", 315.0, 1e-2},
  };

  struct Params {
    double die_heat_capacity_j_per_k = required;
    double sink_heat_capacity_j_per_k = required;
    double die_to_sink_w_per_k = required;
    double design_conductance_w_per_k = required;
    double design_flow_kg_per_s = required;
    double flow_exponent_ratio = 0.8;
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
                   "Heat capacity of the die."},
          Field<P>{&P::sink_heat_capacity_j_per_k, "sink_heat_capacity", "J/K", Range::positive,
                   "Heat capacity of lid and heat sink."},
          Field<P>{&P::die_to_sink_w_per_k, "die_to_sink_conductance", "W/K", Range::positive,
                   "Thermal conductance of lid, interface material and base of the heat sink."},
          Field<P>{&P::design_conductance_w_per_k, "design_conductance", "W/K", Range::positive,
                   "Conductance of the air film on the fins at the design flow."},
          Field<P>{&P::design_flow_kg_per_s, "design_flow", "kg/s", Range::positive,
                   "Air flow of the whole stream past the fins at which `design_conductance` is given."},
          Field<P>{&P::flow_exponent_ratio, "flow_exponent", "1", Range::fraction,
                   "Exponent of the air flow in the conductance: 0.33 to 0.5 for laminar developing flow, 0.8 for "
                   "turbulent flow."},
          Field<P>{&P::stream_gpus_ratio, "gpus_in_stream", "1", Range::positive,
                   "Number of GPUs in series in the same air stream; each of them gets this number of shares of the "
                   "node's air."},
          Field<P>{&P::upstream_gpus_ratio, "gpus_upstream", "1", Range::non_negative,
                   "Number of GPUs of the series that are upstream of this GPU; 0.5 is the mean of a series of two."},
          Field<P>{&P::front_gpus_ratio, "front_gpus", "1", Range::non_negative,
                   "Number of the eight GPUs of a node that are first in their stream; every other GPU has all other "
                   "GPUs of its stream upstream. 0: `gpus_upstream` is valid for all GPUs."},
          Field<P>{&P::rear_conductance_ratio, "rear_conductance", "1", Range::positive,
                   "Film conductance on the fins of the heat sinks behind other GPUs, divided by design_conductance, "
                   "if these heat sinks are of another type."},
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
    if (capacity_w_per_k <= 0.0) return 0.0;
    return behind_equals_w_per_k(one_stream_w_per_k(film_w_per_k, capacity_w_per_k), capacity_w_per_k,
                                 p.upstream_gpus_ratio);
  }

  static std::array<double, 1> conductances_w_per_k(const Params& p, const std::array<PortNow, 1>& port) noexcept {
    return {stream_conductance_w_per_k(p, port[air])};
  }

  static UnitRates<2, 1> rates(const Params& p, const UnitNow<2, 1>& now) noexcept {
    return rates(p, now, conductances_w_per_k(p, now.port));
  }

  static UnitRates<2, 1> rates(const Params& p, const UnitNow<2, 1>& now,
                               const std::array<double, 1>& stream_w_per_k) noexcept {
    const auto [die_k, sink_k] = now.state;
    const double power_w = now.load_w + leakage_w(p.leakage_w_per_k, p.leakage_reference_k, die_k, now.load_w);
    const double die_to_sink_w = p.die_to_sink_w_per_k * (die_k - sink_k);
    const double sink_to_air_w = stream_w_per_k[air] * (sink_k - now.port[air].temperature_k);
    return {
        .rate = {(power_w - die_to_sink_w) * (1.0 / p.die_heat_capacity_j_per_k),  // reciprocals leave loops over units
                 (die_to_sink_w - sink_to_air_w) * (1.0 / p.sink_heat_capacity_j_per_k)},
        .heat_w = {sink_to_air_w},
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

  /// The sink at that place in its node, from 0.
  static Params placed(const Params& mean, std::size_t place) noexcept { return placed_in_stream(mean, place); }

  static Params varied(const Params& mean, const UnitVariation& variation) noexcept {
    Params p = mean;
    p.die_to_sink_w_per_k /= variation.resistance_ratio;
    p.flow_ratio *= variation.flow_ratio;
    p.leakage_w_per_k *= variation.leakage_ratio;
    return p;
  }

  static double stored_energy_j(const Params& p, const std::array<double, 2>& state) noexcept {
    return p.die_heat_capacity_j_per_k * state[0] + p.sink_heat_capacity_j_per_k * state[1];
  }
};

static_assert(UnitModel<HeatSink> && VariesByUnit<HeatSink>);

}  // namespace wattloop::physics
