// The modelled fabric of a hall: nodes of the hall are its nodes, in order; its switches are in the network racks, tier by tier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "network/collectives/link_levels.hpp"
#include "network/fabric/fabric_health.hpp"
#include "network/routing/router.hpp"

namespace wattloop::twin {

/// Switches of a tier in an island; of the top tier all.
struct FabricBlock {
  int tier = 0;
  int island = network::no_island;  ///< counted from 0
  std::size_t switches = 0;
  std::size_t links = 0;  ///< down to nodes or to the tier below
};

struct HallFabric {
  network::Fabric fabric;
  network::RoutingRule rule;
  network::Links links;                     ///< as collectives see them while nothing has failed
  double efficiency_fraction = 1.0;         ///< of the bandwidth of cables that collectives reach
  double reroute_s = 0.0;                   ///< from a failure or a repair until routes follow it
  double typical_fraction = 0.0;            ///< load of ports of nodes whose work does not say what it sends
  double counted_w = 0.0;                   ///< of switches of other networks in each network rack
  double adapter_w = 0.0;                   ///< of a network adapter of a node, part of the power of the node
  std::vector<std::uint32_t> first_switch;  ///< [network racks + 1] switches of a rack follow one another

  std::vector<FabricBlock> blocks;             ///< tier by tier from the leaves, island by island
  std::vector<std::uint32_t> block_of_switch;  ///< [switches]

  std::size_t part_count() const;
  std::size_t rack_of_switch(std::size_t number) const;
};

/// Components by one number, in this order: switches, links, NVLink ports of GPUs, rails.
std::size_t part_number(const network::Fabric& fabric, const network::Component& component);
network::Component component_of(const network::Fabric& fabric, std::size_t part);

/// What a component has lost: 100 % of one that failed.
struct FabricLoss {
  std::uint32_t part = 0;
  std::uint8_t percent = 0;

  bool is_failed() const { return percent == 100; }
  friend bool operator==(const FabricLoss&, const FabricLoss&) = default;
};

/// "leaf.island_3", "core".
std::string block_name(const HallFabric& hall, std::size_t block);

/// Finds `blocks` and `block_of_switch`.
void divide_in_blocks(HallFabric& hall);

network::FabricHealth health_with(const network::Fabric& fabric, std::span<const FabricLoss> losses);

}  // namespace wattloop::twin
