// Quantities for readers with more digits than four, where four do not show a difference.
#pragma once

#include <string>
#include <string_view>

#include "core/units/units.hpp"

namespace wattloop {

/// As `format_quantity`, with that number of digits; times have the text of `format_quantity`.
std::string format_quantity_digits(double si_value, std::string_view si_unit, int digits,
                                   UnitStyle style = UnitStyle::metric);

}  // namespace wattloop
