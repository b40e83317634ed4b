#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/calibration/calibration_spec.hpp"
#include "twin/document/map_reader.hpp"
#include "twin/study/plan/study.hpp"
#include "twin/study/plan/study_values.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* parameter_form = "write { path: PATH, from: 20 W/K, to: 80 W/K }";

std::optional<WrittenNumber> number_at(const Node& node, Problems& problems) {
  const auto number = node.is_scalar() ? written_number(node.text) : std::nullopt;
  if (!number)
    problems.add(problem_at(node, fmt::format("{} is not a number with its unit", describe(node)), parameter_form));
  return number;
}

/// Bounds and start, all in one unit.
void read_bounds(MapReader& reader, CalibratedParameter& parameter) {
  Problems& problems = reader.problems();
  const Node* from = reader.require("from", "write the lowest possible value");
  const Node* to = reader.require("to", "write the highest possible value");
  const Node* start = reader.find("start");
  if (from == nullptr || to == nullptr) return;
  const auto lower = number_at(*from, problems), upper = number_at(*to, problems);
  const auto first = start != nullptr ? number_at(*start, problems) : lower;
  if (!lower || !upper || !first) return;
  parameter.unit = lower->unit;
  parameter.lower = lower->number;
  parameter.upper = upper->number;
  parameter.start = start != nullptr ? first->number : 0.5 * (lower->number + upper->number);
  for (const auto& [node, number] : {std::pair(to, upper), std::pair(start, first)}) {
    if (number->unit != lower->unit)
      problems.add(problem_at(*node, fmt::format("'{}' and '{}' are in different units", node->text, from->text),
                              "write all in one unit"));
  }
  if (!(parameter.lower < parameter.upper)) {
    problems.add(problem_at(*to, fmt::format("{} is from '{}' to '{}'", reader.subject(), from->text, to->text),
                            "write an upper bound above the lower bound"));
  } else if (parameter.start < parameter.lower || parameter.start > parameter.upper) {
    problems.add(problem_at(*start, fmt::format("'{}' is not between the bounds", start->text)));
  }
}

CalibratedParameter read_parameter(const Entry& entry, Problems& problems) {
  CalibratedParameter parameter{.name = entry.key.text, .written = entry.value};
  if (!is_name(entry.key.text))
    problems.add(problem_at(entry.key, fmt::format("'{}' is not a valid name for a parameter", entry.key.text),
                            "begin with a letter and use letters, digits and _ only: hot_1"));
  MapReader reader(entry.value, "parameter " + parameter.name, problems);
  if (!reader.is_map()) return parameter;
  if (const Node* path = reader.require("path", "write a key of the scenario, as after --set, or a list of keys")) {
    for (const Node& text : texts_of(*path, "path", problems)) parameter.paths.push_back(text.text);
  }
  read_bounds(reader, parameter);
  reader.report_unknown_keys();
  return parameter;
}

void read_parameters(const Node& map, CalibrationSpec& spec, Problems& problems) {
  if (!map.is_map() || map.entries.empty()) {
    problems.add(
        problem_at(map, fmt::format("parameters is {}, expected a map by name", describe(map)), parameter_form));
    return;
  }
  std::vector<std::pair<std::string, std::string>> taken;
  for (const Entry& entry : map.entries) {
    CalibratedParameter parameter = read_parameter(entry, problems);
    for (const std::string& path : parameter.paths) {
      for (const auto& [other, name] : taken) {
        if (other == path || path.starts_with(other + ".") || other.starts_with(path + "."))
          problems.add(
              problem_at(entry.value, fmt::format("'{}' and '{}' both change {}", name, parameter.name, path)));
      }
      taken.emplace_back(path, parameter.name);
    }
    spec.parameters.push_back(std::move(parameter));
  }
}

FitWindow read_window(const Node& node, const std::string& subject, Problems& problems) {
  FitWindow window;
  MapReader reader(node, subject, problems);
  if (!reader.is_map()) return window;
  for (const auto& [key, time_s] : {std::pair("from", &window.from_s), std::pair("to", &window.to_s)}) {
    const Node* time = reader.find(key);
    if (time == nullptr) continue;
    try {
      *time_s = to_si(time->text, "s");
    } catch (const QuantityError& error) {
      problems.add(problem_at(*time, fmt::format("{}: {}", key, error.what()), error.hint));
    }
  }
  reader.report_unknown_keys();
  if (!(window.from_s < window.to_s)) problems.add(problem_at(node, subject + " ends before it begins"));
  return window;
}

void read_accuracy(const Node& map, CalibrationSpec& spec, Problems& problems) {
  if (!map.is_map()) {
    problems.add(problem_at(map, fmt::format("accuracy is {}, expected a map by column", describe(map)),
                            "write accuracy: { P_hall: 5 kW, \"CDU 3 return\": 0.5 K }"));
    return;
  }
  for (const Entry& entry : map.entries) spec.accuracy.push_back({entry.key.text, entry.value.text, entry.value});
}

CalibrationSpec spec_of(const Node& root, const std::filesystem::path& file, Problems& problems) {
  CalibrationSpec spec{.file = file, .title = file.stem().string()};
  MapReader reader(root, "calibration", problems);
  if (!reader.is_map()) return spec;
  if (const Node* title = reader.find("title"); title != nullptr && title->is_scalar()) spec.title = title->text;
  spec.base =
      read_file_name(reader.require("base", "the scenario that is calibrated: ../one_rack.yaml"), "base", problems);
  spec.fixed = read_fixed(reader.find("set"), reader.find("events"), problems);
  if (const Node* parameters =
          reader.require("parameters", "the parameters to be fitted, by name: " + std::string(parameter_form)))
    read_parameters(*parameters, spec, problems);
  spec.measured = read_file_name(reader.require("measured", "measurements: a CSV file"), "measured", problems);
  if (const Node* map =
          reader.require("map", "the meaning of its columns: a map, or a file with a map (docs/comparing.md)")) {
    spec.map = *map;
    if (map->is_scalar()) spec.map = read_document(named_file(*map), problems, {.overrides = {}, .named_at = map});
  }
  if (const Node* fit = reader.find("fit")) spec.fit = read_window(*fit, "fit", problems);
  if (const Node* predict = reader.find("predict")) spec.predict = read_window(*predict, "predict", problems);
  if (const Node* accuracy = reader.find("accuracy")) read_accuracy(*accuracy, spec, problems);
  reader.report_unknown_keys();
  return spec;
}

}  // namespace

CalibrationSpec read_calibration(const std::filesystem::path& file, Problems& problems) {
  return spec_of(read_document(file, problems), file, problems);
}

CalibrationSpec read_calibration_text(std::string_view text, const std::filesystem::path& name, Problems& problems) {
  return spec_of(read_document_text(text, name.string(), problems), name, problems);
}

}  // namespace wattloop::twin
