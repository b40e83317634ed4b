// Fault levels of all buses, for `wattloop check --fault-levels`.
#pragma once

#include <span>
#include <string>

#include "twin/ratings/power/fault_table.hpp"

namespace wattloop::twin {

std::string fault_levels_text(std::span<const BusFaultLevels> buses);
/// An array, one object a bus; null where a level is not known.
std::string fault_levels_json(std::span<const BusFaultLevels> buses);

}  // namespace wattloop::twin
