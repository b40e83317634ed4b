// Flows between GPUs, and what they pass: resources with a bandwidth, each with the fraction of the flow that passes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace wattloop::network {

/// What one GPU sends to another. It leaves its node by the rail of the sender and enters by the rail of the receiver.
struct Flow {
  std::uint32_t from_node, from_gpu;
  std::uint32_t to_node, to_gpu;
  double demand_b_per_s = std::numeric_limits<double>::infinity();
};

struct RouteShare {
  std::uint32_t resource;
  double fraction;  ///< of the flow
};

inline constexpr std::uint32_t no_path = 0xFFFFFFFF;

/// Routes of a list of flows. What many flows have in common, the way from leaf to leaf, is stored once, as a path.
struct FlowRoutes {
  std::vector<double> resource_b_per_s;

  std::vector<std::uint8_t> has_route;   ///< [flows] 0: sender and receiver are cut off from each other
  std::vector<std::uint32_t> path;       ///< [flows] or `no_path`
  std::vector<std::uint32_t> first_own;  ///< [flows + 1] in `own`
  std::vector<RouteShare> own;           ///< ports of nodes, NVLink, and all of a route that no other flow has

  std::vector<std::uint32_t> first_of_path;  ///< [paths + 1] in `of_path`
  std::vector<RouteShare> of_path;

  std::size_t flow_count() const { return has_route.size(); }
  std::size_t path_count() const { return first_of_path.size() - 1; }
  std::span<const RouteShare> own_of(std::size_t flow) const {
    return std::span(own).subspan(first_own[flow], first_own[flow + 1] - first_own[flow]);
  }
  std::span<const RouteShare> shares_of(std::size_t one) const {
    return std::span(of_path).subspan(first_of_path[one], first_of_path[one + 1] - first_of_path[one]);
  }
};

}  // namespace wattloop::network
