#include "twin/plant/state/limit_words.hpp"

#include <fmt/format.h>

namespace wattloop::twin {

std::string limit_words(double value, std::string_view unit, UnitStyle style) {
  return unit == "1" ? fmt::format("{:.1f} %", 100.0 * value) : format_quantity(value, unit, style);
}

}  // namespace wattloop::twin
