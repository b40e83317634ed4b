// Ratings against the load they must carry when every node draws its nameplate power.
#pragma once

#include <string>
#include <vector>

#include "twin/scenario.hpp"

namespace wattloop::twin {

/// One sentence for every rating that is too small; it names the equipment and what it must carry.
std::vector<std::string> check_ratings(const Scenario& scenario);

}  // namespace wattloop::twin
