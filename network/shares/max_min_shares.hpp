// Max-min fair shares by progressive filling: the rates of all flows rise together; a flow stops at its demand, or where a resource on its
// route is full. A route that is divided fills each resource by its fraction.
//
//   sum over flows of fraction x rate <= bandwidth of each resource
//   each flow has its demand, or a full resource on its route where no other flow has a higher rate (its bottleneck)
//
// Source: [bertsekas1992] section 6.5.2. Verified in tests/verification/network/max_min_shares.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/routing/flow_routes.hpp"

namespace wattloop::network {

inline constexpr std::uint32_t no_bottleneck = 0xFFFFFFFF;

struct FlowShares {
  std::vector<double> rate_b_per_s;       ///< [flows] 0 without a route
  std::vector<std::uint32_t> bottleneck;  ///< [flows] resource, or `no_bottleneck`: its demand, or no route
};

/// demand_b_per_s [flows], may be infinite for flows with a resource on their route.
FlowShares max_min_shares(const FlowRoutes& routes, std::span<const double> demand_b_per_s);

/// Demands of a list of flows.
std::vector<double> demands_b_per_s(std::span<const Flow> flows);

}  // namespace wattloop::network
