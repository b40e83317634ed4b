#include "twin/plant/state/branch_orders.hpp"

#include <vector>

namespace wattloop::twin {

void note_order_to_branch(const Plant& plant, std::size_t branch, bool is_restored, PlantState& state) {
  SwitchingState& switching = state.switching;
  switching.branch_is_reversed[branch] = 0;
  for (std::size_t number = 0; number < plant.switch_rules.automatic.size(); ++number) {
    AutomaticState& memory = switching.automatic[number];
    if (plant.switch_rules.automatic[number].branch != branch) {
      std::erase(memory.parted, static_cast<int>(branch));
      continue;
    }
    for (const int parted : memory.parted) switching.branch_is_reversed[static_cast<std::size_t>(parted)] = 0;
    memory = {};
    memory.is_by_hand = is_restored ? 0 : 1;
  }
}

}  // namespace wattloop::twin
