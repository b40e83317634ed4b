// A power transformer [iec_60076_1]. At unity power factor S = P:
//
//   loss = P_0 + P_k (S / S_r)^2
//
// Its impedance and its voltages decide fault levels: electrical/admittance/branch_impedance.hpp.
//
// Overload trips by the long inverse curve, 120 s / (M - 1) over the limit: near what a dry winding with a time constant of half an hour
// endures from full load (estimate).
//
// Verified in tests/verification/power/equipment_losses.cpp, overload in tests/verification/power/overload.cpp.
#pragma once

#include <array>
#include <string_view>

#include "electrical/admittance/branch_impedance.hpp"
#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Transformer {
  static constexpr std::string_view kind = "transformer", noun = "transformer", plural = "transformers";
  static constexpr std::string_view doc = "A power transformer.";
  struct Params {
    double rated_va = required;
    double no_load_loss_w = required;
    double load_loss_w = required;
    double short_circuit_voltage_fraction = 0.06;
    double high_voltage_v = 20e3;
    double low_voltage_v = 415.0;
    double no_load_current_fraction = 0.003;
    double tap_fraction = 0.0;
    double breaking_capacity_a = 150e3;
    double overload_limit_ratio = 1.1;
    double time_multiplier_ratio = 1.0;
    double overload_recovery_s = 3600.0;
    double zero_sequence_ratio = 0.95;
    double tap_range_fraction = 0.0;
    double tap_step_fraction = 0.0125;
    double tap_target_ratio = 1.0;
    double tap_dead_band_ratio = 0.025;
    double tap_delay_s = 30.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_va, "rated_power", "V A", Range::positive, "Rated apparent power."},
          Field<P>{&P::no_load_loss_w, "no_load_loss", "W", Range::non_negative,
                   "No-load (iron) loss of the energised transformer."},
          Field<P>{&P::load_loss_w, "load_loss", "W", Range::non_negative,
                   "Load (copper) loss at rated power; it follows the square of the load."},
          Field<P>{&P::short_circuit_voltage_fraction, "short_circuit_voltage", "1", Range::positive_fraction,
                   "Short-circuit voltage divided by rated voltage: the voltage on one side that drives rated current "
                   "while the other side is short-circuited; more than load_loss divided by rated_power."},
          Field<P>{&P::high_voltage_v, "high_voltage", "V", Range::positive, "Rated voltage of the side of the feed."},
          Field<P>{&P::low_voltage_v, "low_voltage", "V", Range::positive, "Rated voltage of the side of the loads."},
          Field<P>{&P::no_load_current_fraction, "no_load_current", "1", Range::fraction,
                   "No-load current divided by rated current (estimate); at least no_load_loss divided by rated_power. "
                   "It is used only if voltages are computed."},
          Field<P>{&P::tap_fraction, "tap", "1", Range::any,
                   "Tap: additional turns at the side of the feed, relative to the turns at rated voltage, up to 15 % "
                   "more or less; -2.5 % raises the low voltage."},
          Field<P>{&P::zero_sequence_ratio, "zero_sequence_reactance", "1", Range::positive,
                   "Zero-sequence reactance divided by positive-sequence reactance, for a delta winding at the feed "
                   "and an earthed star winding at the loads (estimate)."},
          Field<P>{&P::breaking_capacity_a, "breaking_capacity", "A", Range::positive,
                   "Breaking capacity of the breakers downstream of the transformer."},
          Field<P>{&P::overload_limit_ratio, "overload_limit", "1", Range::positive,
                   "Power carried continuously, divided by rated power: pickup of the protection."},
          Field<P>{&P::time_multiplier_ratio, "time_multiplier", "1", Range::positive,
                   "Time multiplier of its protection, which has the long inverse curve."},
          Field<P>{&P::overload_recovery_s, "overload_recovery", "s", Range::positive,
                   "Time after an overload until the full permitted overload time is available again."},
          Field<P>{&P::tap_range_fraction, "tap_changer_range", "1", Range::fraction,
                   "On-load tap changer: most turns that it adds or removes; 0: no tap changer. It needs a `flow` with "
                   "voltages."},
          Field<P>{&P::tap_step_fraction, "tap_changer_step", "1", Range::positive_fraction,
                   "Turns of one step of the tap changer."},
          Field<P>{&P::tap_target_ratio, "tap_changer_target", "1", Range::positive,
                   "Voltage that the tap changer keeps at the side of the loads, divided by nominal voltage."},
          Field<P>{&P::tap_dead_band_ratio, "tap_changer_dead_band", "1", Range::positive_fraction,
                   "Dead band of the tap changer: width of the band around this voltage in which it does not move; "
                   "wider than one step."},
          Field<P>{&P::tap_delay_s, "tap_changer_delay", "s", Range::positive,
                   "Time outside the dead band before each step (estimate)."},
      };
    }
  };

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box{3.60, 4.50, 4.00, BoxPlace::yard};
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Transformer>{"power", [](const Params& p) { return p.rated_va; }, "all of its side"}};
  }

  static constexpr Endurance endurance(const Params& p) noexcept {
    return endures_inversely(p.overload_limit_ratio, long_inverse, p.time_multiplier_ratio,
                             {breaker_opens_s, p.overload_recovery_s});
  }
  static constexpr auto limits() { return std::array{Limit<Transformer>{"loading", "1", &endurance, Beyond::trip}}; }

  static constexpr auto relations(const Params& p) noexcept {
    return std::array{
        Relation{
            "load_loss divided by rated_power",
            p.load_loss_w / p.rated_va,
            "short_circuit_voltage",
            p.short_circuit_voltage_fraction,
            "1",
            false,
            {"load_loss", "short_circuit_voltage", "rated_power"},
            "short_circuit_voltage includes load loss and reactance: raise short_circuit_voltage, or lower load_loss"},
        Relation{"no_load_loss divided by rated_power",
                 p.no_load_loss_w / p.rated_va,
                 {},
                 1.0,
                 "1",
                 true,
                 {"no_load_loss", "rated_power"},
                 "usual values are 0.1 to 0.5 %"},
        Relation{"no_load_loss divided by rated_power",
                 p.no_load_loss_w / p.rated_va,
                 "no_load_current",
                 p.no_load_current_fraction,
                 "1",
                 true,
                 {"no_load_current", "no_load_loss", "rated_power"},
                 "no_load_current includes the no-load loss: raise no_load_current to this share at least, or lower "
                 "no_load_loss",
                 "no_load_current"},
        Relation{"tap, up or down,",
                 p.tap_fraction < 0.0 ? -p.tap_fraction : p.tap_fraction,
                 {},
                 fitting_fraction,
                 "1",
                 true,
                 {"tap"},
                 "usual values are 2.5 and 5 %; for another rated voltage write high_voltage"},
    };
  }

  static constexpr TransformerRating transformer_rating(const Params& p) noexcept {
    return {.rated_va = p.rated_va,
            .from_v = p.high_voltage_v,
            .to_v = p.low_voltage_v,
            .short_circuit_voltage_fraction = p.short_circuit_voltage_fraction,
            .load_loss_w = p.load_loss_w,
            .no_load_loss_w = p.no_load_loss_w,
            .no_load_current_fraction = p.no_load_current_fraction,
            .tap_fraction = p.tap_fraction,
            .zero_sequence_ratio = p.zero_sequence_ratio,
            .changer = {.range_fraction = p.tap_range_fraction,
                        .step_fraction = p.tap_step_fraction,
                        .target_ratio = p.tap_target_ratio,
                        .dead_band_ratio = p.tap_dead_band_ratio,
                        .delay_s = p.tap_delay_s}};
  }
  static constexpr double breaking_capacity_a(const Params& p) noexcept { return p.breaking_capacity_a; }

  static constexpr LossCurve loss_curve(const Params& p) noexcept {
    return {.constant_w = p.no_load_loss_w, .quadratic_per_w = p.load_loss_w / (p.rated_va * p.rated_va)};
  }
};

static_assert(PassageKind<Transformer>);

}  // namespace wattloop::electrical
