// Supply set-point reset by wet bulb: water as cold as the weather gives it, within limits.
//
//   T_set = clamp(T_wb + approach, lowest, highest)
//
// Source: [modelica_buildings], towers of its data centers. Verified in tests/verification/water/wet_bulb_reset.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/parts/sequence.hpp"

namespace wattloop::physics {

struct WetBulbReset {
  static constexpr std::string_view kind = "wet_bulb_reset";
  static constexpr std::string_view doc = "A supply temperature that follows the outdoor wet bulb, within limits.";
  static constexpr std::string_view unit = "K";

  struct Params {
    double approach_k = 5.0, lowest_k = required, highest_k = required;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::approach_k, "approach", temperature_difference, Range::non_negative,
                   "Difference of the set-point above the wet bulb."},
          Field<P>{&P::lowest_k, "lowest", "K", Range::positive, "Lowest set-point that the users of the water allow."},
          Field<P>{&P::highest_k, "highest", "K", Range::positive,
                   "Highest set-point that the users of the water allow."},
      };
    }
  };

  static std::string_view mistake(const Params& p) noexcept {
    return p.lowest_k > p.highest_k ? "the lowest set-point is above the highest" : "";
  }

  static double setting(const Params& p, const OutsideNow& outside) noexcept {
    return std::max(std::min(outside.wet_bulb_k + p.approach_k, p.highest_k), p.lowest_k);
  }
};

static_assert(Sequence<WetBulbReset>);

}  // namespace wattloop::physics
