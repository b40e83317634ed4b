// Weather outside: a year of an EPW file or a built-in design day, interpolated linearly and repeated.
//
// Times are seconds of local standard time since midnight of the first day; there is no daylight saving. The
// values of EPW hour h are those at the end of that hour. Humidity comes from the dew point, which files give
// finer than relative humidity; the wet bulb is found at the samples and interpolated like the rest.
//
// Source: [energyplus_auxiliary] for the format; figures of the design days with their source in weather.cpp.
// Verified in tests/verification/water/weather.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wattloop::physics {

/// Air outside at one instant.
struct WeatherNow {
  double dry_bulb_k = 288.15;
  double wet_bulb_k = 288.15;
  double dew_point_k = 288.15;
  double relative_humidity_fraction = 1.0;  ///< as reported, against liquid water
  double pressure_pa = 101325.0;
};

/// Samples at times step, 2 step, ... size * step, which is also time 0; periodic. At least one sample.
struct Weather {
  std::string place;  ///< of the file's header, or the name of the design day
  double latitude_deg = 0.0;
  double longitude_deg = 0.0;
  double utc_offset_s = 0.0;
  double elevation_m = 0.0;
  double step_s = 3600.0;
  std::vector<WeatherNow> samples;

  double period_s() const noexcept { return step_s * static_cast<double>(samples.size()); }
};

/// The weather at a time, before the first sample and after the last one too.
WeatherNow weather_at(const Weather& weather, double time_s) noexcept;

/// Whether the weather has the days of that calendar year. Also true for a weather that is not a whole year.
bool has_days_of(const Weather& weather, int year) noexcept;

/// A year of hours as the calendar has these years, one after another from the first midnight of the first: 29 February repeats the day
/// before it where the file has none, and is left out where the calendar has none. A weather that is not a whole year stays as it is.
Weather of_years(Weather weather, int first_year, int last_year);

/// How a weather is moved to a place that is colder, warmer or higher.
struct WeatherShift {
  double offset_k = 0.0;     ///< of dry bulb and dew point
  double pressure_pa = 0.0;  ///< at every time; 0: as it is
};

/// The same weather, moved: relative humidity and wet bulb follow from dry bulb, dew point and pressure.
Weather shifted(Weather weather, const WeatherShift& shift);

/// Names that `design_day` knows: summer, mild, winter.
std::vector<std::string_view> design_day_names();

/// A built-in day of 24 hours; throws `std::invalid_argument` that lists the names for any other.
Weather design_day(std::string_view name);

}  // namespace wattloop::physics
