// Overload: how far over its rating a branch or source may be loaded, for how long, and whether it then trips.
// The law is that of core/parts/endurance.hpp, its value the loading: power over rating. Equipment that is not rated has no limit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "core/parts/limit.hpp"

namespace wattloop::electrical {

/// What the air around it leaves of a rating: all of it up to a temperature, then less for each kelvin, and nothing where it
/// switches off.
struct InAir {
  double rated_up_to_k = std::numeric_limits<double>::infinity();
  double less_per_k = 0.0;  ///< of the rating
  double off_above_k = std::numeric_limits<double>::infinity();
};

/// Never less than a tenth, so that a loading over it is a number.
inline double capacity_fraction(const InAir& in_air, double air_k) noexcept {
  if (!(air_k > in_air.rated_up_to_k)) return 1.0;
  return std::max(0.1, 1.0 - in_air.less_per_k * (air_k - in_air.rated_up_to_k));
}

/// Of one branch with all its modules, or of one source.
struct OverloadLimit {
  Endurance endurance = {};
  bool trips = false;  ///< once it is used up; else it is only reported
  InAir in_air = {};   ///< what air leaves of the rating that it is loaded over
};

/// Stages of a protection that operate after a fixed time above a current, over rated current; 0: there is none. Fuses have a ratio instead.
struct FixedStages {
  double short_time_ratio = 0.0;
  double short_time_s = 0.0;
  double instantaneous_ratio = 0.0;
  double earth_ratio = 0.0;  ///< of the current to earth
  double earth_s = 0.0;
  double selective_ratio =
      0.0;  ///< of ratings, from which it is selective with another that has one, whatever the times; 0: none
};

/// A trip unit and its switch, from the end of its time to open contacts (estimate).
inline constexpr double breaker_opens_s = 0.1;

namespace overload_checks {

/// Limits here are of loading, and loads are not derated: a kind reports or trips.
template <class K>
constexpr bool is_only_its_loading_limited() {
  if constexpr (HasLimits<K>) {
    const auto limits = K::limits();
    const bool is_one = limits.size() == 1 && limits[0].quantity == "loading";
    return is_one && (limits[0].beyond == Beyond::log || limits[0].beyond == Beyond::trip);
  }
  return true;
}

}  // namespace overload_checks

}  // namespace wattloop::electrical
