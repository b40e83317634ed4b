// Dry and wet bulb that something else than the weather of a scenario gives: a file that they follow, or events, `set: weather.dry_bulb`. Of the two,
// one that is not given keeps its difference from the other.
#pragma once

#include <optional>
#include <string>

#include "physics/weather/weather.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

struct Bulbs {
  std::optional<double> dry_k{}, wet_k{};
};

/// Both: of one that is not given, the difference from the other is that of the weather.
Bulbs completed(const physics::WeatherNow& now, Bulbs bulbs);

/// The same air with these; its dew point and humidity follow from them. A wet bulb is at most the dry bulb.
physics::WeatherNow with_bulbs(physics::WeatherNow now, const Bulbs& bulbs);

/// What events have set at the time of `state`; nothing in a hall that does not feel the weather.
Bulbs bulbs_by_events(const Plant& plant, const PlantState& state);

/// Where a temporary event hides a bulb that none has set for good, `said` is what it goes back to.
void follow_below_events(const Plant& plant, const physics::WeatherNow& said, PlantState& state);

/// Whether a name or a pattern of names means one of them.
bool is_a_bulb(const std::string& pattern);

}  // namespace wattloop::twin
