// Which limits parts are beyond at a time, from the log of events, the table of limits and the series.
#pragma once

#include <cstddef>
#include <string>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

struct LimitsBeyond {
  std::size_t count = 0;  ///< limits of parts: two of one part are two
  std::string
      worst{};  ///< "cooler 1: loading 112.3 % where 100.0 % is allowed", that which is farthest beyond its limit for its size
};

/// From when a limit is reported as exceeded until it is reported as kept again, or the switch of the part trips.
LimitsBeyond limits_beyond_at(const ResultsReader& results, double time_s);

}  // namespace wattloop::twin
