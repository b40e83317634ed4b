// Events that a run gets one after another: resolved against its plant, and compared with files that settings follow and with events of the
// weather that are still to come.
#pragma once

#include <optional>
#include <vector>

#include "twin/actions/events/event_calendar.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/planning/weather/weather_ahead.hpp"

namespace wattloop::twin {

/// Where the run is and what is scheduled in it.
struct PendingRun {
  const PlantState& now;
  const EventCalendar& events;
};

class EventScheduler {
 public:
  /// Both must outlive it; `scenario` need not have the events.
  EventScheduler(const Scenario& scenario, const Plant& plant);

  /// The same as `schedule_events`. What is wrong with the events goes to `problems`. Without `run`, the events come from a run in which they
  /// were right.
  std::vector<ScheduledEvent> schedule(const std::vector<EventSpec>& events, std::optional<PendingRun> run,
                                       Problems& problems);

  /// The events that were scheduled last are in the calendar of the run now.
  void take();

 private:
  void compare_with_weather(const std::vector<ScheduledEvent>& scheduled, const PendingRun& run, Problems& problems);

  const Scenario& scenario_;
  const Plant& plant_;
  EventResolver resolver_;
  std::optional<WeatherAhead> weather_;  ///< from the first event on that sets a bulb in a run
};

}  // namespace wattloop::twin
