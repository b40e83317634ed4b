#include "twin/actions/outdoors.hpp"

#include <algorithm>
#include <cmath>

#include "core/local_time.hpp"
#include "core/problem.hpp"
#include "physics/air/psychrometrics.hpp"

namespace wattloop::twin {

namespace {

constexpr double driest_fraction = 1e-3;

const FollowedSeries* find_series(const WeatherSpec& spec, std::string_view setting) {
  const auto found = std::ranges::find(spec.followed, setting, &FollowSpec::setting);
  return found == spec.followed.end() ? nullptr : &found->series;
}

/// What is measured in place of what was said; of dry and wet bulb, one that was not measured stays as far from the other.
physics::WeatherNow as_measured(physics::WeatherNow now, const FollowedSeries* dry, const FollowedSeries* wet,
                                double time_s) {
  const double depression_k = now.dry_bulb_k - now.wet_bulb_k;
  if (dry != nullptr) now.dry_bulb_k = dry->at(time_s);
  now.wet_bulb_k = wet != nullptr ? wet->at(time_s) : now.dry_bulb_k - depression_k;
  if (dry == nullptr) now.dry_bulb_k = now.wet_bulb_k + depression_k;
  const double water = physics::humidity_ratio_at_wet_bulb(now.dry_bulb_k, now.wet_bulb_k, now.pressure_pa);
  const double vapour_pa = now.pressure_pa * water / (physics::water_to_air_mass_ratio + water);
  now.relative_humidity_fraction =
      std::clamp(vapour_pa / physics::saturation_pressure_pa(now.dry_bulb_k), driest_fraction, 1.0);
  now.dew_point_k = physics::dew_point_k({now.dry_bulb_k, now.relative_humidity_fraction, now.pressure_pa});
  return now;
}

/// The weather of a run as samples of its own, one for every look outside.
Outdoors measured(const Outdoors& said, const Scenario& scenario) {
  const FollowedSeries* dry = find_series(scenario.weather, dry_bulb_setting);
  const FollowedSeries* wet = find_series(scenario.weather, wet_bulb_setting);
  Outdoors outdoors{.weather = said.weather, .start_s = 0.0};
  outdoors.weather.step_s = weather_interval_s;
  outdoors.weather.samples.clear();
  const auto at = [&](double time_s) {
    return as_measured(physics::weather_at(said.weather, said.start_s + time_s), dry, wet, time_s);
  };
  const double looks = std::ceil(scenario.duration_s / weather_interval_s);
  for (double look = 1.0; look <= looks; look += 1.0) outdoors.weather.samples.push_back(at(look * weather_interval_s));
  outdoors.weather.samples.push_back(at(0.0));  // at the end of the period, which is its begin, too
  return outdoors;
}

}  // namespace

Outdoors make_outdoors(const Scenario& scenario) {
  Outdoors outdoors;
  const WeatherSpec& spec = scenario.weather;
  if (spec.file.empty()) {
    outdoors.weather = physics::design_day(spec.design_day);
  } else {
    Problems problems;
    outdoors.weather = physics::read_epw(spec.file, problems, spec.file_place);
    problems.throw_if_any(spec.file);
  }
  outdoors.start_s = seconds_of_year(scenario.start);
  return spec.followed.empty() ? outdoors : measured(outdoors, scenario);
}

void follow_weather(const Plant& plant, const Outdoors& outdoors, PlantState& state) {
  if (plant.outside.wet_bulb == no_part) return;
  const physics::WeatherNow now = physics::weather_at(outdoors.weather, outdoors.start_s + state.time_s);
  state.inputs[plant.outside.dry_bulb] = now.dry_bulb_k;
  state.inputs[plant.outside.wet_bulb] = now.wet_bulb_k;
  state.inputs[plant.outside.humidity_ratio] =
      physics::humidity_ratio_of_vapour(physics::saturation_pressure_pa(now.dew_point_k), now.pressure_pa);
  state.inputs[plant.outside.pressure] = now.pressure_pa;
}

}  // namespace wattloop::twin
