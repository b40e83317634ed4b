// What would lift a limit, in a few words: a count or a size that follows from the row.
#pragma once

#include <string>

#include "twin/ratings/check_row.hpp"

namespace wattloop::twin {

/// "1 more CDU in its loop, or 1.42 MW each instead of 1.37 MW". Of rows that are met the same direction, without figures.
std::string remedy_of(const CheckRow& row);

}  // namespace wattloop::twin
