// The weather of a run, as its scenario names it: a design day, a year from a file, measured bulbs.
#pragma once

#include "twin/actions/weather/outdoors.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// The weather that the scenario names. Throws InputError with all that is wrong with its file.
Outdoors make_outdoors(const Scenario& scenario);

/// The same for a run of that length, without notes on what may freeze.
Outdoors make_outdoors(const Scenario& scenario, double duration_s);

}  // namespace wattloop::twin
