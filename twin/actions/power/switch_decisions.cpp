#include "twin/actions/power/switch_decisions.hpp"

#include <algorithm>

#include "twin/plant/state/branch_orders.hpp"

namespace wattloop::twin {

double share_in_service(const electrical::PowerTree& tree, const SwitchingState& switching, std::size_t branch) {
  const auto first = switching.module_is_failed.begin() + static_cast<std::ptrdiff_t>(tree.branch_first_module[branch]);
  const int modules = tree.branch_modules[branch];
  const auto failed = std::count(first, first + modules, std::uint8_t{1});
  return failed == 0 ? 1.0 : static_cast<double>(modules - failed) / modules;
}

bool may_carry(const Plant& plant, const SwitchingState& switching, std::size_t branch) {
  if (!is_ordered_closed(switching, branch) || holding_interlock(plant, switching, branch) != nullptr) return false;
  const int bypassed = plant.power_tree.branch_bypassed[branch];
  if (bypassed == electrical::no_branch) return true;
  const auto other = static_cast<std::size_t>(bypassed);
  return !may_carry(plant, switching, other) || share_in_service(plant.power_tree, switching, other) == 0.0;
}

}  // namespace wattloop::twin
