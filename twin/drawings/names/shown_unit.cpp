#include "twin/drawings/names/shown_unit.hpp"

#include <array>

#include "core/units/units.hpp"

namespace wattloop::twin {

ShownUnit shown_unit(std::string_view si_unit, double largest) {
  constexpr double zero_celsius_k = 273.15, joule_per_kilowatt_hour = 3.6e6;
  if (si_unit == "K") return {1.0, -zero_celsius_k, "degC"};
  if (si_unit == "1" || si_unit.empty())
    return largest < 2.0 && !si_unit.empty() ? ShownUnit{100.0, 0.0, "%"} : ShownUnit{};
  if (si_unit == "J") return {1.0 / joule_per_kilowatt_hour, 0.0, "kWh"};
  if (si_unit == "W" || si_unit == "Pa") {
    struct Prefix {
      double least, factor;
      const char* letter;
    };
    for (const Prefix& prefix : std::array{Prefix{1e6, 1e-6, "M"}, Prefix{1e3, 1e-3, "k"}}) {
      if (largest >= prefix.least) return {prefix.factor, 0.0, prefix.letter + std::string(si_unit)};
    }
  }
  return {1.0, 0.0, unit_for_people(si_unit)};
}

bool is_plain_number(std::string_view column) {
  return column == "pue" || column == "cop" || column == "mode" || column.ends_with("_gpus");
}

std::string unit_of_column(std::string_view column, const std::string& si_unit) {
  return is_plain_number(column) ? std::string() : si_unit;
}

}  // namespace wattloop::twin
