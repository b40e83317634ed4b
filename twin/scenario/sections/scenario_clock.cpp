// Events at a time of day and events that happen again: when they happen in the run, once its start and length are known.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/numbers/clock_grid.hpp"
#include "core/tables/local_time.hpp"
#include "core/units/units.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr double most_events = 20000.0;

void refuse(const EventSpec& event, std::string message, std::string hint, Problems& problems) {
  problems.add({event.place, std::move(message), std::move(hint), event.excerpt});
}

/// Local time to time after the start.
void place_by_clock(EventSpec& event, const LocalClock& clock, Problems& problems) {
  if (const auto time_of_day = parse_time_of_day(event.at_clock)) {
    event.at_s = clock.next_time_of_day_s(*time_of_day);
    return;
  }
  const LocalTime time = *parse_local_time(event.at_clock);
  if (time.utc_offset_s)
    return refuse(event, fmt::format("at: {} has a UTC offset", event.at_clock),
                  "write local standard time without a zone, the clock of the run: 2026-07-15T00:00:00", problems);
  event.at_s = clock.seconds_of_run(time);
  if (event.at_s >= 0.0) return;
  refuse(event, fmt::format("at: {} is before the run starts", event.at_clock), "write a time at or after `start`",
         problems);
  event.at_s = 0.0;
}

}  // namespace

void place_events(Scenario& scenario, Problems& problems) {
  const bool has_start = parse_local_time(scenario.start).has_value();  // else reported elsewhere
  std::vector<EventSpec> placed;
  for (EventSpec& event : scenario.events) {
    if (!event.at_clock.empty() && has_start) place_by_clock(event, LocalClock(scenario.start), problems);
    if (!event.every_s) {
      placed.push_back(std::move(event));
      continue;
    }
    if (event.for_s && *event.for_s >= *event.every_s) {
      refuse(event,
             fmt::format("an event for {} cannot happen every {}", format_quantity(*event.for_s, "s"),
                         format_quantity(*event.every_s, "s")),
             "write a `for` that is shorter than `every`", problems);
      continue;
    }
    if ((scenario.duration_s - event.at_s) / *event.every_s > most_events) {
      refuse(event, fmt::format("the event would happen more than {:.0f} times", most_events), "write a longer `every`",
             problems);
      continue;
    }
    for (double at_s = event.at_s; at_s <= scenario.duration_s; at_s += *event.every_s) {
      EventSpec& again = placed.emplace_back(event);
      again.at_s = at_s;
      again.every_s.reset();
    }
  }
  const double end_s = scenario.duration_s;  // which may lie between two instants of the clock
  for (EventSpec& event : placed) {
    event.at_s = on_clock_s(event.at_s);
    if (event.at_s == on_clock_s(end_s)) event.at_s = end_s;
  }
  scenario.events = std::move(placed);
  std::ranges::stable_sort(scenario.events, {}, &EventSpec::at_s);
}

}  // namespace wattloop::twin
