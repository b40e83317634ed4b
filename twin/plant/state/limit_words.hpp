// Values and limits of parts in words.
#pragma once

#include <string>
#include <string_view>

#include "core/units/units.hpp"

namespace wattloop::twin {

/// "62.5 degC"; of a ratio "124.3 %".
std::string limit_words(double value, std::string_view unit, UnitStyle style = UnitStyle::metric);

}  // namespace wattloop::twin
