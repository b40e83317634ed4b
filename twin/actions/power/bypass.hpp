// When the bypass of a UPS carries, and when the UPS takes the load back.
//
//   UPS opened by its protection (overload, hot air)   the bypass carries; after its return time the UPS tries to carry again: it does where its
//                                                      load is within what the air leaves of the rating in service and the air is 5 K below
//                                                      where it switches off; else it tries again after the same time. While its bypass
//                                                      carries nothing its load is not known, and it stays off
//   UPS opened by an event, or all modules failed      the bypass carries until an event closes or restores it: maintenance bypass, internal fault
//   bus before it dead, or the bypass opened           the load is dark: nothing carries from the battery
//
// The switch that closes: twin/actions/power/switching.hpp. Tested in tests/unit/plant/ups_bypass.cpp.
#pragma once

#include <cstddef>

#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// Notes when a branch that protection has just opened tries to carry again, if it has a bypass.
void go_to_bypass(const Plant& plant, std::size_t branch, PlantState& state);

/// Closes branches whose time to return has come and whose load and air allow it; notes the next attempt of the others.
void return_from_bypasses(const Plant& plant, PlantState& state);

}  // namespace wattloop::twin
