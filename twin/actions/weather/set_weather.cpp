#include "twin/actions/weather/set_weather.hpp"

#include <algorithm>

#include "core/text/name_pattern.hpp"
#include "physics/air/psychrometrics.hpp"

namespace wattloop::twin {

namespace {

constexpr double driest_fraction = 1e-3;

template <class State>  // const or not
auto course_of_bulb(State& state, std::size_t input) -> decltype(state.equipment.courses.data()) {
  const auto found = std::ranges::find(state.equipment.courses, input, &SettingCourse::input);
  return found == state.equipment.courses.end() ? nullptr : &*found;
}

bool is_in_force(const SettingCourse* course, double time_s) {
  if (course == nullptr) return false;
  const auto is_left = [&](const TemporarySetting& setting) { return time_s < setting.gone_s; };
  return course->is_set || std::ranges::any_of(course->temporary, is_left);
}

}  // namespace

Bulbs completed(const physics::WeatherNow& now, Bulbs bulbs) {
  const double depression_k = now.dry_bulb_k - now.wet_bulb_k;
  if (!bulbs.dry_k) bulbs.dry_k = bulbs.wet_k ? *bulbs.wet_k + depression_k : now.dry_bulb_k;
  if (!bulbs.wet_k) bulbs.wet_k = *bulbs.dry_k - depression_k;
  return bulbs;
}

physics::WeatherNow with_bulbs(physics::WeatherNow now, const Bulbs& bulbs) {
  if (!bulbs.dry_k && !bulbs.wet_k) return now;
  const Bulbs both = completed(now, bulbs);
  now.dry_bulb_k = *both.dry_k;
  now.wet_bulb_k = std::min(*both.wet_k, *both.dry_k);
  const double water = physics::humidity_ratio_at_wet_bulb(now.dry_bulb_k, now.wet_bulb_k, now.pressure_pa);
  const double vapour_pa = now.pressure_pa * water / (physics::water_to_air_mass_ratio + water);
  now.relative_humidity_fraction =
      std::clamp(vapour_pa / physics::saturation_pressure_pa(now.dry_bulb_k), driest_fraction, 1.0);
  now.dew_point_k = physics::dew_point_k({now.dry_bulb_k, now.relative_humidity_fraction, now.pressure_pa});
  return now;
}

Bulbs bulbs_by_events(const Plant& plant, const PlantState& state) {
  Bulbs bulbs;
  if (!plant.outside.is_felt() || state.equipment.courses.empty()) return bulbs;
  const SettingCourse* dry = course_of_bulb(state, plant.outside.dry_bulb);
  const SettingCourse* wet = course_of_bulb(state, plant.outside.wet_bulb);
  if (is_in_force(dry, state.time_s)) bulbs.dry_k = dry->at(state.time_s);
  if (is_in_force(wet, state.time_s)) bulbs.wet_k = wet->at(state.time_s);
  return bulbs;
}

void follow_below_events(const Plant& plant, const physics::WeatherNow& said, PlantState& state) {
  if (!plant.outside.is_felt() || state.equipment.courses.empty()) return;
  const Bulbs bulbs = bulbs_by_events(plant, state);
  const auto follow = [&](std::size_t input, double without_k) {
    SettingCourse* course = course_of_bulb(state, input);
    if (course != nullptr && !course->is_set) course->lasting = {without_k, without_k, state.time_s, state.time_s};
  };
  follow(plant.outside.dry_bulb, *completed(said, {.wet_k = bulbs.wet_k}).dry_k);
  follow(plant.outside.wet_bulb, *completed(said, {.dry_k = bulbs.dry_k}).wet_k);
}

bool is_a_bulb(const std::string& pattern) {
  return fits_pattern(dry_bulb_setting, pattern) || fits_pattern(wet_bulb_setting, pattern);
}

}  // namespace wattloop::twin
