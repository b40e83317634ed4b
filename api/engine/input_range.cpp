#include "api/engine/input_range.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/engine/failures.hpp"
#include "core/text/nearest.hpp"
#include "core/text/printable.hpp"
#include "core/units/units.hpp"
#include "twin/run/act.hpp"

namespace wattloop::engine {

namespace {

constexpr std::size_t longest_number = 100;  // characters

std::optional<double> number_of(std::string_view text, std::string_view unit) {
  if (text.size() > longest_number) return {};
  try {
    return to_si(text, unit);
  } catch (const QuantityError&) {
    return {};
  }
}

}  // namespace

std::string number_text(double value, std::string_view unit) {
  return unit == "1" ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

void demand_in_range(const twin::SettingPart& setting, double value, std::string_view asked,
                     const twin::PlantState& now) {
  const std::optional<twin::NumberLimits> limits = twin::limits_of_input(setting.name);
  if (!limits || (value >= limits->lowest && value <= limits->highest)) return;
  const std::string_view unit = setting.unit;
  const auto people = [unit](double number) { return format_quantity(number, unit); };
  const double present = now.inputs[setting.input];
  const std::string range = fmt::format("from {} to {}", limits->lowest, number_text(limits->highest, unit));
  refuse("set", fmt::format("{}: {} is out of range", setting.name, printable(asked)),
         unit == "1" ? fmt::format("write a ratio {}; the input keeps its value, {}", range, present)
                     : fmt::format("write a number {}, which is {} to {}; the input keeps its value, {}", range,
                                   people(limits->lowest), people(limits->highest), people(present)));
}

void demand_in_range(const twin::SettingPart& setting, std::string_view text, const twin::PlantState& now) {
  if (const std::optional<double> value = number_of(text, setting.unit)) demand_in_range(setting, *value, text, now);
}

std::string input_hint(std::string_view input, const std::vector<std::string>& names) {
  if (std::string near = nearest(input, names); !near.empty()) return fmt::format("did you mean '{}'?", near);
  const auto part_of = [](std::string_view name) { return name.substr(0, name.rfind('.')); };
  std::vector<std::string_view> of_part, parts;
  for (const std::string& name : names) {
    if (part_of(name) == part_of(input)) of_part.push_back(name);
    if (std::ranges::find(parts, part_of(name)) == parts.end()) parts.push_back(part_of(name));
  }
  if (!of_part.empty()) return fmt::format("inputs of {}: {}", part_of(input), fmt::join(of_part, ", "));
  constexpr std::size_t most_parts = 12;
  const bool are_cut = parts.size() > most_parts;
  if (are_cut) parts.resize(most_parts);
  return fmt::format("inputs are of {}{}; `inputs` lists all", fmt::join(parts, ", "), are_cut ? ", ..." : "");
}

}  // namespace wattloop::engine
