// Finds the live buses of a switch position, the feed of each bus, and the direction of power in bidirectional branches.
//
// Without bidirectional branches, the order of the tree is sufficient: a bus comes after all equipment that can feed it. With them, the code goes
// from the sources outwards:
//
//   1  buses that directed branches connect with sources become live, in the order of the tree
//   2  the first declared, closed bidirectional branch with a live end (fed by a source) and a dead end feeds the dead end; then step 1 again
//   3  batteries feed buses that are still dead, and the buses that directed branches connect with these
//
// A live bus keeps its feed, so no bus can feed itself. A battery feeds nothing through a bidirectional branch.
#include <algorithm>
#include <numeric>
#include <utility>

#include "electrical/power_tree.hpp"

namespace wattloop::electrical {

namespace {

std::span<const int> infeeds(const PowerTree& tree, std::size_t bus) {
  const auto begin = static_cast<std::size_t>(tree.infeed_begin[bus]);
  const auto end = static_cast<std::size_t>(tree.infeed_begin[bus + 1]);
  return std::span(tree.infeed).subspan(begin, end - begin);
}

/// Divides the load of the bus among its live standby sources: in proportion to their ratings if all are known, otherwise equally.
void share_among_standby(const PowerTree& tree, SwitchState& switches, std::size_t bus) {
  double total_w = 0.0;
  double count = 0.0;
  bool all_known = true;
  const auto for_each_live = [&](auto visit) {
    for (std::size_t source = 0; source < tree.source_bus.size(); ++source) {
      const bool is_here = tree.source_bus[source] == static_cast<int>(bus) && tree.source_is_standby[source];
      if (is_here && switches.source_live[source]) visit(source);
    }
  };
  for_each_live([&](std::size_t source) {
    total_w += tree.source_rated_w[source];
    count += 1.0;
    all_known = all_known && tree.source_rated_w[source] > 0.0;
  });
  for_each_live([&](std::size_t source) {
    switches.source_share[source] = all_known ? tree.source_rated_w[source] / total_w : 1.0 / count;
  });
}

/// Number of feeds from the live sources at the bus. The first one carries the bus; standby sources count as one feed.
int feed_from_sources(const PowerTree& tree, SwitchState& switches, std::size_t bus) {
  int feeds = 0;
  bool has_standby = false;
  for (std::size_t source = 0; source < tree.source_bus.size(); ++source) {
    if (tree.source_bus[source] != static_cast<int>(bus) || !switches.source_live[source]) continue;
    if (tree.source_is_standby[source] && std::exchange(has_standby, true)) continue;
    if (feeds++ > 0) continue;
    if (tree.source_is_standby[source]) {
      share_among_standby(tree, switches, bus);
    } else {
      switches.source_share[source] = 1.0;
    }
  }
  return feeds;
}

/// Whether power can pass through the branch.
bool is_closed(const SwitchState& switches, int branch) {
  return switches.branch_closed[branch] != 0 && switches.branch_in_service_share[branch] > 0.0;
}

/// The same for directed branches, after `feeds` other feeds.
int feed_from_branches(const PowerTree& tree, SwitchState& switches, std::size_t bus, int feeds) {
  for (const int branch : infeeds(tree, bus)) {
    if (!is_closed(switches, branch) || !switches.bus_live[tree.branch_from[branch]]) continue;
    switches.branch_mode[branch] = feeds++ == 0 ? BranchMode::carrying : BranchMode::idle;
  }
  return feeds;
}

int feed_from_batteries(const PowerTree& tree, SwitchState& switches, std::size_t bus) {
  int feeds = 0;
  for (const int branch : infeeds(tree, bus)) {
    if (!is_closed(switches, branch) || !switches.battery_ready[branch]) continue;
    if (tree.branch_battery_j[branch] <= 0.0) continue;
    if (feeds++ == 0) switches.branch_mode[branch] = BranchMode::on_battery;
  }
  return feeds;
}

std::array<double, 2> cord_share(const PowerTree& tree, std::size_t load, const SwitchState& switches) {
  const auto [first_bus, second_bus] = tree.load_bus[load];
  if (!switches.load_open.empty() && switches.load_open[load] != 0) return {0.0, 0.0};
  const bool first = switches.bus_live[first_bus];
  const bool second = second_bus != no_bus && switches.bus_live[second_bus];
  if (first && second && tree.load_transfers[load]) return {1.0, 0.0};
  if (first && second) return {0.5, 0.5};
  if (tree.load_needs_both[load] != 0) return {0.0, 0.0};
  return {first ? 1.0 : 0.0, second ? 1.0 : 0.0};
}

/// A switch position of a tree with bidirectional branches.
class Reach {
 public:
  Reach(const PowerTree& tree, SwitchState& switches)
      : tree_(tree), switches_(switches), depth_(tree.bus_name.size(), 0), feeds_(tree.bus_name.size(), 0) {}

  /// Returns buses that are fed twice.
  std::vector<int> run() {
    for (std::size_t bus = 0; bus < depth_.size(); ++bus) reach_from_sources(bus);
    do {
      for (std::size_t bus = 0; bus < depth_.size(); ++bus) reach_from_branches(bus);
    } while (reach_one_both_ways());
    for (std::size_t bus = 0; bus < depth_.size(); ++bus) reach_from_batteries(bus);
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) note_idle(branch);
    set_order();
    std::vector<int> fed_twice;
    for (std::size_t bus = 0; bus < feeds_.size(); ++bus) {
      if (feeds_[bus] > 1) fed_twice.push_back(static_cast<int>(bus));
    }
    return fed_twice;
  }

 private:
  void reach_from_sources(std::size_t bus) {
    feeds_[bus] = feed_from_sources(tree_, switches_, bus);
    if (feeds_[bus] > 0) switches_.bus_live[bus] = 1;
  }

  void reach(std::size_t bus, std::size_t branch, BranchMode mode, int depth) {
    switches_.branch_mode[branch] = mode;
    switches_.bus_live[bus] = 1;
    depth_[bus] = depth;
    ++feeds_[bus];
  }

  /// The first declared directed branch from a live bus feeds a dead one.
  void reach_from_branches(std::size_t bus) {
    if (switches_.bus_live[bus]) return;
    for (const int branch : infeeds(tree_, bus)) {
      const int from = tree_.branch_from[branch];
      if (tree_.branch_goes_both_ways[branch] || !is_closed(switches_, branch) || !switches_.bus_live[from]) continue;
      return reach(bus, branch, BranchMode::carrying, depth_[from] + 1);
    }
  }

  bool reach_one_both_ways() {
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
      const int from = tree_.branch_from[branch], to = tree_.branch_to[branch];
      if (!tree_.branch_goes_both_ways[branch] || !is_closed(switches_, static_cast<int>(branch))) continue;
      if (switches_.bus_live[from] == switches_.bus_live[to]) continue;
      const bool is_reversed = switches_.bus_live[to] != 0;
      switches_.branch_is_reversed[branch] = is_reversed;
      reach(is_reversed ? from : to, branch, BranchMode::carrying, depth_[is_reversed ? to : from] + 1);
      return true;
    }
    return false;
  }

  void reach_from_batteries(std::size_t bus) {
    reach_from_branches(bus);
    if (switches_.bus_live[bus]) return;
    feeds_[bus] = feed_from_batteries(tree_, switches_, bus);
    if (feeds_[bus] == 0) return;
    switches_.bus_live[bus] = 1;
    depth_[bus] = 1;
  }

  /// Marks a closed branch as idle if another branch feeds its bus. For a bidirectional branch, its bus may be at either end.
  void note_idle(std::size_t branch) {
    if (switches_.branch_mode[branch] != BranchMode::dead || !is_closed(switches_, static_cast<int>(branch))) return;
    const int from = tree_.branch_from[branch], to = tree_.branch_to[branch];
    if (!switches_.bus_live[from] || (tree_.branch_goes_both_ways[branch] && !switches_.bus_live[to])) return;
    switches_.branch_mode[branch] = BranchMode::idle;
    ++feeds_[to];
  }

  /// Position of a branch in the order of evaluation: after the branch that feeds the bus from which it draws.
  int level(std::size_t branch) const {
    const auto [from, to] = ends_of_flow(tree_, switches_, branch);
    const BranchMode mode = switches_.branch_mode[branch];
    const bool feeds = mode == BranchMode::carrying || mode == BranchMode::on_battery;
    return feeds ? depth_[to] - 1 : depth_[from];
  }

  void set_order() {
    switches_.branch_order.resize(tree_.branch_name.size());
    std::iota(switches_.branch_order.begin(), switches_.branch_order.end(), std::size_t{0});
    std::ranges::stable_sort(switches_.branch_order, {}, [&](std::size_t branch) { return level(branch); });
  }

  const PowerTree& tree_;
  SwitchState& switches_;
  std::vector<int> depth_;  ///< [buses], branches between it and its source or battery
  std::vector<int> feeds_;  ///< [buses], how many closed and live feeds it has
};

/// A switch position of a tree without bidirectional branches.
std::vector<int> energise_in_order(const PowerTree& tree, SwitchState& switches) {
  std::vector<int> fed_twice;
  for (std::size_t bus = 0; bus < tree.bus_name.size(); ++bus) {
    int feeds = feed_from_sources(tree, switches, bus);
    feeds = feed_from_branches(tree, switches, bus, feeds);
    if (feeds == 0) feeds = feed_from_batteries(tree, switches, bus);
    switches.bus_live[bus] = feeds > 0;
    if (feeds > 1) fed_twice.push_back(static_cast<int>(bus));
  }
  return fed_twice;
}

}  // namespace

std::vector<int> energise(const PowerTree& tree, SwitchState& switches) {
  switches.bus_live.assign(tree.bus_name.size(), 0);
  switches.branch_mode.assign(tree.branch_name.size(), BranchMode::dead);
  switches.source_share.assign(tree.source_name.size(), 0.0);
  switches.cord_share.assign(tree.load_name.size(), {0.0, 0.0});
  const bool have_both_ways = std::ranges::find(tree.branch_goes_both_ways, 1) != tree.branch_goes_both_ways.end();
  switches.branch_is_reversed.assign(have_both_ways ? tree.branch_name.size() : 0, 0);
  const std::vector<int> fed_twice = have_both_ways ? Reach(tree, switches).run() : energise_in_order(tree, switches);
  for (std::size_t load = 0; load < tree.load_name.size(); ++load) {
    switches.cord_share[load] = cord_share(tree, load, switches);
  }
  return fed_twice;
}

}  // namespace wattloop::electrical
