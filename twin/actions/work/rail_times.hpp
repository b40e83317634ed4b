// Times of communication of a job over domains of NVLink and rails of adapters that nothing else uses.
//
// Documented in docs/models/collectives.md.
#pragma once

#include "network/collectives/collective_time.hpp"
#include "workload/transformer/communication_times.hpp"

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

}  // namespace wattloop::twin
