// Interpolation of weather and the built-in design days.
#include "physics/weather/weather.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tables/local_time.hpp"
#include "physics/air/psychrometrics.hpp"

namespace wattloop::physics {

namespace {

/// One design day. The dry bulb is a sine with its peak at 15:00. The dew point is constant while the air is not saturated.
struct DesignDay {
  std::string_view name;
  double mean_c;
  double range_k;  ///< warmest minus coldest hour
  double dew_point_c;
};

// Leesburg, Virginia [leesburg_tmyx]. Summer: 0.4 % cooling design condition of its header, 35.0 degC dry
// bulb with 24.8 degC wet bulb, range 11.5 K; the dew point 20.92 degC follows from these two at the
// station's pressure. Mild: means of October, the month nearest to the mean of the year. Winter: 99.6 %
// heating design condition -10.1 degC as the minimum, range and depression of the dew point at the coldest
// hour (5.31 K) of January.
constexpr std::array design_days{
    DesignDay{"summer", 35.0 - 0.5 * 11.5, 11.5, 20.92},
    DesignDay{"mild", 14.58, 10.66, 9.70},
    DesignDay{"winter", -10.1 + 0.5 * 7.41, 7.41, -10.1 - 5.31},
};
constexpr double design_pressure_pa = 99.9e3;  // mean of the same year, 119 m above the sea
constexpr double peak_s = 15.0 * 3600.0, day_s = 86400.0, design_step_s = 300.0;
constexpr double hour_s = 3600.0;
constexpr std::ptrdiff_t day_hours = 24, leap_day_hour = 59 * day_hours;
constexpr std::size_t common_year_hours = 8760, leap_year_hours = 8784;

WeatherNow at_design_time(const DesignDay& day, double time_s) {
  const double dry_k =
      freezing_k + day.mean_c + 0.5 * day.range_k * std::cos(2.0 * std::numbers::pi * (time_s - peak_s) / day_s);
  const double dew_k = std::min(freezing_k + day.dew_point_c, dry_k);
  const double humidity = relative_humidity_fraction(dry_k, dew_k);
  return {.dry_bulb_k = dry_k,
          .wet_bulb_k = wet_bulb_k({dry_k, humidity, design_pressure_pa}),
          .dew_point_k = dew_k,
          .relative_humidity_fraction = humidity,
          .pressure_pa = design_pressure_pa};
}

WeatherNow between(const WeatherNow& from, const WeatherNow& to, double fraction) noexcept {
  const auto at = [&](double WeatherNow::*value) { return from.*value + fraction * (to.*value - from.*value); };
  return {.dry_bulb_k = at(&WeatherNow::dry_bulb_k),
          .wet_bulb_k = at(&WeatherNow::wet_bulb_k),
          .dew_point_k = at(&WeatherNow::dew_point_k),
          .relative_humidity_fraction = at(&WeatherNow::relative_humidity_fraction),
          .pressure_pa = at(&WeatherNow::pressure_pa)};
}

}  // namespace

WeatherNow weather_at(const Weather& weather, double time_s) noexcept {
  const double period = weather.period_s();
  const double steps = (time_s - std::floor(time_s / period) * period) / weather.step_s;
  const std::size_t count = weather.samples.size();
  const auto whole = static_cast<std::size_t>(steps);
  const WeatherNow& from = weather.samples[(whole + count - 1) % count];  // sample 0 is at one step
  return between(from, weather.samples[whole % count], steps - static_cast<double>(whole));
}

bool has_days_of(const Weather& weather, int year) noexcept {
  const std::size_t hours = weather.samples.size();
  const bool is_year = weather.step_s == hour_s && (hours == common_year_hours || hours == leap_year_hours);
  return !is_year || (hours == leap_year_hours) == is_leap_year(year);
}

Weather of_years(Weather weather, int first_year, int last_year) {
  bool is_as_calendar = true;
  for (int year = first_year; year <= last_year; ++year) is_as_calendar = is_as_calendar && has_days_of(weather, year);
  if (is_as_calendar) return weather;
  const std::vector<WeatherNow> file = std::exchange(weather.samples, {});
  const bool has_leap_day = file.size() == leap_year_hours;
  const auto first = file.begin(), leap_day = first + leap_day_hour;
  const auto add = [&](auto from, auto to) { weather.samples.insert(weather.samples.end(), from, to); };
  for (int year = first_year; year <= last_year; ++year) {
    add(first, leap_day);
    if (is_leap_year(year))
      add(has_leap_day ? leap_day : leap_day - day_hours, has_leap_day ? leap_day + day_hours : leap_day);
    add(has_leap_day ? leap_day + day_hours : leap_day, file.end());
  }
  return weather;
}

Weather shifted(Weather weather, const WeatherShift& shift) {
  if (shift.offset_k == 0.0 && shift.pressure_pa == 0.0) return weather;  // humidity stays as reported
  for (WeatherNow& now : weather.samples) {
    now.dry_bulb_k += shift.offset_k;
    now.dew_point_k += shift.offset_k;
    if (shift.pressure_pa > 0.0) now.pressure_pa = shift.pressure_pa;
    now.relative_humidity_fraction = relative_humidity_fraction(now.dry_bulb_k, now.dew_point_k);
    now.wet_bulb_k = wet_bulb_k({now.dry_bulb_k, now.relative_humidity_fraction, now.pressure_pa});
  }
  return weather;
}

std::vector<std::string_view> design_day_names() {
  std::vector<std::string_view> names;
  for (const DesignDay& day : design_days) names.push_back(day.name);
  return names;
}

Weather design_day(std::string_view name) {
  for (const DesignDay& day : design_days) {
    if (day.name != name) continue;
    Weather weather{.place = std::string(name),
                    .latitude_deg = 39.078,
                    .longitude_deg = -77.558,
                    .utc_offset_s = -5.0 * 3600.0,
                    .elevation_m = 119.0,
                    .step_s = design_step_s,
                    .samples = {}};
    const int count = static_cast<int>(day_s / design_step_s);
    for (int step = 1; step <= count; ++step) {
      weather.samples.push_back(at_design_time(day, step * design_step_s));
    }
    return weather;
  }
  throw std::invalid_argument(
      fmt::format("there is no design day '{}': {}", name, fmt::join(design_day_names(), ", ")));
}

}  // namespace wattloop::physics
