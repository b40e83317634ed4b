#include "twin/actions/work/rail_times.hpp"

#include <array>

#include "twin/scenario/specs/fabric_spec.hpp"

namespace wattloop::twin {

network::Collective collective_of(workload::Exchange exchange) {
  static constexpr std::array operations{network::Collective::all_reduce, network::Collective::reduce_scatter,
                                         network::Collective::all_gather, network::Collective::all_to_all,
                                         network::Collective::point_to_point};
  return operations[static_cast<std::size_t>(exchange)];
}

double RailTimes::time_s(workload::Exchange exchange, const workload::RankGroup& group, double bytes_b) const {
  const auto levels = network::levels_of_group(links_, group.ranks, group.stride);
  return network::collective_time(collective_of(exchange), network::Algorithm::hierarchical, levels, bytes_b).sum_s();
}

network::Links links_of_gpus(const workload::TrainingGpu& gpu, int gpus_per_node) {
  network::Links links = links_of_nodes(gpus_per_node);
  if (gpu.nvlink_b_per_s > 0.0) {
    links.inside.bandwidth_b_per_s = gpu.nvlink_b_per_s;
    links.inside.in_switch_bandwidth_b_per_s = 0.0;
  }
  if (gpu.adapter_b_per_s > 0.0) links.beyond.bandwidth_b_per_s = gpu.adapter_b_per_s;
  return links;
}

network::Links links_of_nodes(int gpus_per_node) {
  const network::FabricParams params{
      .rails = gpus_per_node, .gpus_per_node = gpus_per_node, .nvlink_domain_gpus = gpus_per_node};
  return sound_links(FabricSpec{}, params);
}

}  // namespace wattloop::twin
