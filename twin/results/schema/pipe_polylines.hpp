// The pipes of each loop as one line that runs through all of them and back, so that a loop is one cell with
// one value.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

using Polyline = std::vector<std::array<double, 3>>;

/// One line for each loop that has pipes of this kind, in the order of the boxes. The line follows the axes
/// of the pipes, turns into each branch where it begins and comes back the same way; parts that do not touch
/// (the headers of different rows) are joined by straight lines between their beginnings.
std::vector<Polyline> pipe_polylines(std::span<const LayoutBox> boxes, std::string_view kind);

}  // namespace wattloop::twin
