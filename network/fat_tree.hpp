// Switch and cable counts of a rail-optimised, non-blocking fat tree, as published for the DGX SuperPOD [superpod_b200_reference_architecture].
//
//   scalable units  U = ceil(nodes / (radix / 2)),   leaves L = rails U        a leaf has one port down to each node of its unit
//   tiers           smallest t with  rails U radix / 2 <= 2 (radix / 2)^t
//   switches        L in every tier below the top, ceil(L / 2) at the top; radix 64: two tiers to 2,048, three to 65,536 ports
//
// A unit is built whole: its leaves stand even where some of its nodes do not. A tree of one leaf tier needs no rule for
// fewer than two tiers: rails always meet in a spine. Four tiers continue the rule beyond what is published.
// Verified in tests/verification/fat_tree_counts.cpp against the published table.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/field.hpp"

namespace wattloop::network {

struct FatTreeParams {
  static constexpr std::string_view kind = "fat_tree";

  int radix = 64;
  int rails = 8;

  static constexpr auto fields() {
    using P = FatTreeParams;
    return std::array{
        Field<P>{&P::radix, "radix", Range::positive,
                 "Ports of a switch, even; half of a leaf's lead to nodes."},
        Field<P>{&P::rails, "rails", Range::positive,
                 "Network ports of a node, each on a leaf of its own."},
    };
  }
};

/// What must be installed. Tier 0 are the leaves.
struct FatTree {
  int scalable_units = 0;
  std::vector<int> switches;  ///< [tiers]
  std::vector<int> cables;    ///< [tiers], between this tier and the one below; tier 0: between leaves and nodes

  int leaf_switches() const { return at(0); }
  int spine_switches() const { return at(1); }
  int core_switches() const { return at(2); }  ///< 0 with two tiers
  int all_switches() const;

 private:
  int at(std::size_t tier) const { return tier < switches.size() ? switches[tier] : 0; }
};

/// The tree for `nodes` nodes. Throws std::invalid_argument for negative nodes, no rails, or a radix odd or below 4.
FatTree fat_tree(const FatTreeParams& params, int nodes);

}  // namespace wattloop::network
