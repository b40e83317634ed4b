#include "twin/ratings/power/fault_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "twin/ratings/power/fault_network.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* more_than_interrupted = "more than its breakers interrupt";

bool is_transformer(const electrical::PowerTree& tree, std::size_t branch) {
  return tree.branch_transformer[branch].rated_va > 0.0;
}

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
  const std::vector<double> currents_a = currents_of_buses(tree, FaultSize::largest).three_phase_a;
  std::vector<CheckRow> rows;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const auto bus = static_cast<std::size_t>(tree.branch_to[branch]);
    const double current_a = currents_a[bus];
    const bool interrupts = is_transformer(tree, branch) || std::isfinite(tree.branch_breaking_a[branch]);
    if (!interrupts || tree.branch_normally_closed[branch] == 0 || current_a == 0.0) continue;
    rows.push_back({.kind = CheckRow::Kind::limit,
                    .of = std::string(tree.branch_kind[branch]) + "s",
                    .name = tree.branch_name[branch],
                    .quantity = "fault level of its bus",
                    .why = is_transformer(tree, branch) ? more_than_interrupted : "more than it interrupts",
                    .unit = "A",
                    .value = current_a,
                    .limit = tree.branch_breaking_a[branch]});
  }
  return rows;
}

std::vector<CheckRow> generator_fault_rows(const electrical::PowerTree& tree, bool and_met) {
  const std::vector<double> currents_a = short_circuit_currents_a(tree, FaultFrom::generators, FaultSize::largest);
  std::vector<CheckRow> rows;
  std::vector<int> seen;
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    const int bus = tree.source_bus[source];
    const double limit_a = breaking_capacity_at_bus_a(tree, bus);
    if (tree.source_is_standby[source] == 0 || !std::isfinite(limit_a) || std::ranges::find(seen, bus) != seen.end())
      continue;
    seen.push_back(bus);
    CheckRow row{.kind = CheckRow::Kind::limit,
                 .of = "buses of generators",
                 .name = tree.bus_name[static_cast<std::size_t>(bus)],
                 .quantity = "fault level from its generators alone",
                 .why = more_than_interrupted,
                 .unit = "A",
                 .value = currents_a[static_cast<std::size_t>(bus)],
                 .limit = limit_a};
    if (and_met || !row.is_met()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace wattloop::twin
