// Fans of nodes: their controllers look at the air before a rack and at its hottest die at control ticks, and turn fans in steps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "twin/actions/work/coupling.hpp"

namespace wattloop::twin {

/// Controllers of racks whose nodes have them (workload/nodes/server_fans.hpp); all nodes of a rack turn alike. Both arguments must outlive it.
class NodeFans {
 public:
  /// Speeds are given out in such steps, so that a hall with steady work comes to rest.
  static constexpr double step_fraction = 0.01;

  NodeFans(const Plant& plant, const NodeCouplings& nodes);

  /// Moves on by an interval, with dies as `racks` reports [rack]. True if any fan turns faster or slower than before. Those of racks without
  /// supply are left as they are.
  bool act(std::span<const RackDigest> racks, double interval_s, PlantState& state) const;

 private:
  /// By how much the heat of a rack's nodes, but that of their fans, would warm its air at full speed.
  double full_speed_rise_k(const RackPart& rack, const RackDigest& digest) const;

  const Plant& plant_;
  const NodeCouplings& nodes_;
  const std::vector<std::size_t> inlet_signals_;  ///< [rack]
};

}  // namespace wattloop::twin
