// The keys of `power.one_line`, for `wattloop explain` and the reference.
#pragma once

#include <vector>

#include "twin/document/field_reader.hpp"

namespace wattloop::twin {

std::vector<FieldRow> one_line_rows();

}  // namespace wattloop::twin
