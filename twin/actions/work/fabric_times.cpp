#include "twin/actions/work/fabric_times.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "network/collectives/collective_time.hpp"
#include "network/shares/max_min_shares.hpp"
#include "twin/actions/work/rail_times.hpp"

namespace wattloop::twin {

namespace {

using workload::Exchange;
using workload::RankGroup;

network::Flow flow_of(const RankPlace& from, const RankPlace& to) { return {from.node, from.gpu, to.node, to.gpu}; }

/// Each rank sends to the one that is `stride` further.
GroupPaths message_paths(const network::Fabric& fabric, std::span<const RankPlace> ranks, int stride) {
  GroupPaths paths{.inside = 2, .beyond = 1, .flows = {}};
  for (std::size_t rank = 0; rank + static_cast<std::size_t>(stride) < ranks.size(); ++rank) {
    const RankPlace &from = ranks[rank], &to = ranks[rank + static_cast<std::size_t>(stride)];
    if (fabric.nvlink_domain(from.node) != fabric.nvlink_domain(to.node)) paths.flows.push_back(flow_of(from, to));
  }
  if (!paths.flows.empty()) paths.inside = 1, paths.beyond = 2;
  return paths;
}

/// Ranks of one group, domain by domain in the order of their first ranks.
void add_group(const network::Fabric& fabric, std::span<const RankPlace> members, GroupPaths& paths) {
  std::vector<std::size_t> domains;
  std::vector<std::vector<RankPlace>> of_domain;
  for (const RankPlace& member : members) {
    const std::size_t domain = fabric.nvlink_domain(member.node);
    std::size_t place = domains.size();
    if (!domains.empty() && domains.back() == domain)
      --place;  // as nearly always
    else
      place = static_cast<std::size_t>(std::ranges::find(domains, domain) - domains.begin());
    if (place == domains.size()) domains.push_back(domain), of_domain.emplace_back();
    of_domain[place].push_back(member);
  }
  paths.beyond = std::max(paths.beyond, static_cast<int>(domains.size()));
  // As many rings as the domain with the fewest ranks has adapters.
  std::size_t rings = of_domain.front().size();
  for (const std::vector<RankPlace>& of_one : of_domain) rings = std::min(rings, of_one.size());
  paths.inside = std::min(paths.inside, static_cast<int>(rings));
  for (std::size_t d = 0; d < domains.size() && domains.size() > 1; ++d) {
    for (std::size_t k = 0; k < rings; ++k)
      paths.flows.push_back(flow_of(of_domain[d][k], of_domain[(d + 1) % domains.size()][k]));
  }
}

}  // namespace

std::vector<RankPlace> ranks_on_nodes(std::span<const std::size_t> nodes, std::size_t gpus_per_node) {
  std::vector<RankPlace> ranks;
  ranks.reserve(nodes.size() * gpus_per_node);
  for (const std::size_t node : nodes) {
    for (std::size_t gpu = 0; gpu < gpus_per_node; ++gpu)
      ranks.push_back({static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(gpu)});
  }
  return ranks;
}

GroupPaths group_paths(const network::Fabric& fabric, std::span<const RankPlace> ranks, Exchange exchange,
                       const RankGroup& group) {
  if (exchange == Exchange::point_to_point) return message_paths(fabric, ranks, group.stride);
  const auto count = static_cast<std::size_t>(std::max(1, group.ranks)),
             stride = static_cast<std::size_t>(group.stride);
  GroupPaths paths{.inside = group.ranks, .beyond = 1, .flows = {}};
  std::vector<RankPlace> members;
  for (std::size_t first = 0; first < ranks.size(); first += count * stride) {
    for (std::size_t offset = 0; offset < stride; ++offset) {
      members.clear();
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t rank = first + offset + k * stride;
        if (rank < ranks.size()) members.push_back(ranks[rank]);
      }
      if (!members.empty()) add_group(fabric, members, paths);
    }
  }
  return paths;
}

FabricTimes::FabricTimes(const FabricNow& fabric, std::vector<RankPlace> ranks, std::vector<network::Flow> others)
    : fabric_(fabric), ranks_(std::move(ranks)), others_(std::move(others)), links_(fabric.hall.links) {
  const std::vector<double>& fractions = fabric.router.health().nvlink_fraction;
  const auto gpus = static_cast<std::size_t>(fabric.hall.fabric.params.gpus_per_node);
  double least = 1.0;
  for (const RankPlace& rank : ranks_) least = std::min(least, fractions[rank.node * gpus + rank.gpu]);
  links_.inside.bandwidth_b_per_s *= least;
  links_.inside.in_switch_bandwidth_b_per_s *= least;
}

std::vector<network::LinkLevel> FabricTimes::find_levels(Exchange exchange, const RankGroup& group) const {
  GroupPaths paths = group_paths(fabric_.hall.fabric, ranks_, exchange, group);
  std::vector<network::LinkLevel> levels;
  if (paths.inside > 1 || paths.beyond < 2) levels.push_back(links_.inside), levels.back().members = paths.inside;
  if (paths.beyond < 2) return levels;
  const std::size_t own = paths.flows.size();
  paths.flows.insert(paths.flows.end(), others_.begin(), others_.end());
  const network::FlowRoutes routes = fabric_.router.routes(paths.flows);
  const network::FlowShares shares = network::max_min_shares(routes, network::demands_b_per_s(paths.flows));
  double least_b_per_s = std::numeric_limits<double>::infinity();
  for (std::size_t flow = 0; flow < own; ++flow) least_b_per_s = std::min(least_b_per_s, shares.rate_b_per_s[flow]);
  levels.push_back(links_.beyond);
  levels.back().members = paths.beyond;
  levels.back().bandwidth_b_per_s = least_b_per_s * fabric_.hall.efficiency_fraction;
  return levels;
}

std::vector<network::LinkLevel> FabricTimes::levels_of(Exchange exchange, const RankGroup& group) const {
  const bool is_message = exchange == Exchange::point_to_point;
  for (const Prepared& known : prepared_) {
    if (known.is_message == is_message && known.ranks == group.ranks && known.stride == group.stride)
      return known.levels;
  }
  return prepared_.emplace_back(is_message, group.ranks, group.stride, find_levels(exchange, group)).levels;
}

double FabricTimes::time_s(Exchange exchange, const RankGroup& group, double bytes_b) const {
  const bool reduces_in_switch = exchange == Exchange::all_reduce && links_.inside.in_switch_bandwidth_b_per_s > 0.0;
  const network::Algorithm algorithm =
      reduces_in_switch ? network::Algorithm::in_switch : network::Algorithm::hierarchical;
  return network::collective_time(collective_of(exchange), algorithm, levels_of(exchange, group), bytes_b).sum_s();
}

network::LinkLoads mean_link_loads(const FabricNow& fabric, std::span<const RankPlace> ranks,
                                   std::span<const workload::StepExchange> exchanges, double step_s) {
  std::vector<network::Flow> flows;
  std::vector<double> rate_b_per_s;
  for (const workload::StepExchange& one : exchanges) {
    const GroupPaths paths = group_paths(fabric.hall.fabric, ranks, one.exchange, one.group);
    const double domains = paths.beyond, inside = paths.inside;
    const double ring_b = (domains - 1.0) / domains * one.bytes_b / inside;
    const double sent_b = one.exchange == Exchange::point_to_point ? one.bytes_b
                          : one.exchange == Exchange::all_to_all
                              ? (one.group.ranks - inside) / one.group.ranks * one.bytes_b
                          : one.exchange == Exchange::all_reduce ? 2.0 * ring_b
                                                                 : ring_b;
    flows.insert(flows.end(), paths.flows.begin(), paths.flows.end());
    rate_b_per_s.insert(rate_b_per_s.end(), paths.flows.size(), sent_b * one.count / step_s);
  }
  return fabric.router.loads(fabric.router.routes(flows), rate_b_per_s);
}

std::vector<double> switch_traffic(const network::Fabric& fabric, const network::LinkLoads& loads) {
  std::vector<double> traffic(fabric.switch_count(), 0.0);
  for (std::size_t link = 0; link < fabric.link_count(); ++link) {
    const double load_b_per_s = 0.5 * (loads.up_b_per_s[link] + loads.down_b_per_s[link]);
    traffic[fabric.link_upper[link]] += load_b_per_s;
    if (link >= fabric.tier_link[1]) traffic[fabric.link_lower[link]] += load_b_per_s;
  }
  for (double& load : traffic) load /= fabric.params.radix * fabric.params.link_b_per_s;
  return traffic;
}

}  // namespace wattloop::twin
