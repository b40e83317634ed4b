// Which equipment of a one-line diagram as drawn may be out while every load goes on.
#pragma once

#include <string>
#include <vector>

#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

/// Of `SwitchRules::may_be_out`, those without which all loads that have power in the normal position still have it: ties and transfer switches have
/// acted, generators carry, batteries are empty.
std::vector<std::string> redundant_parts(const Plant& plant);

}  // namespace wattloop::twin
