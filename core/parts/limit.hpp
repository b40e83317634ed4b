// Limits, declared in the header of the part that has them: which quantity, how far it may go and for how long, what happens beyond.
//
//   static constexpr auto limits() {
//     return std::array{Limit<Ups>{"loading", "1", [](const Params& p) { return endurance(p); }, Beyond::trip}};
//   }
//
// The quantity is a column of the part, so that what is held to a limit is what is recorded. Loadings of the power system are
// counted and trip (electrical/overload.hpp); a limit of any other part is a value beyond which that is reported, or the run ends. What a
// part is rated for is such a limit without being declared again. Why so: docs/decisions/0029-limits-are-declared-where-the-part-is.md.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include "core/parts/endurance.hpp"

namespace wattloop {

/// What happens once a limit is used up.
enum class Beyond {
  log,     ///< it is reported
  derate,  ///< the part does less
  trip,    ///< the part is switched off, until somebody switches it on
  stop,    ///< the run ends: beyond it there is no answer
};

/// "log", "derate", "trip", "stop".
constexpr std::string_view name_of(Beyond beyond) {
  switch (beyond) {
    case Beyond::log:
      return "log";
    case Beyond::derate:
      return "derate";
    case Beyond::trip:
      return "trip";
    case Beyond::stop:
      return "stop";
  }
  return {};
}

/// On which side of a limit a value is beyond it.
enum class Side { above, below };

inline bool is_beyond(double value, double limit, Side side) noexcept {
  return side == Side::above ? value > limit : value < limit;
}

/// One entry of `limits()`.
template <class K>
struct Limit {
  std::string_view quantity;  ///< name of a column
  std::string_view unit;      ///< of that column
  Endurance (*endurance)(const typename K::Params&);
  Beyond beyond;
  Side side = Side::above;
  std::string_view why = {};  ///< what the limit is, in a sentence: "above what its maker allows"
};

template <class K>
concept HasLimits = requires {
  K::limits();
};

namespace limit_checks {

template <class K>
constexpr bool is_each_limit_of_a_column() {
  if constexpr (HasLimits<K>) {
    const auto limits = K::limits();
    for (std::size_t i = 0; i < limits.size(); ++i) {
      bool is_there = false;
      for (const auto& column : K::columns())
        is_there = is_there || (column.name == limits[i].quantity && column.unit == limits[i].unit);
      if (!is_there) return false;
      for (std::size_t k = 0; k < i; ++k) {
        const bool is_same_way = limits[i].beyond == limits[k].beyond && limits[i].side == limits[k].side;
        if (limits[i].quantity == limits[k].quantity && is_same_way) return false;
      }
    }
  }
  return true;
}

/// Of parts that are no electrical equipment: reported, or the end of the run, and why.
template <class K>
constexpr bool is_each_limit_reported_or_the_end() {
  if constexpr (HasLimits<K>) {
    for (const auto& limit : K::limits()) {
      if (limit.why.empty() || (limit.beyond != Beyond::log && limit.beyond != Beyond::stop)) return false;
    }
  }
  return true;
}

}  // namespace limit_checks

template <class K>
concept ReportsOrStopsBeyondLimits = limit_checks::is_each_limit_reported_or_the_end<K>();

template <class K>
concept LimitsColumnsOnce = limit_checks::is_each_limit_of_a_column<K>();

}  // namespace wattloop
