// Cooling of a sized hall as a scenario in YAML.
#pragma once

#include <string>

#include "twin/sizing/hall_sizes.hpp"

namespace wattloop::twin {

/// The section `hall.cooling` and, where there are any, `parts`.
std::string sized_cooling_text(const HallSizes& hall);
std::string sized_parts_text(const HallSizes& hall);

}  // namespace wattloop::twin
