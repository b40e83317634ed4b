// Rows of `check` for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/ratings/check_row.hpp"

namespace wattloop::twin {

/// The ten rows that are nearest to their limits, one of each kind, and every other one that is not met; what would lift the first; how many more there are, and
/// how many of those that are not met are shown. Or all rows. `start`: local time of the run.
std::string ranked_text(const std::vector<CheckRow>& ranked, std::string_view start, bool are_all);

/// "2026-07-19T15:00", of a run that starts at a local time.
std::string local_time_text(std::string_view start, double time_s);

}  // namespace wattloop::twin
