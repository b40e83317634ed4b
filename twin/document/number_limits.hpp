// Which numbers the reader takes: ranges of fields, and sizes that things have.
#pragma once

#include <string_view>

#include "core/parts/field.hpp"

namespace wattloop::twin {

/// No quantity of a hall is beyond these in SI units, and sums and squares of such are numbers still.
inline constexpr double largest_quantity = 1e18, smallest_positive_quantity = 1e-18;

/// What holds, moves and takes heat or water: with less, nothing is small enough a step of time or nothing comes to rest; with more,
/// nothing ever moves, or numbers of other sizes are lost beside it.
struct Extent {
  std::string_view unit, end_of_name;
  double least, most;
};

/// Null where only what is next to nothing, or more than anything has, is refused.
const Extent* extent_of(const FieldInfo& info);

bool is_in_range(double value, Range range);

/// The lowest and the highest number that are taken, SI; between them all are, but for what is next to nothing.
struct NumberLimits {
  double lowest = 0.0, highest = 0.0;
};

NumberLimits number_limits(const FieldInfo& info);

}  // namespace wattloop::twin
