// What stood above its set-point in a run, and for how long, from its summary.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/results/results_schema.hpp"

namespace wattloop::twin {

struct TimeAboveSetPoint {
  std::string place{};  ///< "facility", "loop_1", "room_1"
  double time_s = 0.0;
};

/// For more than moments; the longest first.
std::vector<TimeAboveSetPoint> times_above_set_points(std::span<const NamedValue> summary);

}  // namespace wattloop::twin
