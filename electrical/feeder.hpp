// A cable or busway, three-phase. At unity power factor:
//
//   loss = R (P / V)^2
//
// Overload trips its breaker by the extremely inverse curve, 80 s / (M^2 - 1) over the limit, as heat in conductors has it.
//
// Verified in tests/verification/power/equipment_losses.cpp, overload in tests/verification/power/overload.cpp.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Feeder {
  static constexpr std::string_view kind = "feeder", noun = "feeder", plural = "feeders";
  static constexpr std::string_view doc = "A cable or busway, three-phase.";
  struct Params {
    double rated_w = required;
    double voltage_v = required;
    double resistance_ohm = 0.0;
    double overload_limit_ratio = 1.05;
    double time_multiplier_ratio = 1.0;
    double overload_recovery_s = 600.0;

    static constexpr auto fields() {
      using P = Params;
      return with_more(
          std::array{
              Field<P>{&P::rated_w, "rated_power", "W", Range::positive,
                       "Power that the conductors carry continuously at this voltage."},
              Field<P>{&P::voltage_v, "voltage", "V", Range::positive, "Nominal line-to-line voltage."},
              Field<P>{&P::resistance_ohm, "resistance", "ohm", Range::non_negative,
                       "Resistance of one phase conductor over its whole length."},
          },
          conductor_protection_fields<P>());
    }
  };

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box = not_drawn;
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Feeder>{"power", [](const Params& p) { return p.rated_w; }}};
  }

  static constexpr Endurance endurance(const Params& p) noexcept {
    return endures_inversely(p.overload_limit_ratio, extremely_inverse, p.time_multiplier_ratio,
                             {breaker_opens_s, p.overload_recovery_s});
  }
  static constexpr auto limits() { return std::array{Limit<Feeder>{"loading", "1", &endurance, Beyond::trip}}; }

  static constexpr double voltage_v(const Params& p) noexcept { return p.voltage_v; }
  static constexpr Params at_voltage(Params p, double nominal_v) noexcept {
    p.rated_w *= nominal_v / p.voltage_v;
    p.voltage_v = nominal_v;
    return p;
  }
  static constexpr LossCurve loss_curve(const Params& p) noexcept {
    return {.quadratic_per_w = p.resistance_ohm / (p.voltage_v * p.voltage_v)};
  }
};

static_assert(PassageKind<Feeder>);

}  // namespace wattloop::electrical
