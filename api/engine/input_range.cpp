#include "api/engine/input_range.hpp"

#include <optional>

#include <fmt/format.h>

#include "api/engine/failures.hpp"
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

}  // namespace wattloop::engine
