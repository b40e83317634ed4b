// Where heat stays in a plant that has no steady state, for messages.
#pragma once

#include <span>
#include <string>

#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

/// "heat cannot leave row_1.rack_1: the flows that reach it would become 410 K warmer": units whose flows are too small for their heat, or
/// else the hottest or coldest water or air. `signals` are those of an evaluation.
std::string trapped_heat(const Plant& plant, std::span<const double> signals);

}  // namespace wattloop::twin
