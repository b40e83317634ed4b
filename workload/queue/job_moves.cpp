#include "workload/queue/job_moves.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::workload {

namespace {

std::uint32_t free_slot(QueueState& queue, std::uint32_t program) {
  const auto place = std::ranges::find(queue.slots, RunningJob::no_job, &RunningJob::request);
  const auto slot = static_cast<std::uint32_t>(place - queue.slots.begin());
  if (place == queue.slots.end()) {
    queue.slots.emplace_back();
    queue.where.program_of_slot.emplace_back();
  }
  queue.where.program_of_slot[slot] = program;
  return slot;
}

}  // namespace

void note_wait(JobRecord& record, WaitsFor reason, double now_s) {
  if (!std::isnan(record.first_start_s) || record.waits_for == reason) return;
  record.waited_s.at(static_cast<std::size_t>(record.waits_for)) += std::max(0.0, now_s - record.waits_since_s);
  record.waits_since_s = std::max(record.waits_since_s, now_s);
  record.waits_for = reason;
}

void enqueue(QueueState& queue, const JobList& jobs, std::uint32_t request) {
  const auto is_before = [&](std::uint32_t first, std::uint32_t second) {
    const int of_first = jobs[first].priority, of_second = jobs[second].priority;
    return of_first != of_second ? of_first > of_second : first < second;
  };
  JobRecord& record = queue.records[request];
  record.is = JobIs::waiting;
  if (record.starts == 0) record.waits_since_s = std::max(0.0, jobs[request].submit_s);
  queue.waiting.insert(std::ranges::upper_bound(queue.waiting, request, is_before), request);
}

std::uint32_t give_nodes(QueueState& queue, const JobList& jobs, std::uint32_t request,
                         std::span<const std::uint32_t> nodes, double now_s) {
  const JobRequest& job = jobs[request];
  const std::uint32_t slot = free_slot(queue, static_cast<std::uint32_t>(job.program));
  queue.slots[slot] = {.request = request,
                       .started_s = now_s,
                       .limit_s = now_s + job.time_limit_s,
                       .nodes = static_cast<std::uint32_t>(nodes.size())};
  for (const std::uint32_t node : nodes) queue.where.slot_of_node[node] = slot + 1;
  JobRecord& record = queue.records[request];
  record.is = JobIs::running;
  if (std::isnan(record.first_start_s)) {
    record.waited_s.at(static_cast<std::size_t>(record.waits_for)) += std::max(0.0, now_s - record.waits_since_s);
    record.first_start_s = now_s;
  }
  ++record.starts;
  return slot;
}

std::uint32_t take_nodes(QueueState& queue, std::uint32_t slot, double now_s) {
  const RunningJob job = queue.slots[slot];
  queue.slots[slot] = RunningJob{};
  for (std::uint32_t& of_node : queue.where.slot_of_node) {
    if (of_node == slot + 1) of_node = Placement::free_node;
  }
  queue.records[job.request].node_time_s += job.nodes * (now_s - job.started_s);
  queue.is_due = true;
  return job.request;
}

}  // namespace wattloop::workload
