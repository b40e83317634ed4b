// `weather:` of a scenario: a built-in design day or a year from an EPW file, whose contents are read when
// the plant is built.
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

void read_weather(const Node& map, WeatherSpec& weather, Problems& problems) {
  MapReader reader(map, "weather", problems);
  if (!reader.is_map()) return;
  const Node* day = reader.find("design_day");
  const Node* file = reader.find("file");
  reader.report_unknown_keys();
  const bool has_day = says(map, "design_day");
  const bool has_file = says(map, "file");
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
  return {.key = "weather",
          .doc = "What it is like outside the hall; felt by what gives heat to the air outside: towers, dry coolers.",
          .rows = std::move(rows),
          .read = [&weather](const Node& map, Problems& problems) { read_weather(map, weather, problems); }};
}

}  // namespace wattloop::twin
