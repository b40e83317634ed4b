// What orders of people, failures, rules and interlocks make of the branches of the power tree: which may carry.
#pragma once

#include <cstddef>

#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// Share of the modules of a branch that have not failed; of one that is one module all.
double share_in_service(const electrical::PowerTree& tree, const SwitchingState& switching, std::size_t branch);

/// Whether a branch may carry: it is neither open nor failed, its interlocks allow it, and a bypass only while what it carries for may not.
bool may_carry(const Plant& plant, const SwitchingState& switching, std::size_t branch);

}  // namespace wattloop::twin
