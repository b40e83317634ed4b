// A transformer from the utility's high voltage, one for a side.
#pragma once

#include <array>
#include <string_view>

#include "electrical/transformer.hpp"

namespace wattloop::electrical {

struct Substation {
  static constexpr std::string_view kind = "substation", noun = "substation", plural = "substations";
  static constexpr std::string_view doc = "A transformer from the utility's high voltage.";
  struct Params : Transformer::Params {};

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box{5.00, 2.40, 2.60, BoxPlace::yard};  ///< switchgear and dry transformers
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Substation>{"power", [](const Params& p) { return p.rated_va; }, "all of its side"}};
  }

  static constexpr Endurance endurance(const Params& p) noexcept { return Transformer::endurance(p); }
  static constexpr auto limits() { return std::array{Limit<Substation>{"loading", "1", &endurance, Beyond::trip}}; }

  static constexpr TransformerRating transformer_rating(const Params& p) noexcept {
    return Transformer::transformer_rating(p);
  }
  static constexpr double breaking_capacity_a(const Params& p) noexcept { return p.breaking_capacity_a; }

  static constexpr std::string_view metered_under = Transformer::kind;
  static constexpr LossCurve loss_curve(const Params& p) noexcept { return Transformer::loss_curve(p); }
};

static_assert(PassageKind<Substation>);

}  // namespace wattloop::electrical
