// The warnings of `wattloop check` for a scenario.
#pragma once

#include <string>
#include <vector>

#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// Throws InputError.
std::vector<std::string> check_warnings(const Scenario& scenario);

}  // namespace wattloop::twin
