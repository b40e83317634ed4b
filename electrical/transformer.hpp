// A power transformer [iec_60076_1]. At unity power factor S = P:
//
//   loss = P_0 + P_k (S / S_r)^2
//
// Verified in tests/verification/equipment_losses.cpp.
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

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_va, "rated_power", "V A", Range::positive, "Rated apparent power."},
          Field<P>{&P::no_load_loss_w, "no_load_loss", "W", Range::non_negative,
                   "Iron loss, drawn whenever the transformer is energised."},
          Field<P>{&P::load_loss_w, "load_loss", "W", Range::non_negative,
                   "Copper loss at rated power; follows the square of the load."},
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

  static constexpr LossCurve loss_curve(const Params& p) noexcept {
    return {.constant_w = p.no_load_loss_w, .quadratic_per_w = p.load_loss_w / (p.rated_va * p.rated_va)};
  }
};

static_assert(PassageKind<Transformer>);

}  // namespace wattloop::electrical
