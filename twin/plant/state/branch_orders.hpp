// What an order of people to a branch of the power tree does to the rules that act on it: from then on people decide.
#pragma once

#include <cstddef>

#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// An event has said what a branch does; `is_restored`: that it follows its rules again. What a rule has opened for a branch that closes by
/// itself goes back to its own orders.
void note_order_to_branch(const Plant& plant, std::size_t branch, bool is_restored, PlantState& state);

}  // namespace wattloop::twin
