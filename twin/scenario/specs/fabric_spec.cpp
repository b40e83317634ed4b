#include "twin/scenario/specs/fabric_spec.hpp"

#include <algorithm>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

namespace {

int gpus_of(const RacksSpec& racks) {
  const auto gpus = std::ranges::find(racks.hardware.units, "gpu", &NodeUnits::name);
  return gpus == racks.hardware.units.end() ? 0 : gpus->count;
}

}  // namespace

bool has_equal_nodes(const Scenario& scenario) {
  return std::ranges::all_of(scenario.racks,
                             [&](const RacksSpec& racks) { return gpus_of(racks) == gpus_per_node(scenario); });
}

int gpus_per_node(const Scenario& scenario) { return gpus_of(scenario.racks.front()); }

network::FabricParams fabric_params(const Scenario& scenario) {
  const FabricSpec& spec = scenario.network.fabric;
  network::FabricParams params = spec.params;
  params.kind = spec.kind == "ethernet_clos" ? network::FabricKind::ethernet_clos : network::FabricKind::fat_tree;
  params.spines = spec.spines == "by_rail" ? network::SpineLayout::by_rail : network::SpineLayout::shared;
  params.nodes = 0;
  for (const RacksSpec& racks : scenario.racks) params.nodes += racks.count * racks.nodes;
  params.radix = scenario.network.tree.radix;
  params.gpus_per_node = gpus_per_node(scenario);
  params.rails = spec.has_rails ? scenario.network.tree.rails : params.gpus_per_node;
  params.nvlink_domain_gpus = spec.nvlink.domain_gpus > 0 ? spec.nvlink.domain_gpus : params.gpus_per_node;
  params.nvlink_b_per_s = spec.nvlink.bandwidth_b_per_s;
  return params;
}

network::RoutingRule routing_rule(const FabricSpec& spec) {
  using Kind = network::RoutingRule::Kind;
  const Kind kind = spec.routing == "adaptive" ? Kind::adaptive
                    : spec.routing == "static" ? Kind::fixed
                    : spec.routing == "hashed" ? Kind::hashed
                                               : Kind::balanced;
  return {.kind = kind, .seed = static_cast<std::uint64_t>(spec.seed)};
}

network::Links sound_links(const FabricSpec& spec, const network::FabricParams& params) {
  return {.inside = {.members = params.nvlink_domain_gpus,
                     .bandwidth_b_per_s = params.nvlink_b_per_s * spec.nvlink.efficiency_fraction,
                     .latency_s = spec.nvlink.latency_s,
                     .in_switch_bandwidth_b_per_s = spec.nvlink.in_switch_b_per_s,
                     .in_switch_latency_s = spec.nvlink.in_switch_latency_s},
          .beyond = {.bandwidth_b_per_s = params.link_b_per_s * spec.efficiency_fraction * params.rails /
                                          std::max(1, params.gpus_per_node),
                     .latency_s = spec.latency_s}};
}

}  // namespace wattloop::twin
