// From events as scenarios have them to what happens to which component of a plant: names to numbers, wildcards to lists, `for` to a
// second event.
#pragma once

#include <span>
#include <vector>

#include "twin/actions/events/scheduled_events.hpp"
#include "twin/planning/events/event_targets.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// All events in the order in which they happen. Names that do not exist go to `problems` with the nearest that does.
std::vector<ScheduledEvent> schedule_events(const Scenario& scenario, const Plant& plant, Problems& problems);

/// Reads the names of a plant once. What an event does follows from the event alone, so that events may come in any portions.
class EventResolver {
 public:
  /// Both must outlive it; `scenario` need not have the events.
  EventResolver(const Scenario& scenario, const Plant& plant)
      : scenario_(scenario), plant_(plant), targets_(hall_targets(plant)) {}

  /// The same as `schedule_events`.
  std::vector<ScheduledEvent> schedule(std::span<const EventSpec> events, Problems& problems);

 private:
  const Scenario& scenario_;
  const Plant& plant_;
  HallTargets targets_;
};

}  // namespace wattloop::twin
