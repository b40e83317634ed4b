// Scheduled events happen, and settings move along their courses.
#pragma once

#include <vector>

#include "twin/actions/events/scheduled_events.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Applies one event now and reports it. What fails is open or off, and locked so until it is restored; what is restored
/// returns to its normal position. The end of a temporary event leaves what would be without it (plant/flag_overrides.hpp). Switches follow when `switch_power` acts, settings when `advance_settings` does.
void apply_event(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events);

/// Moves settings along their courses. True if any was on its way.
bool advance_settings(PlantState& state);

/// Whether any setting goes on to move after now.
bool is_a_setting_moving(const PlantState& state);

}  // namespace wattloop::twin
