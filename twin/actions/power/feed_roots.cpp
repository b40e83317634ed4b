#include "twin/actions/power/feed_roots.hpp"

namespace wattloop::twin {

using electrical::BranchMode;

namespace {

bool is_any_generator_live(const electrical::PowerTree& tree, const electrical::SwitchState& switches) {
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    if (tree.source_is_standby[source] != 0 && switches.source_share[source] > 0.0) return true;
  }
  return false;
}

/// The other end of a live branch that leads to the bus; `no_bus` if it does not.
int live_end_before(const electrical::PowerTree& tree, const electrical::SwitchState& switches, std::size_t branch,
                    int bus) {
  const BranchMode mode = switches.branch_mode[branch];
  if (mode != BranchMode::carrying && mode != BranchMode::idle) return electrical::no_bus;
  const auto [from, to] = electrical::ends_of_flow(tree, switches, branch);
  if (to == bus) return from;
  return mode == BranchMode::idle && tree.branch_goes_both_ways[branch] != 0 && from == bus ? to : electrical::no_bus;
}

}  // namespace

FeedRoot root_of(const electrical::PowerTree& tree, const electrical::SwitchState& switches, int bus) {
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    if (tree.source_bus[source] == bus && switches.source_share[source] > 0.0)
      return {tree.source_name[source], tree.source_is_standby[source] != 0};
  }
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const BranchMode mode = switches.branch_mode[branch];
    const auto [from, to] = electrical::ends_of_flow(tree, switches, branch);
    if (to != bus || (mode != BranchMode::carrying && mode != BranchMode::on_battery)) continue;
    if (tree.branch_makes_voltage[branch] != 0) return {tree.branch_name[branch], false};
    return root_of(tree, switches, from);
  }
  return {};
}

bool has_feed(const electrical::PowerTree& tree, const electrical::SwitchState& switches, std::size_t bus) {
  const bool asks_for_root = is_any_generator_live(tree, switches);  // else nothing live comes from one
  for (std::size_t branch = 0; branch < tree.branch_to.size(); ++branch) {
    const int before = live_end_before(tree, switches, branch, static_cast<int>(bus));
    if (before == electrical::no_bus) continue;
    if (!asks_for_root) return true;
    const FeedRoot root = root_of(tree, switches, before);
    if (!root.name.empty() && !root.is_standby) return true;
  }
  return false;
}

}  // namespace wattloop::twin
