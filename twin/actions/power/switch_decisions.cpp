#include "twin/actions/power/switch_decisions.hpp"

#include <algorithm>

namespace wattloop::twin {

namespace {

/// A rule that closes a tie and opens what fed its dead end reverses the order of people.
bool is_closed(const SwitchingState& switching, std::size_t branch) {
  return switching.branch_is_failed[branch] == 0 &&
         switching.branch_is_open[branch] == switching.branch_is_reversed[branch];
}

/// Of members that are listed before a branch and are closed by their orders, so many may be: what other interlocks make of these is not asked.
bool do_interlocks_allow(const Plant& plant, const SwitchingState& switching, std::size_t branch) {
  return std::ranges::all_of(plant.switch_rules.interlocks, [&](const InterlockPart& lock) {
    const auto here = std::ranges::find(lock.branches, branch);
    if (here == lock.branches.end()) return true;
    const auto closed =
        std::count_if(lock.branches.begin(), here, [&](std::size_t member) { return is_closed(switching, member); });
    return static_cast<std::size_t>(closed) < lock.most_closed;
  });
}

}  // namespace

double share_in_service(const electrical::PowerTree& tree, const SwitchingState& switching, std::size_t branch) {
  const auto first = switching.module_is_failed.begin() + static_cast<std::ptrdiff_t>(tree.branch_first_module[branch]);
  const int modules = tree.branch_modules[branch];
  const auto failed = std::count(first, first + modules, std::uint8_t{1});
  return failed == 0 ? 1.0 : static_cast<double>(modules - failed) / modules;
}

bool may_carry(const Plant& plant, const SwitchingState& switching, std::size_t branch) {
  if (!is_closed(switching, branch) || !do_interlocks_allow(plant, switching, branch)) return false;
  const int bypassed = plant.power_tree.branch_bypassed[branch];
  if (bypassed == electrical::no_branch) return true;
  const auto other = static_cast<std::size_t>(bypassed);
  return !may_carry(plant, switching, other) || share_in_service(plant.power_tree, switching, other) == 0.0;
}

}  // namespace wattloop::twin
