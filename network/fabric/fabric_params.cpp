// Finds mistakes in the parameters of a fabric: first in each number, then in the shape that the numbers define.
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "network/fabric/fabric_params.hpp"
#include "network/fabric/fabric_shape.hpp"

namespace wattloop::network {

namespace {

using Sentences = std::vector<std::string>;

constexpr std::int64_t most_ports = 4'000'000;

void check_counts(const FabricParams& params, Sentences& mistakes) {
  if (params.nodes < 1) mistakes.push_back(fmt::format("a fabric needs at least 1 node, not {}", params.nodes));
  if (params.radix < 4 || params.radix % 2 != 0)
    mistakes.push_back(fmt::format("the radix of a fabric must be even and at least 4, not {}", params.radix));
  if (params.radix > 65'534) mistakes.push_back(fmt::format("a radix of {} is more than 65534", params.radix));
  if (params.rails < 1) mistakes.push_back(fmt::format("a fabric needs at least 1 rail, not {}", params.rails));
  if (params.rails > 0 && (params.gpus_per_node < 1 || params.gpus_per_node % params.rails != 0))
    mistakes.push_back(
        fmt::format("{} GPUs of a node cannot be divided among {} rails", params.gpus_per_node, params.rails));
  if (params.tiers < 0 || params.tiers == 1 || params.tiers > 8)
    mistakes.push_back(fmt::format("a fabric has 2 to 8 tiers, not {}", params.tiers));
  if (params.nodes > 0 && params.rails > 0 && std::int64_t{params.nodes} * params.rails > most_ports)
    mistakes.push_back(
        fmt::format("{} nodes with {} rails have more than {} ports", params.nodes, params.rails, most_ports));
  if (params.manager_ports < 0)
    mistakes.push_back(fmt::format("manager ports must be 0 or more, not {}", params.manager_ports));
  if (params.island_nodes < 0)
    mistakes.push_back(fmt::format("an island needs at least 1 node, not {}", params.island_nodes));
  const int domain = params.nvlink_domain_gpus;
  if (params.gpus_per_node > 0 && (domain < 1 || domain % params.gpus_per_node != 0))
    mistakes.push_back(fmt::format("an NVLink domain of {} GPUs does not consist of whole nodes of {} GPUs", domain,
                                   params.gpus_per_node));
}

void check_ratios(const FabricParams& params, Sentences& mistakes) {
  for (std::size_t tier = 0; tier < params.oversubscription.size(); ++tier) {
    const double ratio = params.oversubscription[tier];
    if (!(ratio >= 1.0) || !std::isfinite(ratio))
      mistakes.push_back(
          fmt::format("the oversubscription of tier {} must be at least 1, not {:.6g}", tier + 1, ratio));
  }
  if (!(params.link_b_per_s > 0.0) || !std::isfinite(params.link_b_per_s))
    mistakes.push_back("the bandwidth of a link must be positive");
  if (!(params.nvlink_b_per_s > 0.0) || !std::isfinite(params.nvlink_b_per_s))
    mistakes.push_back("the bandwidth of NVLink must be positive");
}

void check_shape(const FabricParams& params, const FabricShape& shape, Sentences& mistakes) {
  if (params.island_nodes > 0 && params.island_nodes % shape.unit_nodes != 0)
    mistakes.push_back(fmt::format("an island of {} nodes does not consist of whole units of {} nodes",
                                   params.island_nodes, shape.unit_nodes));
  const int places = shape.units * shape.unit_nodes - params.nodes;
  const std::int64_t free_ports = std::int64_t{places} * params.rails;
  if (params.manager_ports > free_ports)
    mistakes.push_back(fmt::format("{} manager ports are more than the {} free ports of the leaves",
                                   params.manager_ports, free_ports));
}

}  // namespace

std::vector<std::string> mistakes_in(const FabricParams& params) {
  Sentences mistakes;
  check_counts(params, mistakes);
  check_ratios(params, mistakes);
  if (params.spines == SpineLayout::by_rail) {
    if (params.island_nodes > 0) mistakes.push_back("spines by rail have no islands: write only one of the two");
    if (params.kind == FabricKind::ethernet_clos)
      mistakes.push_back("spines by rail need a leaf for each rail, but a Clos network has one leaf for all rails");
    if (params.tiers > 3) mistakes.push_back(fmt::format("spines by rail have 2 or 3 tiers, not {}", params.tiers));
  }
  if (!mistakes.empty()) return mistakes;
  const std::optional<FabricShape> shape = find_shape(params, mistakes);
  if (shape) check_shape(params, *shape, mistakes);
  return mistakes;
}

}  // namespace wattloop::network
