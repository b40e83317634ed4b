// `weather:` of a scenario: a built-in design day or a year from an EPW file, whose contents are read when
// the plant is built.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/document/named_file.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr FieldInfo design_day_info{
    "design_day", {}, Range::any, "A built-in day, repeated every day of the run.", "summer|mild|winter"};

bool says(const Node& map, std::string_view key) {
  const Node* value = find(map, key);
  return value != nullptr && !value->is_null();
}

/// Beyond it no place of the earth is moved to another.
constexpr double largest_offset_k = 40.0, lowest_pressure_pa = 50e3, highest_pressure_pa = 110e3;

constexpr FieldInfo offset_info{"offset",
                                "delta_K",
                                Range::any,
                                "Temperature difference that is added to dry bulb and dew point of the file or the "
                                "day, for a colder or warmer place.",
                                {}};
constexpr FieldInfo pressure_info{"pressure",
                                  "Pa",
                                  Range::non_negative,
                                  "Air pressure outdoors, instead of that of the file or the day: 83.4 kPa at 1,600 m; "
                                  "0: the pressure of the file or the day.",
                                  {}};

/// Moves what the weather says of itself.
void read_shift(const Node& map, MapReader& reader, WeatherSpec& weather, Problems& problems) {
  if (const Node* offset = reader.find("offset"); offset != nullptr && says(map, "offset")) {
    if (read_field(*offset, {&weather.offset_k, offset_info}, problems) &&
        std::abs(weather.offset_k) > largest_offset_k)
      problems.add(problem_at(*offset, fmt::format("offset: {:g} K is out of range", weather.offset_k),
                              fmt::format("write at most {:g} K, warmer or colder", largest_offset_k)));
  }
  if (const Node* pressure = reader.find("pressure"); pressure != nullptr && says(map, "pressure")) {
    const bool is_read = read_field(*pressure, {&weather.pressure_pa, pressure_info}, problems);
    const bool is_air = weather.pressure_pa >= lowest_pressure_pa && weather.pressure_pa <= highest_pressure_pa;
    if (is_read && weather.pressure_pa != 0.0 && !is_air)
      problems.add(problem_at(
          *pressure,
          fmt::format("pressure: {} is not an outdoor air pressure", format_quantity(weather.pressure_pa, "Pa")),
          fmt::format("write {} to {}: 101.3 kPa at sea level, 83.4 kPa at 1,600 m",
                      format_quantity(lowest_pressure_pa, "Pa"), format_quantity(highest_pressure_pa, "Pa"))));
  }
}

constexpr std::array bulbs{
    FieldInfo{"dry_bulb", "K", Range::positive, "Measured outdoor dry bulb: `{ follow: ... }`.", {}},
    FieldInfo{"wet_bulb",
              "K",
              Range::positive,
              "Measured outdoor wet bulb: `{ follow: ... }`. If only one of dry and wet bulb follows a file, the other "
              "keeps its difference from it.",
              {}},
};

void read_bulb(const Node& node, const FieldInfo& info, WeatherSpec& weather, Problems& problems) {
  if (says_follow(node)) {
    weather.followed.push_back(read_follow(node, fmt::format("weather.{}", info.name), info, problems));
  } else {
    problems.add(
        problem_at(node, fmt::format("{} is {}, expected what it follows", info.name, describe(node)),
                   fmt::format("write {}: {{ follow: {{ file: ..., column: ..., unit: degC }} }}", info.name)));
  }
}

void read_weather(const Node& map, WeatherSpec& weather, Problems& problems) {
  MapReader reader(map, "weather", problems);
  if (!reader.is_map()) return;
  const Node* day = reader.find("design_day");
  const Node* file = reader.find("file");
  for (const FieldInfo& info : bulbs) {
    if (const Node* bulb = reader.find(info.name)) read_bulb(*bulb, info, weather, problems);
  }
  read_shift(map, reader, weather, problems);
  reader.report_unknown_keys();
  const bool has_day = says(map, "design_day");
  const bool has_file = says(map, "file");
  const bool has_bulb = says(map, "dry_bulb") || says(map, "wet_bulb");
  if (has_bulb && weather.offset_k != 0.0)
    problems.add(problem_at(*find(map, "offset"),
                            "offset changes a file or a day, but the weather follows measurements",
                            "delete the offset, or delete `dry_bulb` and `wet_bulb`"));
  const bool has_shift = says(map, "offset") || says(map, "pressure");
  if (!has_day && !has_file && (has_bulb || has_shift)) return;  // the rest is that of a mild day
  if (has_day == has_file) {
    problems.add(problem_at(
        map, has_day ? "weather has both a design_day and a file" : "weather is not given",
        has_day ? "keep one of the two; to remove the design day of the extended file, write `design_day: null`"
                : "write one of: design_day (summer, mild, winter), file (EPW)"));
    return;
  }
  if (has_day) {
    read_field(*day, {&weather.design_day, design_day_info}, problems);
    return;
  }
  if (!file->is_scalar() || file->text.empty()) {
    problems.add(problem_at(*file, "file: expected the name of an EPW file"));
  } else if (const auto found = find_named_file(map, "file", "weather file", problems)) {
    weather.file = found->string();
    weather.file_place = file->place;
  }
}

}  // namespace

SpecialKey weather_key(WeatherSpec& weather) {
  const std::array field{FieldRef{&weather.design_day, design_day_info}};
  std::vector<FieldRow> rows = field_table(field);
  rows.push_back({"file", "text", "", "", "Instead of a design day: an EPW file, relative to the file that names it."});
  const std::array shift{FieldRef{&weather.offset_k, offset_info}, FieldRef{&weather.pressure_pa, pressure_info}};
  std::ranges::move(field_table(shift), std::back_inserter(rows));
  for (const FieldInfo& info : bulbs) rows.push_back({std::string(info.name), "map", "", "", std::string(info.doc)});
  return {.key = "weather",
          .doc = "Outdoor weather, for equipment that rejects heat to the outdoor air: towers, dry coolers.",
          .rows = std::move(rows),
          .read = [&weather](const Node& map, Problems& problems) { read_weather(map, weather, problems); }};
}

}  // namespace wattloop::twin
