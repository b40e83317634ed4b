// Which states move most: the first question when an integration fails.
#pragma once

#include <span>
#include <string>

#include "twin/plant/plant.hpp"

namespace wattloop::twin {

/// "gpu.die_temperature of ... 401.2 K (+3.1e+01 K/s), ..." for the three states whose rates are largest over their tolerance.
std::string fastest_states(const Plant& plant, std::span<const double> states, std::span<const double> rates);

}  // namespace wattloop::twin
