// Logic that acts at control ticks: which motors of a group run.
#pragma once

#include <vector>

#include "twin/plant_state.hpp"
#include "twin/results_schema.hpp"

namespace wattloop::twin {

/// In every group as many motors run as are on duty and the rest stands by: one that failed or has no power is replaced by
/// the first idle one that can run. Sets the commands. Starts and stops after the first call are added to `events`, which
/// may be null. True if any command changed.
bool stage_motors(const Plant& plant, PlantState& state, std::vector<EventRecord>* events);

}  // namespace wattloop::twin
