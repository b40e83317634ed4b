// Routes of flows through a fabric of one health, and the loads of its links. A router is built where the topology changes; routes and loads
// follow from it where the placement changes. The same fabric, health, rule and flows give the same bits.
//
//   adaptive   a flow is a fluid that each switch divides by bandwidth (network/routing/toward_leaf.hpp); switches in equal positions are one
//   balanced   as adaptive, and the links between the switches of two blocks are loaded alike though cables are not dealt equally: what
//              adaptive routing would reach at best, and a short route in the largest fabrics
//   fixed      one path, as in the tables of a subnet manager (d mod k): the receiving node chooses the spine, its leaf the core
//   hashed     one path: the cable is chosen by a hash of sender, receiver, switch and seed, as ECMP does
//
// Inside an NVLink domain, a flow passes NVLink alone. Where sender and receiver have different rails that no switch connects, the flow
// changes to the rail of the receiver over NVLink. Where a port or a leaf has failed, it is divided by bandwidth among all rails that lead
// to the receiver. Verified in tests/verification/network/link_loads.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/routing/toward_leaf.hpp"

namespace wattloop::network {

struct RoutingRule {
  enum class Kind { adaptive, balanced, fixed, hashed };
  Kind kind = Kind::adaptive;
  std::uint64_t seed = 1;  ///< of hashed paths

  bool is_fluid() const { return kind == Kind::adaptive || kind == Kind::balanced; }
};

struct LinkLoads {
  std::vector<double> up_b_per_s;          ///< [links] toward the upper switch
  std::vector<double> down_b_per_s;        ///< [links]
  std::vector<double> nvlink_out_b_per_s;  ///< [nodes * gpus_per_node]
  std::vector<double> nvlink_in_b_per_s;
};

class Router {
 public:
  /// The fabric must outlive the router.
  Router(const Fabric& fabric, FabricHealth health, RoutingRule rule = {});

  /// Nodes and GPUs of flows must exist.
  FlowRoutes routes(std::span<const Flow> flows) const;

  /// Loads of all links and NVLinks for so much of each flow. rate_b_per_s [flows]
  LinkLoads loads(const FlowRoutes& routes, std::span<const double> rate_b_per_s) const;

  const Fabric& fabric() const { return *fabric_; }
  const FabricHealth& health() const { return health_; }
  const EqualPositions& positions() const { return positions_; }
  const std::vector<double>& resource_b_per_s() const { return resource_b_per_s_; }

  /// Numbers of the resources that a link belongs to: up, and one more down.
  std::uint32_t resource_of_link(std::size_t link) const;
  std::uint32_t resource_of_nvlink(std::size_t gpu) const {
    return first_nvlink_ + 2 * static_cast<std::uint32_t>(gpu);
  }

 private:
  struct Ends;
  struct Work;
  bool is_direct(const Flow& flow) const;
  Ends ends_of(const Flow& flow, std::size_t from_rail, std::size_t to_rail) const;
  void add_paths(std::span<const Flow> flows, const std::vector<Ends>& ends, Work& work, FlowRoutes& routes) const;
  void add_direct(const Flow& flow, std::size_t number, FlowRoutes& routes) const;
  void add_detour(const Flow& flow, Work& work, FlowRoutes& routes) const;
  bool add_way(const Flow& flow, const Ends& ends, double fraction, Work& work, std::vector<RouteShare>& shares) const;
  void add_path(std::uint32_t from_leaf, const Flow& flow, Work& work, std::vector<RouteShare>& shares) const;

  const Fabric* fabric_;
  FabricHealth health_;
  RoutingRule rule_;
  EqualPositions positions_;
  std::vector<double> port_b_per_s_;  ///< [links of nodes] that are live
  std::vector<double> resource_b_per_s_;
  std::uint32_t first_bundle_ = 0;  ///< resource of bundle 0, of fluids
  std::uint32_t first_nvlink_ = 0;
};

}  // namespace wattloop::network
