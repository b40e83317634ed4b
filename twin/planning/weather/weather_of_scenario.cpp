#include "twin/planning/weather/weather_of_scenario.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/problem.hpp"
#include "physics/weather/weather_epw.hpp"
#include "twin/actions/weather/set_weather.hpp"
#include "twin/planning/weather/standing_liquid.hpp"

namespace wattloop::twin {

namespace {

const FollowedSeries* find_series(const WeatherSpec& spec, std::string_view setting) {
  const auto found = std::ranges::find(spec.followed, setting, &FollowSpec::setting);
  return found == spec.followed.end() ? nullptr : &found->series;
}

/// The weather of a run as samples of its own, one for every look outside.
Outdoors measured(const Outdoors& said, const WeatherSpec& spec, double duration_s) {
  const FollowedSeries* dry = find_series(spec, dry_bulb_setting);
  const FollowedSeries* wet = find_series(spec, wet_bulb_setting);
  Outdoors outdoors{.weather = said.weather, .start_s = 0.0, .notes = said.notes};
  outdoors.weather.step_s = weather_interval_s;
  outdoors.weather.samples.clear();
  const auto at = [&](double time_s) {
    Bulbs bulbs;
    if (dry != nullptr) bulbs.dry_k = dry->at(time_s);
    if (wet != nullptr) bulbs.wet_k = wet->at(time_s);
    return with_bulbs(physics::weather_at(said.weather, said.start_s + time_s), bulbs);
  };
  const double looks = std::ceil(duration_s / weather_interval_s);
  for (double look = 1.0; look <= looks; look += 1.0) outdoors.weather.samples.push_back(at(look * weather_interval_s));
  outdoors.weather.samples.push_back(at(0.0));  // at the end of the period, which is its begin, too
  return outdoors;
}

std::string leap_day_note(const std::string& file, int year) {
  return is_leap_year(year)
             ? fmt::format("{} has no 29 February: the weather of 28 February is used for the 29 February of {}", file,
                           year)
             : fmt::format("{} has a 29 February, but {} has none: this day is left out", file, year);
}

}  // namespace

Outdoors make_outdoors(const Scenario& scenario, double duration_s) {
  Outdoors outdoors;
  const WeatherSpec& spec = scenario.weather;
  if (spec.file.empty()) {
    outdoors.weather = physics::design_day(spec.design_day);
  } else if (spec.year) {
    outdoors.weather = *spec.year;
  } else {
    Problems problems;
    outdoors.weather = physics::read_epw(spec.file, problems, spec.file_place);
    problems.throw_if_any(spec.file);
  }
  const LocalTime start = parse_local_time(scenario.start).value_or(LocalTime{});
  const int last_year = time_after(start, duration_s).year;
  for (int year = start.year; year <= last_year && outdoors.notes.empty(); ++year) {
    if (!physics::has_days_of(outdoors.weather, year)) outdoors.notes.push_back(leap_day_note(spec.file, year));
  }
  outdoors.weather = physics::of_years(std::move(outdoors.weather), start.year, last_year);
  outdoors.weather = physics::shifted(std::move(outdoors.weather), {spec.offset_k, spec.pressure_pa});
  outdoors.start_s = seconds_of_year(start);
  if (!spec.followed.empty()) outdoors = measured(outdoors, spec, duration_s);
  return outdoors;
}

Outdoors make_outdoors(const Scenario& scenario) {
  Outdoors outdoors = make_outdoors(scenario, scenario.duration_s);
  std::ranges::move(standing_liquid_notes(scenario, outdoors), std::back_inserter(outdoors.notes));
  return outdoors;
}

}  // namespace wattloop::twin
