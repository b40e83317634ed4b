// Numbers with units at the edge of the library.
#pragma once

#include <string_view>

namespace wattloop::engine {

/// Throw InputError with the unit that was expected.
double to_si(std::string_view quantity, std::string_view si_unit);
double from_si(double value, std::string_view si_unit, std::string_view unit);

}  // namespace wattloop::engine
