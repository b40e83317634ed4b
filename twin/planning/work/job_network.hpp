// The network that jobs of a scenario are planned on: its modelled fabric while nothing has failed and no other job sends, or rails of adapters.
//
// Documented in docs/models/transformer.md.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "network/collectives/link_levels.hpp"
#include "twin/actions/work/fabric_times.hpp"
#include "twin/scenario/specs/scenario.hpp"
#include "workload/transformer/training_gpu.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::twin {

/// GPUs of a node with the links that a modelled fabric has by default: 370 GB/s of NVLink by ring, 48 GB/s of an adapter each [nccl_tests].
network::Links links_of_nodes(int gpus_per_node);

/// The same of nodes with that GPU, where its links are known to be others.
network::Links links_of_gpus(const workload::TrainingGpu& gpu, int gpus_per_node);

class JobNetwork {
 public:
  explicit JobNetwork(const Scenario& scenario);

  /// Of a job on these nodes of the hall, in order, without spare ones. The network must outlive it. Rails are those of nodes with `gpu`.
  std::unique_ptr<const workload::CommunicationTimes> times(std::vector<std::size_t> nodes, int gpus_per_node,
                                                            const workload::TrainingGpu& gpu) const;

  /// GPUs that NVLink connects, of nodes with so many.
  int domain_gpus(int gpus_per_node) const { return domain_gpus_ > 0 ? domain_gpus_ : gpus_per_node; }

 private:
  std::unique_ptr<const HallFabric> hall_;
  std::optional<FabricNow> sound_;
  int domain_gpus_ = 0;
};

}  // namespace wattloop::twin
