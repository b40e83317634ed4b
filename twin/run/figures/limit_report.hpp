// Limits that a run went beyond, as results, JSON and text report them: of parts, of loadings of the power system, of dies.
#pragma once

#include <string>
#include <vector>

#include "core/units/units.hpp"
#include "twin/results/schema/results_schema.hpp"
#include "twin/run/figures/summary.hpp"

namespace wattloop::twin {

/// One for every part and limit; parts of the hall as in the catalog, then the power system, then the hottest die.
std::vector<LimitRecord> limit_records(const FinishedRun& run);

/// A block of the summary: of parts that are alike the worst. Empty where nothing was beyond a limit.
/// `start`: local time at which the run begins.
std::string limits_text(const std::vector<LimitRecord>& records, UnitStyle style, std::string_view start);

/// "cdu_3 and 2 more, loading: 108.2 % (limit 100 %); tower_1, ...": of parts that are alike the worst. Empty where there are none.
std::string names_of_limits(const std::vector<LimitRecord>& records);

}  // namespace wattloop::twin
