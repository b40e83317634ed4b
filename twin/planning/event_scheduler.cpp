#include "twin/planning/event_scheduler.hpp"

#include <algorithm>
#include <limits>

#include "twin/actions/weather/set_weather.hpp"
#include "twin/planning/events/followed_by_name.hpp"

namespace wattloop::twin {

namespace {

/// Whether a bulb of the weather is among what the event sets.
bool names_a_bulb(const EventSpec& event) {
  return event.kind == EventSpec::Kind::set && std::ranges::any_of(event.targets, is_a_bulb);
}

}  // namespace

EventScheduler::EventScheduler(const Scenario& scenario, const Plant& plant)
    : scenario_(scenario), plant_(plant), resolver_(scenario, plant) {}

std::vector<ScheduledEvent> EventScheduler::schedule(const std::vector<EventSpec>& events,
                                                     std::optional<PendingRun> run, Problems& problems) {
  std::vector<ScheduledEvent> scheduled = resolver_.schedule(events, problems);
  check_later_events(scenario_, plant_, events, problems);
  if (run && plant_.outside.is_felt() && std::ranges::any_of(events, names_a_bulb))
    compare_with_weather(scheduled, *run, problems);
  return scheduled;
}

void EventScheduler::compare_with_weather(const std::vector<ScheduledEvent>& scheduled, const PendingRun& run,
                                          Problems& problems) {
  if (!weather_) weather_.emplace(scenario_, plant_, run.now, run.events.from(run.now.time_s).events());
  EventCalendar alone =
      run.events.from(std::numeric_limits<double>::infinity());  // with numbers of pairs that are free
  alone.add(scheduled);
  weather_->check(run.now, alone.events(), problems);
}

void EventScheduler::take() {
  if (weather_) weather_->take();
}

}  // namespace wattloop::twin
