// A cable or busway, three-phase. At unity power factor:
//
//   loss = R (P / V)^2
//
// Verified in tests/verification/equipment_losses.cpp.
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

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Power that the conductors carry for ever."},
          Field<P>{&P::voltage_v, "voltage", "V", Range::positive, "Nominal voltage between phases."},
          Field<P>{&P::resistance_ohm, "resistance", "ohm", Range::non_negative,
                   "Resistance of one phase conductor over its whole length."},
      };
    }
  };

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box = not_drawn;
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Feeder>{"power", [](const Params& p) { return p.rated_w; }}};
  }

  static constexpr double voltage_v(const Params& p) noexcept { return p.voltage_v; }
  static constexpr LossCurve loss_curve(const Params& p) noexcept {
    return {.quadratic_per_w = p.resistance_ohm / (p.voltage_v * p.voltage_v)};
  }
};

static_assert(PassageKind<Feeder>);

}  // namespace wattloop::electrical
