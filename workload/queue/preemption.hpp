// Which jobs give their nodes to one of higher priority: those that lose the fewest nodes together, of equal ones the youngest.
#pragma once

#include <cstdint>
#include <vector>

#include "workload/queue/job_list.hpp"
#include "workload/queue/node_supply.hpp"
#include "workload/queue/queue_state.hpp"

namespace wattloop::workload {

/// Their slots. Empty: the job could not start if all that it may preempt were preempted.
std::vector<std::uint32_t> slots_to_preempt(const JobList& jobs, const QueueState& queue, const NodeSupply& supply,
                                            std::uint32_t request);

}  // namespace wattloop::workload
