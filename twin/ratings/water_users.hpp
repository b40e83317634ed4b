// What draws a water, in the words of `wattloop check`.
#pragma once

#include <string>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// "doors and air handlers": what draws a chilled water; of the only one, whatever there is.
std::string coils_on(const Scenario& scenario, const ChilledWaterSpec& water);

/// "CDUs and condensers": what draws a water, those with pumps of their own last; empty where nothing does.
std::string users_of(const Scenario& scenario, const FacilitySpec& water, bool has_condensers);

}  // namespace wattloop::twin
