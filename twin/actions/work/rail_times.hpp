// Times of communication of a job over domains of NVLink and rails of adapters that nothing else uses.
//
// Documented in docs/models/collectives.md.
#pragma once

#include "network/collectives/collective_time.hpp"
#include "workload/transformer/communication_times.hpp"
#include "workload/transformer/training_gpu.hpp"

namespace wattloop::twin {

/// What `network` calls an exchange that `workload` asks for.
network::Collective collective_of(workload::Exchange exchange);

/// What `workload` asks, `network` answers, by hierarchical algorithms.
class RailTimes final : public workload::CommunicationTimes {
 public:
  explicit RailTimes(const network::Links& links) : links_(links) {}
  double time_s(workload::Exchange exchange, const workload::RankGroup& group, double bytes_b) const override;

 private:
  network::Links links_;
};

/// GPUs of a node with the links that a modelled fabric has by default: 370 GB/s of NVLink by ring, 48 GB/s of an adapter each [nccl_tests].
network::Links links_of_nodes(int gpus_per_node);

/// The same of nodes with that GPU, where its links are known to be others.
network::Links links_of_gpus(const workload::TrainingGpu& gpu, int gpus_per_node);

}  // namespace wattloop::twin
