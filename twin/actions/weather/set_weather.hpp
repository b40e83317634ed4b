// Dry and wet bulb that something else than the weather of a scenario gives: a file that they follow, or events, `set: weather.dry_bulb`. Of the two,
// one that is not given keeps its difference from the other.
#pragma once

#include <optional>
#include <span>

#include "core/text/problem.hpp"
#include "physics/weather/weather.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

struct Bulbs {
  std::optional<double> dry_k{}, wet_k{};
};

/// The same air with these; its dew point and humidity follow from them. A wet bulb is at most the dry bulb.
physics::WeatherNow with_bulbs(physics::WeatherNow now, const Bulbs& bulbs);

/// What events have set at the time of `state`; nothing in a hall that does not feel the weather.
Bulbs bulbs_by_events(const Plant& plant, const PlantState& state);

/// Where a temporary event hides a bulb that none has set for good, `said` is what it goes back to.
void follow_below_events(const Plant& plant, const physics::WeatherNow& said, PlantState& state);

/// Whether a bulb of the weather is among what the event sets.
bool names_a_bulb(const EventSpec& event);

/// Events that set a wet bulb above the dry bulb, at their times and at the ends of their ramps, go to `problems`.
void check_set_weather(const Scenario& scenario, const Plant& plant, std::span<const ScheduledEvent> events,
                       Problems& problems);

/// A run at an instant, with the events at that instant and after it.
struct PendingWeather {
  const Scenario& scenario;
  const PlantState& now;
  std::span<const ScheduledEvent> events;
};

/// The same of a run to which events are added: only what has yet to come is looked at.
void check_later_weather(const PendingWeather& pending, const Plant& plant, Problems& problems);

}  // namespace wattloop::twin
