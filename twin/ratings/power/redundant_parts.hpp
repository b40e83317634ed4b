// Which equipment of a one-line diagram as drawn may be out while every load goes on, and which is part of a loop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

/// Of `SwitchRules::may_be_out`, those without which all loads that have power in the normal position still have it: ties and transfer switches have
/// acted, generators carry, batteries are empty.
std::vector<std::string> redundant_parts(const Plant& plant);

/// [branches] 1: closes a loop with others in the normal position of a tree whose flow may be meshed, so that what it carries follows from all
/// impedances of the loop, also where a module of it is out.
std::vector<std::uint8_t> branches_in_loops(const Plant& plant);

}  // namespace wattloop::twin
