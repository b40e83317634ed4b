// A power distribution unit with its busway, and perhaps an isolation transformer.
//
//   loss = P_r (a + c L^2),  L = P / P_r
//
// Its impedance is the resistance of that loss, and with an isolation transformer the reactance of its short-circuit voltage.
//
// Overload trips its main breaker by the extremely inverse curve, 80 s / (M^2 - 1) over the limit, as heat in conductors has it.
//
// Verified in tests/verification/power/equipment_losses.cpp, overload in tests/verification/power/overload.cpp.
#pragma once

#include <array>
#include <string_view>

#include "electrical/admittance/branch_impedance.hpp"
#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Pdu {
  static constexpr std::string_view kind = "pdu", noun = "PDU", plural = "PDUs";
  static constexpr std::string_view doc = "A power distribution unit with its busway.";
  struct Params {
    double rated_w = required;
    double constant_loss_fraction = required;
    double quadratic_loss_fraction = required;
    double overload_limit_ratio = 1.1;
    double time_multiplier_ratio = 1.0;
    double overload_recovery_s = 600.0;
    double short_circuit_voltage_fraction = 0.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Rated power."},
          Field<P>{&P::constant_loss_fraction, "constant_loss", "1", Range::fraction,
                   "No-load loss divided by rated power."},
          Field<P>{&P::quadratic_loss_fraction, "quadratic_loss", "1", Range::fraction,
                   "Loss at rated power that follows the square of the load, divided by rated power."},
          Field<P>{&P::overload_limit_ratio, "overload_limit", "1", Range::positive,
                   "Power carried continuously, divided by rated power: pickup of the protection."},
          Field<P>{&P::time_multiplier_ratio, "time_multiplier", "1", Range::positive,
                   "Time multiplier of its protection, which has the extremely inverse curve."},
          Field<P>{&P::overload_recovery_s, "overload_recovery", "s", Range::positive,
                   "Time after an overload until the full permitted overload time is available again."},
          Field<P>{&P::short_circuit_voltage_fraction, "short_circuit_voltage", "1", Range::fraction,
                   "Short-circuit voltage of its isolation transformer (delta-star) divided by rated voltage: the "
                   "input voltage that drives rated current while the output is short-circuited; more than "
                   "quadratic_loss. 0: no isolation transformer."},
      };
    }
  };

  static constexpr bool is_of_one_side = true;
  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box{0.90, 0.90, 2.00, BoxPlace::row};
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Pdu>{"power", [](const Params& p) { return p.rated_w; }, "its racks"}};
  }

  static constexpr Endurance endurance(const Params& p) noexcept {
    return endures_inversely(p.overload_limit_ratio, extremely_inverse, p.time_multiplier_ratio,
                             {breaker_opens_s, p.overload_recovery_s});
  }
  static constexpr auto limits() { return std::array{Limit<Pdu>{"loading", "1", &endurance, Beyond::trip}}; }

  static constexpr auto relations(const Params& p) noexcept {
    const bool is_there = p.short_circuit_voltage_fraction > 0.0;
    return std::array{Relation{"quadratic_loss",
                               is_there ? p.quadratic_loss_fraction : 0.0,
                               "short_circuit_voltage",
                               is_there ? p.short_circuit_voltage_fraction : 1.0,
                               "1",
                               false,
                               {"short_circuit_voltage", "quadratic_loss"},
                               "short_circuit_voltage includes this loss and the reactance of the transformer: raise "
                               "it; 0: the PDU has no transformer"}};
  }

  /// Of its isolation transformer, between the nominal voltages of its buses.
  static constexpr TransformerRating transformer_rating(const Params& p) noexcept {
    if (p.short_circuit_voltage_fraction == 0.0) return {};
    return {.rated_va = p.rated_w,
            .from_v = 0.0,
            .to_v = 0.0,
            .short_circuit_voltage_fraction = p.short_circuit_voltage_fraction,
            .load_loss_w = p.quadratic_loss_fraction * p.rated_w,
            .no_load_loss_w = p.constant_loss_fraction * p.rated_w,
            .no_load_current_fraction = p.constant_loss_fraction};
  }

  static constexpr LossCurve loss_curve(const Params& p) noexcept {
    return {.constant_w = p.constant_loss_fraction * p.rated_w,
            .quadratic_per_w = p.quadratic_loss_fraction / p.rated_w};
  }
};

static_assert(PassageKind<Pdu>);

}  // namespace wattloop::electrical
