#include "twin/actions/work/rail_times.hpp"

#include <array>

namespace wattloop::twin {

double RailTimes::time_s(workload::Exchange exchange, const workload::RankGroup& group, double bytes_b) const {
  static constexpr std::array operations{network::Collective::all_reduce, network::Collective::reduce_scatter,
                                         network::Collective::all_gather, network::Collective::all_to_all,
                                         network::Collective::point_to_point};
  const auto levels = network::levels_of_group(links_, group.ranks, group.stride);
  return network::collective_time(operations[static_cast<std::size_t>(exchange)], network::Algorithm::hierarchical,
                                  levels, bytes_b)
      .sum_s();
}

network::Links links_of_nodes(int gpus_per_node) {
  return {.inside = {.members = gpus_per_node, .bandwidth_b_per_s = 370e9, .latency_s = 2e-6},
          .beyond = {.bandwidth_b_per_s = 48e9, .latency_s = 5e-6}};
}

}  // namespace wattloop::twin
