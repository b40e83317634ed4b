#include "api/engine/quantities.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

#include "api/engine/failures.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/units/units.hpp"

namespace wattloop::engine {

namespace {

template <class Convert>
double converted(const Convert& convert) {
  try {
    return convert();
  } catch (const QuantityError& error) {
    throw InputError({{{"quantity", 0, 0}, error.what(), error.hint, {}}}, "the quantity");
  }
}

constexpr std::size_t longest_unit = 100;  // characters

/// Those that are named where another one does not fit.
constexpr std::array usual_units{"W",   "kW",  "MW",  "degC", "degF", "J",    "kWh",  "MWh",   "kPa",
                                 "bar", "psi", "kV",  "kA",   "kVA",  "kvar", "kg/h", "L/min", "m3/h",
                                 "gpm", "L",   "min", "h",    "MB",   "GB",   "GB/s", "%"};

bool fits(std::string_view unit, std::string_view si_unit) {
  try {
    wattloop::to_si(1.0, unit, si_unit);
    return true;
  } catch (const QuantityError&) {
    return false;
  }
}

std::string units_that_fit(std::string_view si_unit) {
  std::string units(unit_in_files(si_unit));
  for (const std::string_view unit : usual_units) {
    if (unit != si_unit && fits(unit, si_unit)) units.append(", ").append(unit);
  }
  return "units that fit: " + units;
}

}  // namespace

double to_si(std::string_view quantity, std::string_view si_unit) {
  return converted([&] { return wattloop::to_si(quantity, si_unit); });
}

double from_si(double value, std::string_view si_unit, std::string_view unit) {
  try {
    const double zero = wattloop::to_si(0.0, unit, si_unit), one = wattloop::to_si(1.0, unit, si_unit);
    return (value - zero) / (one - zero);
  } catch (const QuantityError&) {
    refuse("unit",
           fmt::format("'{}' is no unit of {}", printable(unit.substr(0, longest_unit)),
                       si_unit == "1" ? "a ratio" : fmt::format("a value in {}", unit_in_files(si_unit))),
           units_that_fit(si_unit));
  }
}

}  // namespace wattloop::engine
