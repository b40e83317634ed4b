// What was above or below its set-point in a run, and for how long, from its summary.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

struct TimeOffSetPoint {
  std::string place{};      ///< "facility", "loop_1", "room_1"
  std::string_view side{};  ///< "above", "below"
  double time_s = 0.0;
  double most_k = 0.0;  ///< beyond it; NaN where the summary has none
};

/// For more than moments; the longest first.
std::vector<TimeOffSetPoint> times_off_set_points(std::span<const NamedValue> summary);

}  // namespace wattloop::twin
