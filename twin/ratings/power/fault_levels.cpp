#include "twin/ratings/power/fault_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/ratings/power/fault_network.hpp"

namespace wattloop::twin {

namespace {

using electrical::is_transformer;

/// A short circuit at a bus, and which one it is.
struct Fault {
  double current_a = 0.0;
  const char* quantity = "";
};

Fault larger(const Fault& one, const Fault& other) { return other.current_a > one.current_a ? other : one; }

/// What a breaker has to interrupt at most: from feeds, and from generators alone, which are other sources with another remedy.
class FaultsAtBuses {
 public:
  explicit FaultsAtBuses(const electrical::PowerTree& tree)
      : tree_(tree),
        from_feeds_(currents_of_buses(tree, FaultSize::largest)),
        from_sets_a_(
            short_circuit_currents_a(tree, FaultFrom::generators, FaultSize::largest, FaultReach::through_bypasses)) {}

  /// Behind a branch; of a switch that carries either way the larger of both its buses.
  std::vector<Fault> behind(std::size_t branch) const {
    const auto to = static_cast<std::size_t>(tree_.branch_to[branch]);
    if (tree_.branch_goes_both_ways[branch] == 0) return {feeds_at(to), sets_at(to)};
    const auto from = static_cast<std::size_t>(tree_.branch_from[branch]);
    return {larger(feeds_at(to), feeds_at(from)), larger(sets_at(to), sets_at(from))};
  }

 private:
  Fault feeds_at(std::size_t bus) const {
    return larger({from_feeds_.three_phase_a[bus], "fault level of its bus"},
                  {from_feeds_.earth_a[bus], "line-to-earth fault level of its bus"});
  }
  Fault sets_at(std::size_t bus) const { return {from_sets_a_[bus], "fault level of its bus from generators alone"}; }

  const electrical::PowerTree& tree_;
  BusCurrents from_feeds_;
  std::vector<double> from_sets_a_;
};

}  // namespace

double breaking_capacity_at_bus_a(const electrical::PowerTree& tree, int bus) {
  double least_a = std::numeric_limits<double>::infinity();
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (tree.branch_to[branch] == bus || (tree.branch_from[branch] == bus && !is_transformer(tree, branch)))
      least_a = std::min(least_a, tree.branch_breaking_a[branch]);
  }
  return least_a;
}

std::vector<CheckRow> fault_level_rows(const electrical::PowerTree& tree) {
  const FaultsAtBuses faults(tree);
  std::vector<CheckRow> rows;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const double limit_a = tree.branch_breaking_a[branch];
    const bool may_close = tree.branch_normally_closed[branch] != 0 || tree.branch_goes_both_ways[branch] != 0;
    if (!std::isfinite(limit_a) || !may_close) continue;
    const std::vector<Fault> behind = faults.behind(branch);
    for (std::size_t k = 0; k < behind.size(); ++k) {
      if (behind[k].current_a == 0.0) continue;
      rows.push_back(
          {.kind = CheckRow::Kind::limit,
           .of = fmt::format("{}s of {}{}", tree.branch_kind[branch], format_quantity(limit_a, "A"),
                             k == 0 ? "" : ", from generators"),
           .name = tree.branch_name[branch],
           .quantity = behind[k].quantity,
           .why = is_transformer(tree, branch) ? "more than its breakers interrupt" : "more than it interrupts",
           .unit = "A",
           .value = behind[k].current_a,
           .limit = limit_a});
    }
  }
  return rows;
}

}  // namespace wattloop::twin
