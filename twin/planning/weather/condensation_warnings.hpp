// What `check` and a run report of water that is too cold for the air of its room, before anything runs (twin/actions/weather/condensation.hpp).
#pragma once

#include <string>
#include <vector>

#include "twin/actions/weather/outdoors.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// What is wrong with the set-point of the water at the highest dew points from start to end, room by room.
std::vector<std::string> condensation_warnings(const Scenario& scenario, const Outdoors& outdoors);

}  // namespace wattloop::twin
