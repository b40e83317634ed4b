// When a switch acts by itself, and whether power supplies carry what they feed until then.
#pragma once

#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// The next instant after now at which a tie or a transfer switch acts if nothing changes; infinity if none does.
double next_automatic_s(const PlantState& state);

/// Whether one acts within `hold_up_s`: power supplies carry a gap of that length. Each gap by itself.
bool is_gap_carried(const PlantState& state, double hold_up_s);

}  // namespace wattloop::twin
