#include "twin/actions/outdoors.hpp"

#include <array>
#include <cstdlib>

#include "core/problem.hpp"
#include "physics/air/psychrometrics.hpp"

namespace wattloop::twin {

namespace {

constexpr std::array days_before_month{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
constexpr double day_s = 86400.0;

int digits(const std::string& text, std::size_t first) { return std::atoi(text.substr(first, 2).c_str()); }

}  // namespace

double seconds_of_year(const std::string& local_time) {
  const auto month = static_cast<std::size_t>(digits(local_time, 5));
  const bool is_leap_day = month == 2 && digits(local_time, 8) == 29;
  const int day = days_before_month.at(month - 1) + (is_leap_day ? 28 : digits(local_time, 8) - 1);
  return day * day_s + digits(local_time, 11) * 3600.0 + digits(local_time, 14) * 60.0 + digits(local_time, 17);
}

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
  return outdoors;
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
