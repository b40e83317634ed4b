// A rectifier or DC converter whose loss is affine in what it delivers [exadigit_raps].
//
//   P_in = (P + a) / eta
//
// Overload is reported and carried: shelves share their load and limit their current (estimate).
//
// Verified in tests/verification/power/frontier_chain.cpp.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Converter {
  static constexpr std::string_view kind = "converter", noun = "converter", plural = "converters";
  static constexpr std::string_view doc = "A rectifier or DC converter.";
  struct Params {
    double rated_w = required;
    double constant_w = required;
    double efficiency_fraction = required;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Rated output power of one module."},
          Field<P>{&P::constant_w, "constant_power", "W", Range::non_negative,
                   "Constant loss: power added to the output before the efficiency is applied."},
          Field<P>{&P::efficiency_fraction, "efficiency", "1", Range::positive_fraction,
                   "Efficiency: output and constant loss together, over input."},
      };
    }
  };

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box = not_drawn;
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Converter>{"power", [](const Params& p) { return p.rated_w; }}};
  }

  static constexpr Endurance endurance(const Params&) noexcept { return endures_all_beyond(1.0); }
  static constexpr auto limits() { return std::array{Limit<Converter>{"loading", "1", &endurance, Beyond::log}}; }

  static constexpr double input_power_factor(const Params&) noexcept { return 1.0; }  ///< corrected (estimate)
  static constexpr LossCurve loss_curve(const Params& p) noexcept {
    return {.constant_w = p.constant_w / p.efficiency_fraction, .linear_ratio = 1.0 / p.efficiency_fraction - 1.0};
  }
};

static_assert(PassageKind<Converter>);

}  // namespace wattloop::electrical
