// Routes to one leaf over live links: up until a switch has the leaf below it, then down. No other way is taken.
//
//   C(v) = sum over links down to it of min(b_link, C(below))     switch v above the leaf; C(leaf) = infinity
//   C(v) = sum over links up of min(b_link, C(above))             any other switch
//
// C is the bandwidth of all shortest paths from v to the leaf, as far as each link limits its own. An adaptive route divides a flow at each
// switch in proportion to the terms of this sum: equally over all equal-cost paths where all links are sound. Verified in
// tests/verification/network/link_loads.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/routing/equal_positions.hpp"
#include "network/routing/flow_routes.hpp"

namespace wattloop::network {

/// A switch on a single path that has several cables to go on.
struct Hop {
  std::uint32_t at;               ///< switch
  std::uint32_t number;           ///< hops before
  std::uint32_t count;            ///< cables
  std::uint32_t to_leaf;          ///< receiving leaf
  std::uint32_t first_cable = 0;  ///< that was chosen at the sending leaf
  std::uint32_t first_count = 1;  ///< cables there
  bool is_up = true;
};

/// Chooses one of `hop.count` cables.
using CableChoice = std::uint32_t (*)(const Flow& flow, const Hop& hop, std::uint64_t seed);

/// Workspace for one leaf after the other.
class TowardLeaf {
 public:
  TowardLeaf(const Fabric& fabric, const EqualPositions& positions);

  void turn_to(std::uint32_t leaf);

  /// C of a class of switches; 0: no way leads on to the leaf.
  double capacity_b_per_s(std::uint32_t from);

  /// Fractions of an adaptive flow, appended: resource 2 * bundle up, 2 * bundle + 1 down. The leaf `from` is another and has a way.
  void add_adaptive(std::uint32_t from, std::vector<RouteShare>& shares);

  /// The links of one path, appended: resource 2 * link up, 2 * link + 1 down. The leaf `from` is another and has a way.
  void add_single(std::uint32_t from, const Flow& flow, CableChoice choose, std::uint64_t seed,
                  std::vector<RouteShare>& shares);

 private:
  bool is_above(std::uint32_t one) const { return above_stamp_[one] == stamp_; }
  double term_up(std::size_t bundle);
  double term_down(std::size_t bundle) const;
  void move(std::uint32_t to, double fraction, std::vector<std::uint32_t>& moved);
  std::uint32_t choose_up(const Flow& flow, Hop& hop, CableChoice choose, std::uint64_t seed);
  std::uint32_t choose_down(const Flow& flow, Hop& hop, CableChoice choose, std::uint64_t seed);

  const Fabric* fabric_;
  const EqualPositions* positions_;
  std::uint32_t leaf_ = no_class;
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> above_stamp_, rise_stamp_;            ///< [classes]
  std::vector<double> capacity_, rise_;                            ///< [classes]
  std::vector<double> inflow_;                                     ///< [classes] 0 between calls
  std::vector<std::uint32_t> above_;                               ///< classes that have the leaf below them, by tier
  std::vector<std::vector<std::uint32_t>> moved_up_, moved_down_;  ///< [tiers]
};

}  // namespace wattloop::network
