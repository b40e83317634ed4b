// From what the user asked for to the plant: scenario in, immutable plant out.
#pragma once

#include "twin/plant/plant.hpp"
#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// Throws InputError with all that does not fit together.
Plant build_plant(const Scenario& scenario);

}  // namespace wattloop::twin
