// A plant as diagrams show it: its parts, and what passes from one to the other.
#pragma once

#include "twin/plant/equipment/plant.hpp"
#include "twin/results/schema/topology.hpp"

namespace wattloop::twin {

/// Power from sources through buses and equipment to what draws it; heat from racks through what carries and cools it to the
/// weather, or to water whose temperature is given. Modules and passages of parts are left out.
Topology topology_of(const Plant& plant);

}  // namespace wattloop::twin
