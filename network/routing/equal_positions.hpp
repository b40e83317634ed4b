// Switches in equal positions are one. Each leaf is a class of its own; the other switches are divided into classes until nothing changes, by
// refinement of colours:
//
//   exactly     each switch of a class has links of the same bandwidths to the same classes: a fluid that each switch divides by bandwidth among
//               its links loads all links between two classes alike, whatever nodes send
//   by health   the switches of a tier in a block are one class, however cables are dealt among them; those with links that are slow or dead are
//               classes by these links
//
// So a route is a list of bundles, a few where all is sound. Verified in tests/verification/network/link_loads.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/fabric/fabric_health.hpp"

namespace wattloop::network {

inline constexpr std::uint32_t no_class = 0xFFFFFFFF;
inline constexpr std::uint32_t no_bundle = 0xFFFFFFFF;

enum class Alike { exactly, by_health };

struct EqualPositions {
  std::vector<std::uint32_t>
      switch_class;                      ///< [switches] or `no_class` of a switch that failed; a leaf: see `class_leaf`
  std::vector<std::uint8_t> class_tier;  ///< [classes] ascending
  std::vector<std::uint32_t> class_size;  ///< [classes] switches

  // Bundles: all links of one bandwidth, or of one health, between two classes, ascending by lower class.
  std::vector<std::uint32_t> bundle_lower, bundle_upper;  ///< [bundles] class
  std::vector<std::uint32_t> bundle_links;                ///< [bundles]
  std::vector<double> bundle_link_b_per_s;                ///< [bundles] of one link; by health: their mean
  std::vector<std::uint32_t> first_up;                    ///< [classes + 1] bundles up of a class are numbered in a row
  std::vector<std::uint32_t> first_down, down_bundles;    ///< [classes + 1]; bundles down of a class

  std::vector<std::uint32_t> link_bundle;  ///< [links] or `no_bundle`: a link of a node, or dead

  std::size_t class_count() const { return class_tier.size(); }
  std::size_t bundle_count() const { return bundle_lower.size(); }
  /// Links of a bundle that one switch of its lower or upper class has.
  double links_up(std::size_t bundle) const { return double(bundle_links[bundle]) / class_size[bundle_lower[bundle]]; }
  double links_down(std::size_t bundle) const {
    return double(bundle_links[bundle]) / class_size[bundle_upper[bundle]];
  }
};

EqualPositions find_equal_positions(const Fabric& fabric, const FabricHealth& health, Alike alike = Alike::exactly);

}  // namespace wattloop::network
