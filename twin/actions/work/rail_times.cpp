#include "twin/actions/work/rail_times.hpp"

#include <array>

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

}  // namespace wattloop::twin
