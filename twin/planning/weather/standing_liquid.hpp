// Liquid outdoors that does not flow takes the temperature of the air around it. A dry cooler whose pump is off, because it is on standby or has
// failed, gives off next to no heat in the model, so that no limit of a run sees its liquid freeze. What an engineer must know beforehand
// is a note.
#pragma once

#include <string>
#include <vector>

#include "twin/actions/weather/outdoors.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// A sentence for each water system whose dry coolers see air below the freezing point of their liquid between the start and the end of the run.
std::vector<std::string> standing_liquid_notes(const Scenario& scenario, const Outdoors& outdoors);

}  // namespace wattloop::twin
