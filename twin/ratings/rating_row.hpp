// A load beside its rating as a row of `check`.
#pragma once

#include <string>

#include "twin/ratings/check_row.hpp"
#include "twin/ratings/load_at_rating.hpp"

namespace wattloop::twin {

/// With that out. Equipment that would trip at less than its rating is compared with what it carries without end.
CheckRow rating_of(const LoadAtRating& carried, std::string out);

}  // namespace wattloop::twin
