// Events of a modelled fabric: switches, links, rails and NVLink ports fail, are slow, are restored.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "twin/actions/events/event_targets.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Whether an event may happen to parts of a fabric.
bool is_of_fabric(const EventSpec& spec);

/// Whether a name has the form of one of them: "leaf_12", "spine_3.to_core_1", "node_7.rail_5", with mistakes of a letter.
bool means_fabric(std::string_view name);

/// Adds the parts that events name; all parts, where any event names several by `*`.
void add_fabric_targets(const HallFabric& hall, std::span<const EventSpec> events, EventTargets& targets);

/// A part fails, has a part of its bandwidth, or is restored. What follows is found by `watch_fabric`.
void order_fabric(const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events);

}  // namespace wattloop::twin
