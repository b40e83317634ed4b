// Which parts have voltage at one instant, whether they give power or not.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "twin/drawings/diagrams/part_figures.hpp"
#include "twin/results/schema/topology.hpp"

namespace wattloop::twin {

/// What gives or draws power, what a closed feed or such a part reaches through closed switches, a UPS that its battery carries, and buses whose
/// recorded voltage is not 0. Ties and cables of rings carry voltage either way.
/// Generators are live while they give power.
std::set<std::string, std::less<>> live_parts(const Topology& topology, PartFigures& figures);

}  // namespace wattloop::twin
