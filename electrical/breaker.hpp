// A circuit breaker, switch or transfer switch leg. It loses nothing.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Breaker {
  static constexpr std::string_view kind = "breaker", noun = "breaker", plural = "breakers";
  static constexpr std::string_view doc = "A circuit breaker, switch or transfer switch leg.";
  struct Params {
    double rated_w = required;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Power at rated current and nominal voltage."},
      };
    }
  };

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box = not_drawn;
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Breaker>{"power", [](const Params& p) { return p.rated_w; }}};
  }

  static constexpr LossCurve loss_curve(const Params&) noexcept { return {}; }
};

static_assert(PassageKind<Breaker>);

}  // namespace wattloop::electrical
