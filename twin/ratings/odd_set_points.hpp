// What of a scenario cannot be right whatever the load is.
#pragma once

#include <string>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// Sentences about set-points and pumps, with the highest wet bulb of the run.
std::vector<std::string> odd_set_points(const Scenario& scenario, double wet_bulb_k);

}  // namespace wattloop::twin
