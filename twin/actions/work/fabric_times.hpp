// Times of communication over the fabric of a hall: NVLink inside its domains, cables beyond them.
//
//   inside     bandwidth of NVLink of the GPU that has least of it
//   beyond     bandwidth that each GPU gets for what it sends to the next domain of its group, while all groups of the job send at once and other
//              jobs send what they send: the least of the max-min fair shares of the routes of the present health
//   time       hierarchical over rails (network/collectives/collective_time.hpp); all-reduce in switches where NVLink reduces
//
// Where no fabric is modelled: twin/actions/work/rail_times.hpp. Verified in tests/verification/network/fabric_times.cpp. Documented in
// docs/models/fabric.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "network/routing/router.hpp"
#include "twin/plant/equipment/hall_fabric.hpp"
#include "workload/transformer/communication_times.hpp"
#include "workload/transformer/step_exchanges.hpp"

namespace wattloop::twin {

/// A rank of a job is a GPU; node: counted through the hall.
struct RankPlace {
  std::uint32_t node = 0;
  std::uint32_t gpu = 0;  ///< of the node

  friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// Ranks on all GPUs of nodes, node by node.
std::vector<RankPlace> ranks_on_nodes(std::span<const std::size_t> nodes, std::size_t gpus_per_node);

/// The fabric of a hall in one health. The fabric must outlive it.
struct FabricNow {
  const HallFabric& hall;
  network::Router router;

  FabricNow(const HallFabric& of, network::FabricHealth health)
      : hall(of), router(of.fabric, std::move(health), of.rule) {}
};

/// How the ranks of all groups of one form are joined.
struct GroupPaths {
  int inside = 1;                    ///< ranks of a group in a domain, at least
  int beyond = 1;                    ///< domains of a group, at most
  std::vector<network::Flow> flows;  ///< from each rank to the next domain of its group
};
GroupPaths group_paths(const network::Fabric& fabric, std::span<const RankPlace> ranks, workload::Exchange exchange,
                       const workload::RankGroup& group);

class FabricTimes final : public workload::CommunicationTimes {
 public:
  /// others: what other jobs send meanwhile. The fabric must outlive it.
  FabricTimes(const FabricNow& fabric, std::vector<RankPlace> ranks, std::vector<network::Flow> others = {});

  /// Infinite where ranks of a group cannot reach each other.
  double time_s(workload::Exchange exchange, const workload::RankGroup& group, double bytes_b) const override;

  /// Levels of links of a group, from the inside. Paths of a form of groups are looked up once: of one thread at a time.
  std::vector<network::LinkLevel> levels_of(workload::Exchange exchange, const workload::RankGroup& group) const;

 private:
  struct Prepared {
    bool is_message;
    int ranks, stride;
    std::vector<network::LinkLevel> levels;
  };
  std::vector<network::LinkLevel> find_levels(workload::Exchange exchange, const workload::RankGroup& group) const;

  const FabricNow& fabric_;
  std::vector<RankPlace> ranks_;
  std::vector<network::Flow> others_;
  network::Links links_;
  mutable std::vector<Prepared> prepared_;
};

/// Mean loads of links over a step, in which each rank sends what the exchanges say. All-to-all counts as sent to the next domain. NVLink is left at
/// nothing. step_s > 0
network::LinkLoads mean_link_loads(const FabricNow& fabric, std::span<const RankPlace> ranks,
                                   std::span<const workload::StepExchange> exchanges, double step_s);

/// [switch] load of its ports, both directions, over the bandwidth of all ports that it has.
std::vector<double> switch_traffic(const network::Fabric& fabric, const network::LinkLoads& loads);

}  // namespace wattloop::twin
