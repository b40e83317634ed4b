#include "twin/energy_balance.hpp"

namespace wattloop::twin {

EnergyBalance energy_balance(const Plant& plant, const PlantState& state, double initial_energy_j) {
  EnergyBalance balance;
  balance.feed_j = state.states[plant.meters.feed];
  balance.rejected_j = state.states[plant.meters.outdoors];
  for (const std::size_t meter : plant.meters.boundaries) balance.rejected_j += state.states[meter];
  balance.stored_j = stored_energy_j(plant, state.states) - initial_energy_j;
  return balance;
}

}  // namespace wattloop::twin
