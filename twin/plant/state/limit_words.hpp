// Values and limits of parts in words.
#pragma once

#include <string>
#include <string_view>

#include "core/units/units.hpp"

namespace wattloop::twin {

/// "62.5 degC"; of a ratio "124.3 %".
std::string limit_words(double value, std::string_view unit, UnitStyle style = UnitStyle::metric);

struct ValueAndLimit {
  std::string value{}, limit{};
};

/// Both as `limit_words`; if these are the same for two numbers, with as many digits as show the difference: "1.3684 MW" and "1.368 MW".
ValueAndLimit value_and_limit(double value, double limit, std::string_view unit, UnitStyle style = UnitStyle::metric);

}  // namespace wattloop::twin
