#include "workload/queue/placement.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace wattloop::workload {

namespace {

using Nodes = std::vector<std::uint32_t>;

std::uint32_t domain_of(const ClusterNodes& cluster, std::uint32_t node) {
  return cluster.domain_of_node.empty() ? 0 : cluster.domain_of_node[node];
}

/// The first nodes of each domain, as many as it has power for.
void keep_within_budgets(const ClusterNodes& cluster, const PowerBudget& budget, Nodes& nodes) {
  if (budget.free_power_w.empty()) return;
  std::vector<std::size_t> left(budget.free_power_w.size());
  for (std::size_t domain = 0; domain < left.size(); ++domain) left[domain] = budget.nodes(domain);
  std::erase_if(nodes, [&](std::uint32_t node) {
    std::size_t& of_domain = left[domain_of(cluster, node)];
    const bool has_power = of_domain > 0;
    if (has_power) --of_domain;
    return !has_power;
  });
}

/// [rack] those of its nodes that are given.
std::vector<Nodes> by_rack(const ClusterNodes& cluster, const Nodes& nodes) {
  std::vector<Nodes> racks;
  for (const std::uint32_t node : nodes) {
    const std::uint32_t rack = cluster.rack_of_node[node];
    if (rack >= racks.size()) racks.resize(rack + 1);
    racks[rack].push_back(node);
  }
  return racks;
}

/// From the shortest run of numbers that has as many, the first of equal ones; where none has, the first nodes.
void take_run(const Nodes& rack, std::size_t count, Nodes& taken) {
  std::size_t best = 0, best_length = std::numeric_limits<std::size_t>::max();
  for (std::size_t first = 0, end = 0; first < rack.size(); first = end) {
    for (end = first + 1; end < rack.size() && rack[end] == rack[end - 1] + 1;) ++end;
    const std::size_t length = end - first;
    if (length >= count && length < best_length) std::tie(best, best_length) = std::tuple(first, length);
  }
  taken.insert(taken.end(), rack.begin() + best, rack.begin() + best + count);
}

/// The fullest rack that has all nodes that are left to find; where none has, all of the emptiest, and so on.
Nodes packed(const ClusterNodes& cluster, const Nodes& nodes, std::size_t count) {
  std::vector<Nodes> racks = by_rack(cluster, nodes);
  Nodes taken;
  while (taken.size() < count) {
    const std::size_t missing = count - taken.size();
    Nodes* best = nullptr;
    for (Nodes& rack : racks) {
      const bool has_all = rack.size() >= missing, best_has_all = best != nullptr && best->size() >= missing;
      if (best == nullptr || (has_all && (!best_has_all || rack.size() < best->size())) ||
          (!has_all && !best_has_all && rack.size() > best->size())) {
        best = &rack;
      }
    }
    take_run(*best, std::min(missing, best->size()), taken);
    best->clear();
  }
  return taken;
}

/// As many of each rack as possible, those that have most first where one more is too many for all.
Nodes spread(const ClusterNodes& cluster, const Nodes& nodes, std::size_t count) {
  std::vector<Nodes> racks = by_rack(cluster, nodes);
  std::ranges::stable_sort(racks, std::greater{}, &Nodes::size);
  Nodes taken;
  for (std::size_t round = 0; taken.size() < count; ++round) {
    for (const Nodes& rack : racks) {
      if (rack.size() <= round || taken.size() == count) break;
      taken.push_back(rack[round]);
    }
  }
  return taken;
}

/// One node after the other from the domain that has most power left.
Nodes by_power(const ClusterNodes& cluster, const PlacementAsk& ask, const Nodes& nodes) {
  struct Domain {
    double free_w;
    std::size_t next = 0;
    Nodes nodes = {};
  };
  std::vector<Domain> domains;
  for (const double free_w : ask.budget.free_power_w) domains.push_back({.free_w = free_w});
  for (const std::uint32_t node : nodes) domains[domain_of(cluster, node)].nodes.push_back(node);
  Nodes taken;
  while (taken.size() < ask.nodes) {
    Domain* best = nullptr;
    for (Domain& domain : domains) {
      const bool has_node = domain.next < domain.nodes.size();
      if (has_node && (best == nullptr || domain.free_w > best->free_w)) best = &domain;
    }
    taken.push_back(best->nodes[best->next++]);
    best->free_w -= ask.budget.node_power_w;
  }
  return taken;
}

Nodes chosen(const ClusterNodes& cluster, const PlacementAsk& ask, const Nodes& nodes) {
  switch (ask.policy) {
    case PlacementPolicy::packed:
      break;
    case PlacementPolicy::spread:
      return spread(cluster, nodes, ask.nodes);
    case PlacementPolicy::coolest:
      return {nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(ask.nodes)};
    case PlacementPolicy::power:
      if (!ask.budget.free_power_w.empty()) return by_power(cluster, ask, nodes);
  }
  return packed(cluster, nodes, ask.nodes);
}

}  // namespace

std::size_t PowerBudget::nodes(std::size_t domain) const {
  constexpr double rounding = 1e-9;  // of sums of watts
  constexpr double most = 4e9;
  if (free_power_w.empty() || node_power_w <= 0.0) return static_cast<std::size_t>(most);
  return static_cast<std::size_t>(std::clamp(free_power_w[domain] / node_power_w + rounding, 0.0, most));
}

std::vector<std::uint32_t> place(const ClusterNodes& cluster, const PlacementAsk& ask, Nodes nodes) {
  if (ask.policy == PlacementPolicy::coolest) {
    std::ranges::sort(nodes, {}, [&](std::uint32_t node) { return std::pair(ask.node_rank[node], node); });
  }
  keep_within_budgets(cluster, ask.budget, nodes);
  if (nodes.size() < ask.nodes) return {};
  Nodes taken = chosen(cluster, ask, nodes);
  std::ranges::sort(taken);
  return taken;
}

}  // namespace wattloop::workload
