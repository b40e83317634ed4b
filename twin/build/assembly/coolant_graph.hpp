// The streams of a diagram as a graph: every technology loop must be one circuit that a pump drives.
#pragma once

#include "twin/build/assembly/diagram.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// Throws InputError naming every loop in which coolant cannot circulate, and why.
void check_coolant_graph(const Diagram& diagram, const Scenario& scenario);

}  // namespace wattloop::twin
