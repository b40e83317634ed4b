// Overload: how far over its rating a branch or source may be loaded, for how long, and whether it then trips.
// The law is that of core/endurance.hpp, its value the loading: power over rating. Equipment that is not rated has no limit.
#pragma once

#include <array>
#include <cstddef>

#include "core/limit.hpp"

namespace wattloop::electrical {

/// Of one branch with all its modules, or of one source.
struct OverloadLimit {
  Endurance endurance = {};
  bool trips = false;  ///< once it is used up; else it is only told
};

/// A trip unit and its switch, from the end of its time to open contacts (estimate).
inline constexpr double breaker_opens_s = 0.1;

namespace overload_checks {

/// Limits here are of loading, and loads are not derated: a kind is told of or trips.
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
