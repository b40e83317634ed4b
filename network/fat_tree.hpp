// Switches and cables of a rail-optimised, non-blocking fat tree, by the rule that gives every size published
// for the DGX SuperPOD [superpod_b200_reference_architecture].
//
//   units     U = ceil(nodes / (radix / 2)), built whole; a leaf has one port for each node of its unit
//   tiers     smallest t >= 2 with  L radix / 2 <= 2 (radix / 2)^t; radix 64: 2,048 ports, then 65,536
//   switches  L = rails U in every tier below the top, ceil(L / 2) at the top
//
// Four tiers continue the rule beyond what is published. Verified in tests/verification/power/fat_tree_counts.cpp.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"

namespace wattloop::network {

struct FatTreeParams {
  static constexpr std::string_view kind = "fat_tree";

  int radix = 64;
  int rails = 8;

  static constexpr auto fields() {
    using P = FatTreeParams;
    return std::array{
        Field<P>{&P::radix, "radix", Range::positive,
                 "Ports of a switch, an even number; half of the ports of a leaf lead to nodes."},
        Field<P>{&P::rails, "rails", Range::positive, "Network ports of a node; each port is on a leaf of its own."},
    };
  }
};

/// What must be installed. Tier 0 are the leaves.
struct FatTree {
  int scalable_units = 0;
  std::vector<int> switches;  ///< [tiers]
  std::vector<int> cables;    ///< [tiers], down from the tier; tier 0: between leaves and nodes

  int leaf_switches() const { return at(0); }
  int spine_switches() const { return at(1); }
  int core_switches() const { return at(2); }  ///< 0 with two tiers
  int all_switches() const;

 private:
  int at(std::size_t tier) const { return tier < switches.size() ? switches[tier] : 0; }
};

/// The tree for so many nodes. Throws std::invalid_argument if they are negative, without rails, or where the
/// radix is odd or below 4.
FatTree fat_tree(const FatTreeParams& params, int nodes);

}  // namespace wattloop::network
