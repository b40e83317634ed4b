// Where the equipment stands that serves the hall from its walls and from outside: CRAHs and UPS along the
// walls at the ends of the rows, chillers, substations, transformers, tower cells and generators in the yard
// behind the hall. As in twin/build/floor/layout a drawing with ordinary sizes, not a survey.
#pragma once

#include <vector>

#include "twin/build/floor/layout.hpp"

namespace wattloop::twin {

/// Appends what surrounds the boxes that stand in the hall already. Where there is one per side it is named
/// by its letter ("ups_a"), else numbered ("ups_a_1"); generators are always numbered ("generator_a_1").
void draw_surroundings(const HallFloor& counts, std::vector<LayoutBox>& boxes);

}  // namespace wattloop::twin
