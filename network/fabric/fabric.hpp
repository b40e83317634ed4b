// A fabric as a graph in flat arrays: nodes, switches, links. It is built once and does not change; what fails is in FabricHealth.
//
// Links of a tier connect a switch of this tier with nodes (tier 0) or with switches one tier below. Cables between the same two
// switches are one link. Cables of all switches of a block are dealt in turn to the switches above: as evenly as their number allows.
//
// Verified in tests/verification/network/fabric_counts.cpp and bisection.cpp. Documented in docs/models/fabric.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/fabric/fabric_shape.hpp"

namespace wattloop::network {

inline constexpr std::int32_t no_island = -1;
inline constexpr std::int32_t no_rail = -1;

struct Fabric {
  FabricParams params;
  FabricShape shape;

  std::vector<std::uint8_t> switch_tier;    ///< [switches]
  std::vector<std::int32_t> switch_island;  ///< [switches] block below the top tier, or `no_island`
  std::vector<std::uint32_t>
      switch_block;  ///< [switches] number of the block whose top the switch belongs to; a leaf: its own
  std::vector<std::int32_t> switch_rail;   ///< [switches] or `no_rail`
  std::vector<std::uint32_t> tier_switch;  ///< [tiers + 1] first switch of a tier

  std::vector<std::uint32_t> link_lower;   ///< [links] node, or manager after all nodes, in tier 0; a switch above
  std::vector<std::uint32_t> link_upper;   ///< [links] switch
  std::vector<std::uint16_t> link_cables;  ///< [links]
  std::vector<std::uint32_t> tier_link;    ///< [tiers + 1] first link of a tier; node n, rail r: link n * rails + r

  std::vector<std::uint32_t> first_up_link;  ///< [switches + 1] links up of a switch are numbered in a row
  std::vector<std::uint32_t> first_down;     ///< [switches + 1] in `down_links`
  std::vector<std::uint32_t> down_links;

  int tiers() const { return shape.tiers(); }
  std::size_t node_count() const { return static_cast<std::size_t>(params.nodes); }
  std::size_t switch_count() const { return switch_tier.size(); }
  std::size_t link_count() const { return link_lower.size(); }
  std::size_t switches_of(int tier) const { return tier_switch[tier + 1] - tier_switch[tier]; }
  std::size_t node_link(std::size_t node, std::size_t rail) const {
    return node * static_cast<std::size_t>(params.rails) + rail;
  }
  std::size_t rail_of_gpu(std::size_t gpu) const { return gpu % static_cast<std::size_t>(params.rails); }
  std::size_t nvlink_domain(std::size_t node) const {
    return node * static_cast<std::size_t>(params.gpus_per_node) / static_cast<std::size_t>(params.nvlink_domain_gpus);
  }
  int link_tier(std::size_t link) const;
  double link_b_per_s(std::size_t link) const { return params.link_b_per_s * link_cables[link]; }
};

/// Throws std::invalid_argument with all of `mistakes_in(params)`, if there is any.
Fabric build_fabric(const FabricParams& params);

/// Cables and switches of a fabric, counted on the graph.
struct FabricCounts {
  std::vector<std::size_t> switches;    ///< [tiers]
  std::vector<std::size_t> cables;      ///< [tiers of links]
  std::vector<std::size_t> most_ports;  ///< [tiers] cables of the switch that has most
};
FabricCounts count_by_traversal(const Fabric& fabric);

}  // namespace wattloop::network
