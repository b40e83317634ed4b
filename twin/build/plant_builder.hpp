// From what the user asked for to the plant: scenario in, immutable plant out.
#pragma once

#include "twin/build/assembly/diagram.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// What stands in the hall of a scenario and how it is joined. Throws InputError with all that does not fit together.
Diagram expand(const Scenario& scenario);

/// The same as a plant.
Plant build_plant(const Scenario& scenario);

}  // namespace wattloop::twin
