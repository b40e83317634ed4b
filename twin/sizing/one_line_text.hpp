// `power` of a scenario with blocks, written as a one-line diagram that is the same hall (docs/power_as_drawn.md).
#pragma once

#include <string>

#include "twin/plant/equipment/plant.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// The keys `one_line` and `cords`, two spaces deep. Devices go by their names in the library: what a scenario changes in them by `with`
/// is not written. Empty of a scenario that has one.
std::string one_line_text(const Scenario& scenario, const Plant& plant);

}  // namespace wattloop::twin
