// A three-phase cable of some length. At unity power factor:
//
//   loss = r l (P / V)^2,   rated power = sqrt(3) V I
//
// Resistance and reactance are those of one conductor, at the temperature that the data sheet says. Overload trips its breaker by the extremely
// inverse curve, 80 s / (M^2 - 1) over the limit, as heat in conductors has it.
//
// Verified in tests/unit/scenario/one_line_text.cpp; its impedance in tests/unit/electrical/ac_network.cpp.
#pragma once

#include <array>
#include <limits>
#include <numbers>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Cable {
  static constexpr std::string_view kind = "cable", noun = "cable", plural = "cables";
  static constexpr std::string_view doc = "A three-phase cable of some length.";
  struct Params {
    double rated_a = required;
    double voltage_v = required;
    double resistance_ohm_per_m = required;
    double reactance_ohm_per_m = required;
    double length_m = 0.0;
    double zero_sequence_resistance_ratio = 4.0;
    double zero_sequence_reactance_ratio = 4.0;
    double overload_limit_ratio = 1.05;
    double time_multiplier_ratio = 1.0;
    double overload_recovery_s = 600.0;

    static constexpr auto fields() {
      using P = Params;
      return with_more(
          std::array{
              Field<P>{&P::rated_a, "rated_current", "A", Range::positive,
                       "Rated current: current that the cable carries continuously at its place of installation."},
              Field<P>{&P::voltage_v, "voltage", "V", Range::positive,
                       "Highest nominal line-to-line voltage for which the cable is built."},
              Field<P>{&P::resistance_ohm_per_m, "resistance", "ohm/m", Range::positive,
                       "Resistance of one conductor per length."},
              Field<P>{&P::reactance_ohm_per_m, "reactance", "ohm/m", Range::non_negative,
                       "Reactance of one conductor per length."},
              Field<P>{&P::length_m, "length", "m", Range::non_negative,
                       "Length of the route; write it for every cable: length: 150 m."},
              Field<P>{&P::zero_sequence_resistance_ratio, "zero_sequence_resistance", "1", Range::positive,
                       "Zero-sequence resistance divided by positive-sequence resistance: 4 if the protective "
                       "conductor is like a phase conductor (estimate)."},
              Field<P>{&P::zero_sequence_reactance_ratio, "zero_sequence_reactance", "1", Range::positive,
                       "Zero-sequence reactance divided by positive-sequence reactance (estimate)."},
          },
          conductor_protection_fields<P>());
    }
  };

  static constexpr double rated_w(const Params& p) noexcept { return std::numbers::sqrt3 * p.voltage_v * p.rated_a; }

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box = not_drawn;
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Cable>{"power", [](const Params& p) { return rated_w(p); }}};
  }

  /// Without protection, of a time multiplier without end, overload is reported and carried.
  static constexpr Endurance endurance(const Params& p) noexcept {
    if (p.time_multiplier_ratio == std::numeric_limits<double>::infinity()) return {.limit = p.overload_limit_ratio};
    return endures_inversely(p.overload_limit_ratio, extremely_inverse, p.time_multiplier_ratio,
                             {breaker_opens_s, p.overload_recovery_s});
  }
  static constexpr auto limits() { return std::array{Limit<Cable>{"loading", "1", &endurance, Beyond::trip}}; }

  static constexpr double voltage_v(const Params& p) noexcept { return p.voltage_v; }
  static constexpr Params at_voltage(Params p, double nominal_v) noexcept {
    p.voltage_v = nominal_v;
    return p;
  }
  static constexpr double reactance_ohm(const Params& p) noexcept { return p.reactance_ohm_per_m * p.length_m; }
  static constexpr ZeroSequence zero_sequence(const Params& p) noexcept {
    return {p.zero_sequence_resistance_ratio, p.zero_sequence_reactance_ratio};
  }
  static constexpr LossCurve loss_curve(const Params& p) noexcept {
    return {.quadratic_per_w = p.resistance_ohm_per_m * p.length_m / (p.voltage_v * p.voltage_v)};
  }
};

static_assert(PassageKind<Cable>);

}  // namespace wattloop::electrical
