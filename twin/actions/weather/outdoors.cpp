#include "twin/actions/weather/outdoors.hpp"

#include <algorithm>
#include <cmath>

#include "physics/air/psychrometrics.hpp"
#include "twin/actions/weather/set_weather.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/plant/snapshot/room_vapour.hpp"

namespace wattloop::twin {

namespace {

using InputValues = std::array<double, 4>;
using InputNumbers = std::array<std::size_t, 4>;

InputNumbers inputs_of(const Plant& plant) {
  return {plant.outside.dry_bulb, plant.outside.wet_bulb, plant.outside.humidity_ratio, plant.outside.pressure};
}

/// Inputs by their names, which stand before all others (twin/build/templates/template_site.cpp).
std::size_t input_named(const Plant& plant, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(plant.input_names, name) - plant.input_names.begin());
}

struct RoomWeather {
  double dew_point_k, pressure_pa;
};
RoomWeather room_weather_of(const physics::WeatherNow& now) { return {now.dew_point_k, now.pressure_pa}; }

InputValues values_of(const physics::WeatherNow& now) {
  const double vapour_pa = physics::saturation_pressure_pa(now.dew_point_k);
  return {now.dry_bulb_k, now.wet_bulb_k, physics::humidity_ratio_of_vapour(vapour_pa, now.pressure_pa),
          now.pressure_pa};
}

physics::WeatherNow said_at(const Outdoors& outdoors, double time_s) {
  return physics::weather_at(outdoors.weather, outdoors.start_s + time_s);
}

}  // namespace

void for_each_sample(const Outdoors& outdoors, double duration_s,
                     const std::function<void(const physics::WeatherNow&)>& act) {
  const physics::Weather& weather = outdoors.weather;
  const double end_s = outdoors.start_s + std::min(duration_s, weather.period_s());
  act(physics::weather_at(weather, outdoors.start_s));
  for (double k = std::ceil(outdoors.start_s / weather.step_s); k * weather.step_s < end_s; k += 1.0)
    act(physics::weather_at(weather, k * weather.step_s));
  act(physics::weather_at(weather, end_s));
}

physics::WeatherNow weather_now(const Plant& plant, const Outdoors& outdoors, const PlantState& state, double time_s) {
  return with_bulbs(said_at(outdoors, time_s), bulbs_by_events(plant, state));
}

void follow_weather(const Plant& plant, const Outdoors& outdoors, PlantState& state) {
  const double minute_s = next_multiple_s(state.time_s, weather_interval_s) - weather_interval_s;
  follow_below_events(plant, said_at(outdoors, minute_s), state);
  const physics::WeatherNow now = weather_now(plant, outdoors, state, minute_s);
  const RoomWeather rooms = room_weather_of(now);
  state.inputs[input_named(plant, dew_point_outside)] = rooms.dew_point_k;
  state.inputs[input_named(plant, pressure_in_rooms)] = rooms.pressure_pa;
  if (!plant.outside.is_felt()) return;
  const InputValues values = values_of(now);
  const InputNumbers inputs = inputs_of(plant);
  for (std::size_t k = 0; k < values.size(); ++k) state.inputs[inputs[k]] = values[k];
}

void move_weather(const Plant& plant, const Outdoors& outdoors, const PlantState& state, double end_s,
                  std::vector<MovingInput>& moving) {
  const double duration_s = end_s - state.time_s;
  if (!(duration_s > weather_interval_s)) return;
  const auto move = [&](std::size_t input, double begin, double end) {
    const double per_s = (end - begin) / duration_s;
    moving.push_back({input, begin - 0.5 * weather_interval_s * per_s, per_s});
  };
  const physics::WeatherNow first = weather_now(plant, outdoors, state, state.time_s),
                            last = weather_now(plant, outdoors, state, end_s);
  const RoomWeather now = room_weather_of(first), then = room_weather_of(last);
  move(input_named(plant, dew_point_outside), now.dew_point_k, then.dew_point_k);
  move(input_named(plant, pressure_in_rooms), now.pressure_pa, then.pressure_pa);
  if (!plant.outside.is_felt()) return;
  const InputValues begin = values_of(first), end = values_of(last);
  const InputNumbers inputs = inputs_of(plant);
  for (std::size_t k = 0; k < begin.size(); ++k) move(inputs[k], begin[k], end[k]);
}

double next_bend_s(const Outdoors& outdoors, double time_s) {
  constexpr double noticeable_k = 0.02, most_samples = 15.0;
  const double begin_s = outdoors.start_s + time_s, step_s = outdoors.weather.step_s;
  const double first_s = next_multiple_s(begin_s, step_s);
  const auto at = [&](double at_s) { return physics::weather_at(outdoors.weather, at_s); };
  const physics::WeatherNow begin = at(begin_s);
  double straight_s = first_s;
  for (double end_s = first_s + step_s; end_s < first_s + most_samples * step_s; end_s += step_s) {
    const physics::WeatherNow end = at(end_s);
    for (double between_s = first_s; between_s < end_s; between_s += step_s) {
      const double share = (between_s - begin_s) / (end_s - begin_s);
      const physics::WeatherNow now = at(between_s);
      const auto bend_k = [&](double from_k, double now_k, double to_k) {
        return std::abs(from_k + share * (to_k - from_k) - now_k);
      };
      const double most_k = std::max({bend_k(begin.dry_bulb_k, now.dry_bulb_k, end.dry_bulb_k),
                                      bend_k(begin.wet_bulb_k, now.wet_bulb_k, end.wet_bulb_k),
                                      bend_k(begin.dew_point_k, now.dew_point_k, end.dew_point_k)});
      if (most_k > noticeable_k) return straight_s - outdoors.start_s;
    }
    straight_s = end_s;
  }
  return straight_s - outdoors.start_s;
}

}  // namespace wattloop::twin
