// What is told of parts: the table of the results file that they stand in, its columns, and what they have a rating for.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>

#include "core/port.hpp"

namespace wattloop {

/// The group of the results file that parts of a kind are told in, and what one of them is called there. Several kinds may
/// share one, with the same columns.
struct PartTable {
  std::string_view group;  ///< "towers"
  std::string_view item;   ///< "tower"
};

/// What only columns see of a part: a kind may say more in a struct `Shown` of its own.
struct NothingShown {};

template <class K>
struct ShownOf {
  using type = NothingShown;
};
template <class K>
requires requires { sizeof(typename K::Shown); }
struct ShownOf<K> {
  using type = typename K::Shown;
};

/// The numbers that only columns see.
template <class Shown>
constexpr auto numbers_shown(const Shown& shown) {
  if constexpr (std::is_empty_v<Shown>) {
    return std::array<double, 0>{};
  } else {
    return numbers_in(shown);
  }
}

/// A part at one instant: what it sees, what only columns see, what it draws, W.
template <class K>
struct Instant {
  const typename K::Params& params;
  const typename K::Now& now;
  const typename ShownOf<K>::type& shown;
  double power_w;
};

/// One entry of `columns()`.
template <class K>
struct Column {
  std::string_view name;
  std::string_view unit;
  std::string_view text;
  double (*value)(const Instant<K>&);
  std::string_view numerator = {};  ///< of a ratio of two other columns that are means; empty: no ratio
  std::string_view denominator = {};
};

/// What a part is rated for: a column, in W, and how much of it there may be.
template <class K>
struct Rating {
  std::string_view column;
  double (*rated_w)(const typename K::Params&);
};

}  // namespace wattloop
