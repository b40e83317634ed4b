// Which nodes a fabric connects, and how much it carries between two sides: graph questions, asked of cables that are live.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "network/fabric/fabric_health.hpp"

namespace wattloop::network {

/// Nodes whose ports lead to the same parts of the fabric.
struct NodeGroup {
  std::vector<std::uint32_t> parts;  ///< connected parts of the switches, ascending; empty: no port is live
  std::vector<std::uint32_t> nodes;  ///< ascending
};

/// All nodes, by the parts of the fabric that they reach; in the order of their first nodes. A node passes nothing on from port to port.
/// Nodes of groups that share no part cannot reach each other.
std::vector<NodeGroup> node_groups(const Fabric& fabric, const FabricHealth& health);

bool can_reach(const NodeGroup& one, const NodeGroup& other);

/// A sentence for each two groups that cannot reach each other, and for nodes without a port that is live; empty: the fabric is whole.
/// "node_1 to node_32 and node_40 cannot reach node_33"
std::vector<std::string> cuts_in(const Fabric& fabric, const FabricHealth& health);

/// The highest flow from the nodes of one side to those of the other, over all links in whichever direction: their bisection bandwidth.
/// side [nodes] 0 or 1; any other number takes no part.
double bisection_b_per_s(const Fabric& fabric, const FabricHealth& health, std::span<const std::uint8_t> side);

}  // namespace wattloop::network
