// The weather of a run: a design day or a year of hours, on the run's own clock.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "physics/weather/weather.hpp"
#include "twin/actions/weather/moving_input.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// How often the plant looks outside; the weather is held between. A longer window has the mean of these minutes.
inline constexpr double weather_interval_s = 60.0;

struct Outdoors {
  physics::Weather weather;
  double start_s = 0.0;                 ///< of the run, on the weather's time axis
  std::vector<std::string> notes = {};  ///< where the calendar of the file is not that of the run
};

/// Every sample of the weather from the start of the run to its end, and both ends; weather is linear between them.
void for_each_sample(const Outdoors& outdoors, double duration_s,
                     const std::function<void(const physics::WeatherNow&)>& act);

/// The weather of that time, with what events have set at the time of `state`.
physics::WeatherNow weather_now(const Plant& plant, const Outdoors& outdoors, const PlantState& state, double time_s);

/// Weather now to the plant's inputs; nothing where no part of the plant feels it.
void follow_weather(const Plant& plant, const Outdoors& outdoors, PlantState& state);

/// The same inputs as they move from the time of `state` to `end_s`, over which the weather is linear: at any time the mean of the
/// staircase of minutes.
void move_weather(const Plant& plant, const Outdoors& outdoors, const PlantState& state, double end_s,
                  std::vector<MovingInput>& moving);

/// How far the weather goes on in a straight line, as nearly as anybody would notice: to one of its samples, at most some hours off.
double next_bend_s(const Outdoors& outdoors, double time_s);

}  // namespace wattloop::twin
