// Which limits parts are beyond at a time, from the log of events, the table of limits and the series.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

struct LimitsBeyond {
  std::size_t count = 0;  ///< limits of parts: two of one part are two
  std::string
      worst{};  ///< "cooler 1: loading 112.3 % where 100.0 % is allowed", that which is farthest beyond its limit for its size
};

/// From when a limit is reported as exceeded until it is reported as back within it, or the switch of the part trips.
LimitsBeyond limits_beyond_at(const ResultsReader& results, double time_s);

/// A limit that a part is beyond.
struct ExceededLimit {
  std::string part{}, quantity{};
  double excess = 0.0;  ///< `excess_of`
  std::string words{};  ///< "loading 112.3 % where 100.0 % is allowed"
};

/// Every limit that a part is beyond at that time, the worst first. Parts whose quantity is not recorded are among them while an event names them.
std::vector<ExceededLimit> exceeded_limits_at(const ResultsReader& results, double time_s);

/// How far a value is beyond a limit, as a share by which watts, flows and temperatures are compared: of a temperature the share of the limit above
/// 0 degC (38 degC where 35 degC is allowed: 8.6 %), at least of 10 K; of all else the share of the limit.
double excess_of(const LimitRecord& limit, double value);

/// The limit that is exceeded most at any time of the run, by `excess_of`; null where there is none.
const LimitRecord* farthest_of(std::span<const LimitRecord> limits);

}  // namespace wattloop::twin
