#include "twin/actions/event_scheduler.hpp"

#include <algorithm>
#include <limits>

#include "twin/actions/events/followed_settings.hpp"
#include "twin/actions/weather/set_weather.hpp"

namespace wattloop::twin {

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
