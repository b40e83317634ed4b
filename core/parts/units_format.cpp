// Prints quantities for readers. A table lists, for each SI unit, the units that may be printed, with the size from which each is used.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/parts/field.hpp"
#include "core/units/quantity_digits.hpp"
#include "core/units/units.hpp"

namespace wattloop {

namespace {

/// A unit to print: the smallest value for which it is used, its size in SI, and the offset that is subtracted first (degC).
struct Shown {
  std::string_view si_unit;
  double from_si;
  double size_si;
  std::string_view unit;
  double offset_si = 0.0;
};

/// For each SI unit in rising order. The program uses the last unit that is not too large, or else the first one.
constexpr std::array metric{
    Shown{"W", 0, 1, "W"},
    Shown{"W", 1e3, 1e3, "kW"},
    Shown{"W", 1e6, 1e6, "MW"},
    Shown{"W", 1e9, 1e9, "GW"},
    Shown{"V A", 0, 1, "VA"},
    Shown{"V A", 1e3, 1e3, "kVA"},
    Shown{"V A", 1e6, 1e6, "MVA"},
    Shown{"var", 0, 1, "var"},
    Shown{"var", 1e3, 1e3, "kvar"},
    Shown{"var", 1e6, 1e6, "Mvar"},
    Shown{"J", 0, 1, "J"},
    Shown{"J", 1e3, 1e3, "kJ"},
    Shown{"J", 3.6e5, 3.6e6, "kWh"},
    Shown{"J", 3.6e9, 3.6e9, "MWh"},
    Shown{"J", 3.6e12, 3.6e12, "GWh"},
    Shown{"K", 0, 1, "degC", 273.15},
    Shown{"Pa", 0, 1, "Pa"},
    Shown{"Pa", 1e3, 1e3, "kPa"},
    Shown{"Pa", 1e7, 1e6, "MPa"},
    Shown{"V", 0, 1, "V"},
    Shown{"V", 1e3, 1e3, "kV"},
    Shown{"A", 0, 1, "A"},
    Shown{"A", 1e4, 1e3, "kA"},
    Shown{"W/K", 0, 1, "W/K"},
    Shown{"W/K", 1e3, 1e3, "kW/K"},
    Shown{"W/K", 1e6, 1e6, "MW/K"},
    Shown{"J/K", 0, 1, "J/K"},
    Shown{"J/K", 1e3, 1e3, "kJ/K"},
    Shown{"J/K", 1e6, 1e6, "MJ/K"},
    Shown{"m3", 0, 1e-3, "L"},
    Shown{"m3", 1, 1, "m3"},
    Shown{"m3/s", 0, 1e-3 / 60, "L/min"},
    Shown{"m3/s", 1.0 / 60, 1.0 / 3600, "m3/h"},
    Shown{"m3/J", 0, 1e-3 / 3.6e6, "L/kWh"},
    Shown{"kg", 0, 1, "kg"},
    Shown{"kg", 1e4, 1e3, "tonne"},
    Shown{"B", 0, 1, "B"},
    Shown{"B", 1e3, 1e3, "kB"},
    Shown{"B", 1e6, 1e6, "MB"},
    Shown{"B", 1e9, 1e9, "GB"},
    Shown{"B", 1e12, 1e12, "TB"},
    Shown{"B", 1e15, 1e15, "PB"},
    Shown{"B/s", 0, 1, "B/s"},
    Shown{"B/s", 1e3, 1e3, "kB/s"},
    Shown{"B/s", 1e6, 1e6, "MB/s"},
    Shown{"B/s", 1e9, 1e9, "GB/s"},
    Shown{"B/s", 1e12, 1e12, "TB/s"},
};

/// Units for readers of inch-pound units. A quantity that is not in this list is printed in its metric unit.
constexpr std::array inch_pound{
    Shown{"K", 0, 5.0 / 9, "degF", 273.15 - 160.0 / 9},
    Shown{"delta_K", 0, 5.0 / 9, "degF"},
    Shown{"Pa", 0, 6894.757293168, "psi"},
    Shown{"m3", 0, 3.785411784e-3, "US_liquid_gallon"},
    Shown{"m3/s", 0, 3.785411784e-3 / 60, "gpm"},
    Shown{"kg", 0, 0.45359237, "lb"},
    Shown{"kg/s", 0, 0.45359237, "lb/s"},
};

const Shown* choose(std::span<const Shown> shown, double size_si, std::string_view si_unit) {
  const Shown* best = nullptr;
  for (const Shown& candidate : shown) {
    if (candidate.si_unit != si_unit) continue;
    // 999.96 W would round to "1000 W": the next unit starts where four digits round up to it.
    if (best == nullptr || size_si >= candidate.from_si * (1.0 - 5e-5)) best = &candidate;
  }
  return best;
}

constexpr int usual_digits = 4, digits_of_a_million = 6;

/// Never with an exponent between 0.001 and a million.
std::string in_digits(double value, int digits) {
  const double size = std::abs(value);
  if (size == 0.0) return "0";
  const bool is_whole = size >= 1e4 && size < 1e6 && digits < digits_of_a_million;
  return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits);
}

std::string with_unit(double value, std::string_view unit, int digits = usual_digits) {
  const std::string number = in_digits(value, digits);
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

/// The two largest parts of a duration: "1 d 2 h", "56 min 52 s"; below a minute in seconds.
std::string duration_text(double seconds) {
  struct Part {
    long long seconds;
    std::string_view unit;
  };
  constexpr std::array parts{Part{86400, "d"}, Part{3600, "h"}, Part{60, "min"}, Part{1, "s"}};
  if (std::abs(seconds) < 59.995) return with_unit(seconds, "s");
  if (seconds < 0.0) return fmt::format("-{}", duration_text(-seconds));
  if (seconds > 1e15) return with_unit(seconds, "s");
  std::size_t first = 0;
  while (seconds < static_cast<double>(parts[first].seconds) - 0.5) ++first;
  const std::size_t second = std::min(first + 1, parts.size() - 1);
  const auto rounded = std::llround(seconds / static_cast<double>(parts[second].seconds)) * parts[second].seconds;
  std::string text;
  long long left = rounded;
  for (std::size_t i = 0; i <= second; ++i) {
    const long long count = left / parts[i].seconds;
    left %= parts[i].seconds;
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : " ", count, parts[i].unit);
  }
  return text;
}

}  // namespace

std::string format_quantity(double si_value, std::string_view si_unit, UnitStyle style) {
  return format_quantity_digits(si_value, si_unit, usual_digits, style);
}

std::string format_quantity_digits(double si_value, std::string_view si_unit, int digits, UnitStyle style) {
  if (!std::isfinite(si_value)) return "n/a";
  if (si_unit == "s") return duration_text(si_value);
  const Shown* shown = style == UnitStyle::inch_pound ? choose(inch_pound, std::abs(si_value), si_unit) : nullptr;
  if (shown == nullptr) shown = choose(metric, std::abs(si_value), si_unit);
  if (shown == nullptr) return with_unit(si_value, si_unit == "1" ? "" : unit_for_people(si_unit), digits);
  return with_unit((si_value - shown->offset_si) / shown->size_si, shown->unit, digits);
}

std::string unit_in_files(std::string_view si_unit) {
  const std::size_t at = si_unit.find(temperature_difference);
  if (at == std::string_view::npos) return std::string(si_unit);
  return fmt::format("{}K{}", si_unit.substr(0, at), si_unit.substr(at + temperature_difference.size()));
}

std::string unit_for_people(std::string_view si_unit) {
  if (si_unit == "1") return "ratio";
  if (si_unit == "V A") return "VA";
  if (si_unit == "K") return "degC";
  if (si_unit == "delta_K-1") return "1/K";
  return unit_in_files(si_unit);
}

}  // namespace wattloop
