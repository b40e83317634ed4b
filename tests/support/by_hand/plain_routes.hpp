// Adaptive routes by plain recursion over each link of the graph: no classes, no order of flows, nothing remembered. The slow twin of
// network/routing, from the equations of docs/models/fabric.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "network/routing/router.hpp"

namespace wattloop::tests {

struct PlainLoads {
  std::vector<std::uint8_t> has_route;           ///< [flows]
  std::vector<double> up_b_per_s, down_b_per_s;  ///< [links]
};

class PlainRoutes {
 public:
  PlainRoutes(const network::Fabric& fabric, const network::FabricHealth& health)
      : loads{{}, std::vector<double>(fabric.link_count(), 0.0), std::vector<double>(fabric.link_count(), 0.0)},
        fabric_(fabric),
        health_(health) {}

  /// Sends a rate from leaf to leaf; nothing where that is impossible.
  bool send(std::size_t from, std::size_t to, double rate) {
    if (from == to) return health_.is_failed[to] == 0;
    if (!(capacity(from, to) > 0.0)) return false;
    pass(from, to, rate);
    return true;
  }

  double live(std::size_t link) const { return network::live_b_per_s(fabric_, health_, link); }

  PlainLoads loads;

 private:
  double down_capacity(std::size_t at, std::size_t leaf) const {
    if (at == leaf) return std::numeric_limits<double>::infinity();
    double sum = 0.0;
    if (fabric_.switch_tier[at] == 0) return sum;
    for (std::size_t i = fabric_.first_down[at]; i < fabric_.first_down[at + 1]; ++i) {
      const std::size_t link = fabric_.down_links[i];
      if (live(link) > 0.0) sum += std::min(live(link), down_capacity(fabric_.link_lower[link], leaf));
    }
    return sum;
  }

  double capacity(std::size_t at, std::size_t leaf) const {
    const double down = down_capacity(at, leaf);
    if (down > 0.0) return down;
    double sum = 0.0;
    for (std::size_t link = fabric_.first_up_link[at]; link < fabric_.first_up_link[at + 1]; ++link) {
      if (live(link) > 0.0) sum += std::min(live(link), capacity(fabric_.link_upper[link], leaf));
    }
    return sum;
  }

  void pass(std::size_t at, std::size_t leaf, double rate) {
    if (at == leaf || !(rate > 0.0)) return;
    const double down = down_capacity(at, leaf), all = capacity(at, leaf);
    if (down > 0.0) {
      for (std::size_t i = fabric_.first_down[at]; i < fabric_.first_down[at + 1]; ++i) {
        const std::size_t link = fabric_.down_links[i], lower = fabric_.link_lower[link];
        const double part = live(link) > 0.0 ? rate * std::min(live(link), down_capacity(lower, leaf)) / all : 0.0;
        loads.down_b_per_s[link] += part;
        pass(lower, leaf, part);
      }
      return;
    }
    for (std::size_t link = fabric_.first_up_link[at]; link < fabric_.first_up_link[at + 1]; ++link) {
      const double part =
          live(link) > 0.0 ? rate * std::min(live(link), capacity(fabric_.link_upper[link], leaf)) / all : 0.0;
      loads.up_b_per_s[link] += part;
      pass(fabric_.link_upper[link], leaf, part);
    }
  }

  const network::Fabric& fabric_;
  const network::FabricHealth& health_;
};

inline PlainLoads plain_adaptive_loads(const network::Fabric& fabric, const network::FabricHealth& health,
                                       const std::vector<network::Flow>& flows) {
  PlainRoutes plain(fabric, health);
  const auto send_by = [&](const network::Flow& flow, std::size_t from_rail, std::size_t to_rail, double rate) {
    const std::size_t from = fabric.node_link(flow.from_node, from_rail), to = fabric.node_link(flow.to_node, to_rail);
    if (!(plain.live(from) > 0.0) || !(plain.live(to) > 0.0)) return false;
    if (!plain.send(fabric.link_upper[from], fabric.link_upper[to], rate)) return false;
    plain.loads.up_b_per_s[from] += rate;
    plain.loads.down_b_per_s[to] += rate;
    return true;
  };
  for (const network::Flow& flow : flows) {
    const std::size_t from_rail = fabric.rail_of_gpu(flow.from_gpu), to_rail = fabric.rail_of_gpu(flow.to_gpu);
    const auto is_live = [&](std::size_t node, std::size_t rail) {
      return plain.live(fabric.node_link(node, rail)) > 0.0;
    };
    if (fabric.nvlink_domain(flow.from_node) == fabric.nvlink_domain(flow.to_node)) {
      plain.loads.has_route.push_back(1);
      continue;
    }
    bool is_sent = send_by(flow, from_rail, to_rail, flow.demand_b_per_s);
    if (!is_sent && is_live(flow.from_node, from_rail) && is_live(flow.to_node, to_rail))
      is_sent = send_by(flow, to_rail, to_rail, flow.demand_b_per_s);
    if (!is_sent) {
      const auto weight = [&](std::size_t rail) -> double {
        const std::size_t from = fabric.node_link(flow.from_node, rail), to = fabric.node_link(flow.to_node, rail);
        PlainRoutes probe(fabric, health);
        const bool has_way = plain.live(from) > 0.0 && plain.live(to) > 0.0 &&
                             probe.send(fabric.link_upper[from], fabric.link_upper[to], 1.0);
        return has_way ? std::min(plain.live(from), plain.live(to)) : 0.0;
      };
      double sum = 0.0;
      for (std::size_t rail = 0; rail < static_cast<std::size_t>(fabric.params.rails); ++rail) sum += weight(rail);
      for (std::size_t rail = 0; rail < static_cast<std::size_t>(fabric.params.rails); ++rail) {
        if (weight(rail) > 0.0) is_sent = send_by(flow, rail, rail, flow.demand_b_per_s * weight(rail) / sum);
      }
      is_sent = sum > 0.0;
    }
    plain.loads.has_route.push_back(is_sent ? 1 : 0);
  }
  return plain.loads;
}

}  // namespace wattloop::tests
