// What of a hall is drawn: its racks, loops, water plant and power by their counts, and the parts written by hand.
#pragma once

#include <vector>

#include "twin/build/floor/layout.hpp"
#include "twin/plant/equipment/plant.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

HallFloor layout_floor(const Scenario& scenario, const Plant& plant);

/// Chillers and cells are drawn by their count; where parts replace some, those left have other names.
std::vector<LayoutBox> named_as_built(std::vector<LayoutBox> boxes, const Plant& plant);

}  // namespace wattloop::twin
