// What happens to a job in a queue: it waits, it gets nodes, it gives them back.
#pragma once

#include <cstdint>
#include <span>

#include "workload/queue/job_list.hpp"
#include "workload/queue/queue_state.hpp"

namespace wattloop::workload {

/// It waits: before those of lower priority, and before those of its own that were submitted later.
void enqueue(QueueState& queue, const JobList& jobs, std::uint32_t request);

/// A job that had no nodes yet waits for something from now on.
void note_wait(JobRecord& record, WaitsFor reason, double now_s);

/// It runs on these nodes; the lowest slot that is free. Who calls takes it out of `waiting`.
std::uint32_t give_nodes(QueueState& queue, const JobList& jobs, std::uint32_t request,
                         std::span<const std::uint32_t> nodes, double now_s);

/// The job of a slot gives its nodes back; its number.
std::uint32_t take_nodes(QueueState& queue, std::uint32_t slot, double now_s);

}  // namespace wattloop::workload
