// Logic that acts at control ticks: which pumps of a CDU run.
#pragma once

#include <vector>

#include "twin/plant_state.hpp"
#include "twin/results_schema.hpp"

namespace wattloop::twin {

/// Of n pumps in a CDU n - 1 run (the only one, if there is one) and the last is standby: a failed pump is replaced by the
/// first idle one that has not failed. Sets the pumps' commands. Starts and stops after the first call are added to
/// `events`. True if any command changed.
bool stage_pumps(const Plant& plant, PlantState& state, std::vector<EventRecord>* events);

}  // namespace wattloop::twin
