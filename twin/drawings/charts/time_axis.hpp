// Round times and round numbers along an axis.
#pragma once

#include <string>
#include <vector>

namespace wattloop::twin {

struct TimeTick {
  double time_s = 0.0;
  std::string words{};  ///< "10 min"
};

/// Some four to nine round times of a run from `begin_s` to `end_s`, in one unit: s, min, h or d.
std::vector<TimeTick> time_ticks(double begin_s, double end_s);

/// Some four to nine multiples of 1, 2 or 5 times a power of ten within [low, high]; `low` alone where there is nothing between.
std::vector<double> number_ticks(double low, double high);

}  // namespace wattloop::twin
