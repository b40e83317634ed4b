// `weather:` of a scenario: a built-in design day or a year from an EPW file, whose contents are read when
// the plant is built.
#include <array>

#include <fmt/format.h>

#include "twin/document/named_file.hpp"
#include "twin/scenario/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr FieldInfo design_day_info{
    "design_day", {}, Range::any, "A built-in day, the same every day of the run.", "summer|mild|winter"};

bool says(const Node& map, std::string_view key) {
  const Node* value = find(map, key);
  return value != nullptr && !value->is_null();
}

constexpr std::array bulbs{
    FieldInfo{"dry_bulb", "K", Range::positive, "Dry bulb outside, as measured: `{ follow: ... }`.", {}},
    FieldInfo{
        "wet_bulb",
        "K",
        Range::positive,
        "Wet bulb outside, as measured; of dry and wet bulb, one that follows nothing stays as far from the other.",
        {}},
};

void read_bulb(const Node& node, const FieldInfo& info, WeatherSpec& weather, Problems& problems) {
  if (says_follow(node)) {
    weather.followed.push_back(read_follow(node, fmt::format("weather.{}", info.name), info, problems));
  } else {
    problems.add(problem_at(node, fmt::format("{} is {}, expected what it follows", info.name, describe(node)),
                            fmt::format("{}: {{ follow: {{ file: ..., column: ..., unit: degC }} }}", info.name)));
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
  reader.report_unknown_keys();
  const bool has_day = says(map, "design_day");
  const bool has_file = says(map, "file");
  const bool has_bulb = says(map, "dry_bulb") || says(map, "wet_bulb");
  if (!has_day && !has_file && has_bulb) return;  // the rest is that of a mild day
  if (has_day == has_file) {
    problems.add(problem_at(map, has_day ? "weather has both a design_day and a file" : "weather says nothing",
                            has_day ? "one of them; `design_day: null` takes back what an extended file says"
                                    : "weather has one of: design_day (summer, mild, winter), file (EPW)"));
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
  for (const FieldInfo& info : bulbs) rows.push_back({std::string(info.name), "map", "", "", std::string(info.doc)});
  return {.key = "weather",
          .doc = "What it is like outside the hall; felt by what gives heat to the air outside: towers, dry coolers.",
          .rows = std::move(rows),
          .read = [&weather](const Node& map, Problems& problems) { read_weather(map, weather, problems); }};
}

}  // namespace wattloop::twin
