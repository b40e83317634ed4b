#include "twin/plant/state/branch_orders.hpp"

#include <algorithm>
#include <vector>

namespace wattloop::twin {

namespace {

bool allows(const InterlockPart& lock, const SwitchingState& switching, std::size_t branch) {
  const auto here = std::ranges::find(lock.branches, branch);
  if (here == lock.branches.end()) return true;
  const auto closed = std::count_if(lock.branches.begin(), here,
                                    [&](std::size_t member) { return is_ordered_closed(switching, member); });
  return static_cast<std::size_t>(closed) < lock.most_closed;
}

}  // namespace

bool is_ordered_closed(const SwitchingState& switching, std::size_t branch) {
  return switching.branch_is_failed[branch] == 0 &&
         switching.branch_is_open[branch] == switching.branch_is_reversed[branch];
}

const InterlockPart* holding_interlock(const Plant& plant, const SwitchingState& switching, std::size_t branch) {
  if (!is_ordered_closed(switching, branch)) return nullptr;
  const std::vector<InterlockPart>& locks = plant.switch_rules.interlocks;
  const auto lock =
      std::ranges::find_if(locks, [&](const InterlockPart& one) { return !allows(one, switching, branch); });
  return lock == locks.end() ? nullptr : &*lock;
}

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
