// The weather of a run: a design day or a year of hours, on the run's own clock.
#pragma once

#include "physics/weather/weather.hpp"
#include "twin/plant/plant_state.hpp"
#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// How often the plant looks outside; the weather is held between.
inline constexpr double weather_interval_s = 60.0;

struct Outdoors {
  physics::Weather weather;
  double start_s = 0.0;  ///< of the run, on the weather's time axis
};

/// The weather that the scenario names. Throws InputError with all that is wrong with its file.
Outdoors make_outdoors(const Scenario& scenario);

/// Weather now to the plant's inputs; nothing where no part of the plant feels it.
void follow_weather(const Plant& plant, const Outdoors& outdoors, PlantState& state);

}  // namespace wattloop::twin
