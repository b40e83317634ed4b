// The energy balance of a run, metered at both ends: what the feed delivered, what left for the sky, what is stored.
#pragma once

#include "twin/plant_state.hpp"

namespace wattloop::twin {

struct EnergyBalance {
  double feed_j = 0.0;      ///< metered at the utility
  double rejected_j = 0.0;  ///< metered at facility water, door water and outdoors
  double stored_j = 0.0;    ///< end less start, recomputed from the states

  /// What does not add up, over the energy that came in.
  double residual_ratio() const { return feed_j > 0.0 ? (feed_j - rejected_j - stored_j) / feed_j : 0.0; }
};

EnergyBalance energy_balance(const Plant& plant, const PlantState& state, double initial_energy_j);

}  // namespace wattloop::twin
