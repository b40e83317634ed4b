// Limits that parts went beyond, with the farthest value of a page: that of the watch or that of a record.
#pragma once

#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Of temperatures. The watch of limits looks between events, once a second; a record at the instant of an event may be farther beyond a limit. Then it is the worst,
/// so that no state that a page shows is worse than what it calls worst.
std::vector<LimitRecord> limits_with_records(const ResultsReader& results);

}  // namespace wattloop::twin
