// What a run cost and emitted, as lines of its summary.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/units/units.hpp"
#include "twin/run/figures/summary.hpp"

namespace wattloop::twin {

/// A label and what stands behind it; none without prices and carbon.
std::vector<std::pair<std::string, std::string>> cost_lines(const FinishedRun& run, UnitStyle style);

}  // namespace wattloop::twin
