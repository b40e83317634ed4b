// The instants at which a run can be stopped and events can happen.
#pragma once

#include <cmath>

namespace wattloop {

/// The whole microsecond nearest to a time: sums of decimal numbers mean the instant that they miss by their rounding, and no two instants are
/// so near to each other that nothing can be measured between them.
inline double on_clock_s(double time_s) {
  constexpr double steps_per_s = 1e6, longest_s = 1e9;  // whose microseconds are whole numbers of a double
  return std::abs(time_s) < longest_s ? std::round(time_s * steps_per_s) / steps_per_s : time_s;
}

}  // namespace wattloop
