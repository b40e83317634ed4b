// What has failed in a fabric, and what is slow. A value: the same losses are the same health, whatever was lost and repaired before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "network/fabric/fabric_names.hpp"

namespace wattloop::network {

struct FabricHealth {
  std::vector<std::uint8_t> is_failed;  ///< [switches]
  std::vector<double> link_fraction;    ///< [links] of its bandwidth; 0: failed
  std::vector<double> nvlink_fraction;  ///< [nodes * gpus_per_node]

  bool operator==(const FabricHealth&) const = default;
};

FabricHealth all_healthy(const Fabric& fabric);

/// A component with a part of its bandwidth: 0 of one that failed, 1 of one that is sound. Each link of a slow switch is slow.
struct Impairment {
  std::string name;
  double bandwidth_fraction = 0.0;
};

/// A sentence for each name that is unknown or stated twice and for each fraction outside 0 to 1.
std::vector<std::string> mistakes_in(const Fabric& fabric, std::span<const Impairment> impairments);

/// Health of a fabric in which nothing else is wrong. Impairments with mistakes have no effect. Of components inside of one another, the
/// lower fraction counts.
FabricHealth health_with(const Fabric& fabric, std::span<const Impairment> impairments);

/// Bandwidth of a link in each direction; 0 where it or a switch at its ends failed.
double live_b_per_s(const Fabric& fabric, const FabricHealth& health, std::size_t link);

/// Bandwidth of all rails of a node together, in each direction.
double node_b_per_s(const Fabric& fabric, const FabricHealth& health, std::size_t node);

}  // namespace wattloop::network
