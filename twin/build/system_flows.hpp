// Flows of water systems, found from what is joined to their headers.
#pragma once

#include "twin/build/diagram.hpp"

namespace wattloop::twin {

/// Gives every system with a plant of its own the laws of its three flows:
///
///   load    all that its pumps move out of the supply header
///   source  all that comes into the supply header
///   bypass  the difference of the source and of all that leaves the supply header otherwise: from supply to return, or back
void find_system_flows(Diagram& diagram);

}  // namespace wattloop::twin
