#include "twin/actions/power/bypass.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "twin/plant/state/flag_overrides.hpp"

namespace wattloop::twin {

namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();
constexpr double cooler_by_k = 5.0;  ///< than where it switches off, before it carries again (estimate)

std::size_t bypass_of(const electrical::PowerTree& tree, std::size_t branch) {
  const auto found = std::ranges::find(tree.branch_bypassed, static_cast<int>(branch));
  return found == tree.branch_bypassed.end() ? no_part : static_cast<std::size_t>(found - tree.branch_bypassed.begin());
}

/// Whether a branch can carry what its bypass carries at present.
bool may_return(const Plant& plant, const PlantState& state, std::size_t branch, std::size_t bypass) {
  const electrical::PowerTree& tree = plant.power_tree;
  const electrical::InAir& in_air = tree.branch_limit[branch].in_air;
  const std::size_t air = air_around(plant, branch);
  const double air_k = air == no_part ? 0.0 : state.states[air];
  const double load_w = state.overload.branches[bypass].loading_ratio * tree.branch_rated_w[bypass];
  const double rated_w = electrical::rated_in_service_w(tree, state.switches, branch);
  return air_k <= in_air.off_above_k - cooler_by_k && load_w <= rated_w * electrical::capacity_fraction(in_air, air_k);
}

}  // namespace

void go_to_bypass(const Plant& plant, std::size_t branch, PlantState& state) {
  const std::size_t bypass = bypass_of(plant.power_tree, branch);
  if (bypass == no_part) return;
  state.switching.bypass_return_s[branch] = state.time_s + plant.power_tree.branch_return_s[bypass];
}

void return_from_bypasses(const Plant& plant, PlantState& state) {
  std::vector<double>& return_s = state.switching.bypass_return_s;
  for (std::size_t branch = 0; branch < return_s.size(); ++branch) {
    if (return_s[branch] > state.time_s) continue;
    const std::size_t bypass = bypass_of(plant.power_tree, branch);
    const bool bypass_carries = state.switches.branch_mode[bypass] == electrical::BranchMode::carrying;
    if (bypass_carries && may_return(plant, state, branch, bypass)) {
      OrderedFlag{state.equipment.orders, FlagOverride::Flag::branch_open, branch,
                  state.switching.branch_is_open[branch]}
          .set(0);
      return_s[branch] = never_s;
    } else {
      return_s[branch] = state.time_s + plant.power_tree.branch_return_s[bypass];
    }
  }
}

}  // namespace wattloop::twin
