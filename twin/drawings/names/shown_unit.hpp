// The unit in which a column of numbers reads best: one for all of them.
#pragma once

#include <string>
#include <string_view>

namespace wattloop::twin {

struct ShownUnit {
  double factor = 1.0, offset = 0.0;  ///< shown = SI * factor + offset
  std::string name{};                 ///< "MW", "degC", "%"
};

/// `largest`: of the magnitudes, SI. A ratio that stays below 2 is shown in %.
ShownUnit shown_unit(std::string_view si_unit, double largest);

/// A number of GPUs or a ratio that no one gives in %: PUE, COP, a mode.
bool is_plain_number(std::string_view column);

/// The unit of a column for `shown_unit`: empty, which is never shown in %, where it is a plain number.
std::string unit_of_column(std::string_view column, const std::string& si_unit);

}  // namespace wattloop::twin
