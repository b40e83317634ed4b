// Which of the nodes that a job can have it gets. Documented in docs/models/scheduler.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wattloop::workload {

/// `packed`: in few racks; `spread`: evenly over racks; `coolest`: by rank of nodes; `power`: by free power of domains.
enum class PlacementPolicy : std::uint8_t { packed, spread, coolest, power };

/// Nodes as they stand and do not change.
struct ClusterNodes {
  std::vector<std::uint32_t> rack_of_node = {};
  std::vector<std::uint32_t> domain_of_node = {};  ///< of power; empty: one for all
};

/// What a node of a job may draw in each domain.
struct PowerBudget {
  std::span<const double> free_power_w = {};  ///< [domain]; empty: no budgets
  double node_power_w = 0.0;                  ///< of the job

  /// How many nodes a domain has power for.
  std::size_t nodes(std::size_t domain) const;
};

struct PlacementAsk {
  PlacementPolicy policy = PlacementPolicy::packed;
  std::size_t nodes = 1;
  std::span<const double> node_rank = {};  ///< [node] for `coolest`
  PowerBudget budget = {};
};

/// Nodes of a job among those it can have, which ascend; ascending. Empty: too few, or too little power.
std::vector<std::uint32_t> place(const ClusterNodes& cluster, const PlacementAsk& ask,
                                 std::vector<std::uint32_t> nodes);

}  // namespace wattloop::workload
