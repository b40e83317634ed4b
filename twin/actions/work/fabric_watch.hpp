// What has failed in a modelled fabric, and when routes follow it.
//
//   a part fails, or its rack loses power    what went over it waits, until routes avoid it after the reroute time
//   a part is back                           routes use it again after the reroute time
//   a part is slow, an NVLink port fails     at once: no route changes
//
// Documented in docs/models/fabric.md. Verified in tests/verification/work/fabric_failures.cpp.
#pragma once

#include <vector>

#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// The losses that routes and jobs know of.
std::vector<FabricLoss> known_losses(const HallFabric& hall, const FabricState& fabric);

/// Looks at orders and racks without power. True where anything changed. Only of a plant with a modelled fabric.
bool watch_fabric(const Plant& plant, PlantState& state, std::vector<EventRecord>& events);

}  // namespace wattloop::twin
