// Flows of water systems, found from what is joined to their headers.
#pragma once

#include "twin/build/assembly/diagram.hpp"

namespace wattloop::twin {

/// Gives every system with a plant of its own the laws of its three flows:
///
///   load    all that its pumps move out of the supply header
///   source  all that comes into the supply header
///   bypass  the difference of the source and of all that leaves the supply header otherwise: from supply to return, or back
///
/// Where pre-coolers take what users bring back, users lead to a junction before the return header, and what pre-coolers leave there
/// goes on to it: they are in series, before chillers. What they take beyond that comes back to them.
void find_system_flows(Diagram& diagram);

}  // namespace wattloop::twin
