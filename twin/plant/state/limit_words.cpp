#include "twin/plant/state/limit_words.hpp"

#include <fmt/format.h>

#include "core/units/quantity_digits.hpp"

namespace wattloop::twin {

namespace {

constexpr int usual_digits = 4, most_digits = 9;

std::string words(double value, std::string_view unit, UnitStyle style, int digits) {
  return unit == "1" ? fmt::format("{:.{}f} %", 100.0 * value, digits - usual_digits + 1)
                     : format_quantity_digits(value, unit, digits, style);
}

}  // namespace

std::string limit_words(double value, std::string_view unit, UnitStyle style) {
  return words(value, unit, style, usual_digits);
}

ValueAndLimit value_and_limit(double value, double limit, std::string_view unit, UnitStyle style) {
  const ValueAndLimit usual{limit_words(value, unit, style), limit_words(limit, unit, style)};
  if (usual.value != usual.limit || value == limit) return usual;
  for (int digits = usual_digits + 1; digits <= most_digits; ++digits) {
    ValueAndLimit longer{words(value, unit, style, digits), words(limit, unit, style, digits)};
    if (longer.value != longer.limit) return longer;
  }
  return usual;  // rounding alone
}

}  // namespace wattloop::twin
