// A power transformer [iec_60076_1]. At unity power factor S = P:
//
//   loss = P_0 + P_k (S / S_r)^2
//
// Overload trips by the long inverse curve, 120 s / (M - 1) over the limit: near what a dry winding with a time constant of half an hour
// endures from full load (estimate).
//
// Verified in tests/verification/power/equipment_losses.cpp, overload in tests/verification/power/overload.cpp.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Transformer {
  static constexpr std::string_view kind = "transformer", noun = "transformer", plural = "transformers";
  static constexpr std::string_view doc = "A power transformer.";
  struct Params {
    double rated_va = required;
    double no_load_loss_w = required;
    double load_loss_w = required;
    double overload_limit_ratio = 1.1;
    double time_multiplier_ratio = 1.0;
    double overload_recovery_s = 3600.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_va, "rated_power", "V A", Range::positive, "Rated apparent power."},
          Field<P>{&P::no_load_loss_w, "no_load_loss", "W", Range::non_negative,
                   "Iron loss, drawn whenever the transformer is energised."},
          Field<P>{&P::load_loss_w, "load_loss", "W", Range::non_negative,
                   "Copper loss at rated power; follows the square of the load."},
          Field<P>{&P::overload_limit_ratio, "overload_limit", "1", Range::positive,
                   "Power carried continuously, over rated power: where its protection picks up."},
          Field<P>{&P::time_multiplier_ratio, "time_multiplier", "1", Range::positive,
                   "Time multiplier of its protection, the long inverse curve."},
          Field<P>{&P::overload_recovery_s, "overload_recovery", "s", Range::positive,
                   "Time from an overload that it just endured to being as rested as before."},
      };
    }
  };

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box{3.60, 4.50, 4.00};
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Transformer>{"power", [](const Params& p) { return p.rated_va; }, "all of its side"}};
  }

  static constexpr Endurance endurance(const Params& p) noexcept {
    return endures_inversely(p.overload_limit_ratio, long_inverse, p.time_multiplier_ratio,
                             {breaker_opens_s, p.overload_recovery_s});
  }
  static constexpr auto limits() { return std::array{Limit<Transformer>{"loading", "1", &endurance, Beyond::trip}}; }

  static constexpr LossCurve loss_curve(const Params& p) noexcept {
    return {.constant_w = p.no_load_loss_w, .quadratic_per_w = p.load_loss_w / (p.rated_va * p.rated_va)};
  }
};

static_assert(PassageKind<Transformer>);

}  // namespace wattloop::electrical
