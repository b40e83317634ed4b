#include "twin/sizing/climate.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/problem.hpp"
#include "core/text/quoted_text.hpp"
#include "physics/air/air_density.hpp"
#include "physics/weather/weather.hpp"
#include "physics/weather/weather_epw.hpp"
#include "twin/document/yaml_text.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

constexpr double freezing_k = 273.15, hour_s = 3600.0;
constexpr const char* chicago_file = "weather/USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw";

/// "07-15" of a time of the year, of 365 days or of 366.
std::string day_of_year(double time_s, bool has_leap_day) {
  constexpr int common_year = 2026, leap_year = 2028;
  const LocalTime day = time_after({has_leap_day ? leap_year : common_year}, time_s);
  return fmt::format("{:02}-{:02}", day.month, day.day);
}

/// Highest of a year of hours, each by itself, and the days of both.
Climate hottest_of(const physics::Weather& weather) {
  Climate climate{
      .place = weather.place, .dry_bulb_c = -freezing_k, .wet_bulb_c = -freezing_k, .coldest_c = freezing_k};
  const bool has_leap_day = weather.samples.size() == 8784;
  for (std::size_t k = 0; k < weather.samples.size(); ++k) {
    const physics::WeatherNow& now = weather.samples[k];
    climate.coldest_c = std::min(climate.coldest_c, now.dry_bulb_k - freezing_k);
    climate.density_ratio = std::min(climate.density_ratio, physics::density_over_sea_level_ratio(now.pressure_pa));
    const double time_s = static_cast<double>(k) * weather.step_s;  // sample k is at the end of its step
    if (now.dry_bulb_k - freezing_k > climate.dry_bulb_c) {
      climate.dry_bulb_c = now.dry_bulb_k - freezing_k;
      climate.hottest_by_dry_bulb = day_of_year(time_s, has_leap_day);
    }
    if (now.wet_bulb_k - freezing_k > climate.wet_bulb_c) {
      climate.wet_bulb_c = now.wet_bulb_k - freezing_k;
      climate.hottest_by_wet_bulb = day_of_year(time_s, has_leap_day);
    }
  }
  return climate;
}

/// "{ file: x.epw, offset: 8 K }"
std::string said(const std::string& what, const AskedHall& asked) {
  std::string text = "{ " + what;
  if (asked.offset_k != 0.0) text += fmt::format(", offset: {:g} K", asked.offset_k);
  if (asked.pressure_pa > 0.0) text += fmt::format(", pressure: {:g} kPa", asked.pressure_pa / 1e3);
  return text + " }";
}

Climate of_file(const fs::path& file, const std::string& as_written, const std::string& option,
                const AskedHall& asked) {
  Problems problems;
  physics::Weather weather = physics::read_epw(file.string(), problems, {option, 0, 0});
  problems.throw_if_any("the command line");
  Climate climate = hottest_of(physics::shifted(std::move(weather), {asked.offset_k, asked.pressure_pa}));
  climate.source = "the highest hours of this weather file, each by itself";
  climate.weather = said("file: " + as_written, asked);
  return climate;
}

}  // namespace

Climate read_climate(const AskedHall& asked, const fs::path& folder) {
  if (!asked.weather.empty()) {
    const fs::path from = folder.empty() ? fs::current_path() : fs::absolute(folder);
    const fs::path from_there =
        asked.weather.is_absolute() ? asked.weather : fs::absolute(asked.weather).lexically_relative(from);
    return of_file(asked.weather, yaml_text(without_environment(from_there.string())), "--weather", asked);
  }
  if (asked.climate == "chicago") {
    const char* data = std::getenv("WATTLOOP_REFERENCE_DATA");
    if (data == nullptr || !fs::exists(fs::path(data) / chicago_file))
      throw InputError(
          {{{"--climate", 0, 0},
            fmt::format("the climate 'chicago' is the file {} of the reference data, which is not installed",
                        chicago_file),
            "set WATTLOOP_REFERENCE_DATA, give an EPW file with --weather, or write --climate leesburg",
            {}}},
          "the command line");
    return of_file(fs::path(data) / chicago_file, fmt::format("\"${{WATTLOOP_REFERENCE_DATA}}/{}\"", chicago_file),
                   "--climate", asked);
  }
  const physics::WeatherShift shift{asked.offset_k, asked.pressure_pa};
  Climate climate = hottest_of(physics::shifted(physics::design_day("summer"), shift));
  climate.coldest_c = hottest_of(physics::shifted(physics::design_day("winter"), shift)).coldest_c;
  climate.place = "Leesburg, Virginia";
  climate.source = "the built-in day `summer`, a 0.4 % cooling condition [leesburg_tmyx], docs/models/weather.md";
  climate.weather = said("design_day: summer", asked);
  climate.hottest_by_dry_bulb = climate.hottest_by_wet_bulb = "07-15";
  return climate;
}

}  // namespace wattloop::twin
