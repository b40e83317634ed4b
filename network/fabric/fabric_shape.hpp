// Shape of a fabric: tiers, ports of switches, units and islands that follow from its parameters.
//
//   ports       up = ceil(radix / (1 + o)), down = radix - up     o: oversubscription above the switch; top tier: down = radix
//   unit        `down` nodes of a leaf, with one leaf for each rail; a Clos: down / rails nodes with one leaf
//   block       switches of one tier and all below: at most down / (leaves of a unit) units at tier 2, down blocks above
//   top tier    as a block, with all ports down; tiers: the fewest that reach all units
//
// Source: [superpod_b200_reference_architecture]. Verified in tests/verification/network/fabric_counts.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "network/fabric/fabric_params.hpp"

namespace wattloop::network {

/// Ports of the switches of a tier.
struct TierPorts {
  int down = 0;
  int up = 0;  ///< 0 in the top tier
};

struct FabricShape {
  std::vector<TierPorts> ports;  ///< [tiers]
  int units = 0;
  int unit_nodes = 0;
  int unit_leaves = 0;
  int islands = 1;                   ///< blocks below the top tier; two tiers: 1
  std::vector<int> block_units;      ///< [tiers] most units of a block whose top this tier is
  std::vector<std::string> remarks;  ///< tiers or oversubscription that were chosen, a sentence each

  int tiers() const { return static_cast<int>(ports.size()); }
};

/// Nothing where no shape reaches all nodes; the reason is then added to `mistakes`. Each number of `params` must be in its range.
std::optional<FabricShape> find_shape(const FabricParams& params, std::vector<std::string>& mistakes);

}  // namespace wattloop::network
