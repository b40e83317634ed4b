// What a fabric is built of: ports, rails, tiers, islands. The shape follows from these numbers (network/fabric/fabric_shape.hpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/parts/field.hpp"

namespace wattloop::network {

enum class FabricKind {
  fat_tree,       ///< rail-optimised: each rail of a unit of nodes has a leaf of its own
  ethernet_clos,  ///< all ports of a node are on one leaf, at the top of its rack
};

enum class SpineLayout {
  shared,   ///< a spine has links to the leaves of all rails
  by_rail,  ///< a spine has links to leaves of one rail; with two tiers, each rail is a network of its own
};

struct FabricParams {
  FabricKind kind = FabricKind::fat_tree;
  int nodes = 0;
  int radix = 64;         ///< ports of a switch, even
  int rails = 8;          ///< network ports of a node
  int gpus_per_node = 8;  ///< a multiple of the rails
  int tiers = 0;          ///< of switches; 0: as few as reach all nodes
  /// [tiers below the top] bandwidth down over bandwidth up of a switch; what is left out is 1.
  std::vector<double> oversubscription = {};
  int island_nodes = 0;  ///< nodes of a block below the top tier; 0: as many as one block reaches, in equal blocks
  SpineLayout spines = SpineLayout::shared;
  bool has_equal_links = false;   ///< between a switch and each of its upper switches, even where ports stay free
  int manager_ports = 0;          ///< ports of leaves that lead to fabric managers
  double link_b_per_s = 50e9;     ///< of one cable, in each direction
  int nvlink_domain_gpus = 8;     ///< GPUs that NVLink connects; a multiple of the GPUs of a node
  double nvlink_b_per_s = 450e9;  ///< of one GPU, in each direction

  /// What users state of it; kind, ratios and spines have forms of their own, nodes and GPUs are those of the hall.
  static constexpr auto fields() {
    using P = FabricParams;
    return std::array{
        Field<P>{&P::tiers, "tiers", Range::non_negative,
                 "Number of tiers of switches, 2 to 8; 0: the smallest number that reaches all nodes."},
        Field<P>{&P::island_nodes, "island", Range::non_negative,
                 "Nodes of an island, a block below the top tier; 0: as few equal islands as possible."},
        Field<P>{
            &P::has_equal_links, "equal_links",
            "true: a switch has the same number of links to each of its upper switches, even if ports stay unused."},
        Field<P>{&P::manager_ports, "manager_ports", Range::non_negative,
                 "Ports of leaves that lead to fabric managers."},
        Field<P>{&P::link_b_per_s, "link", "B/s", Range::positive,
                 "Bandwidth of a cable in each direction: 400 Gbit/s."},
    };
  }
};

/// What no fabric can be built of, a sentence each. Empty if nothing is.
std::vector<std::string> mistakes_in(const FabricParams& params);

}  // namespace wattloop::network
