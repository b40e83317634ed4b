// Events of a modelled fabric: switches, links, rails and NVLink ports fail, are slow, are restored.
#pragma once

#include <vector>

#include "twin/actions/events/scheduled_events.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// A part fails, has a part of its bandwidth, or is restored. What follows is found by `watch_fabric`.
void order_fabric(const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events);

}  // namespace wattloop::twin
