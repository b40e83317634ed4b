#include "workload/queue/job_queue.hpp"

#include <cmath>
#include <limits>

namespace wattloop::workload {

namespace {

constexpr double longest_run_time_s =
    1e10;  ///< three hundred years: no run sees the end, and steps are still counted one by one

double position_s(const JobClock& job, double t_s) {
  return job.is == JobClock::Is::running ? job.position_s + (t_s - job.since_s) : job.position_s;
}

}  // namespace

JobClock IndependentJob::at_clock(const JobClock& job, double t_s, double) const {
  return {job.is, t_s, position_s(job, t_s), 1.0};
}

JobClock IndependentJob::from_checkpoint(const JobClock&, double t_s) const { return {JobClock::Is::running, t_s}; }

JobProgress IndependentJob::progress(const JobClock& job, double t_s) const {
  return {.steps = 0.0, .gained_s = position_s(job, t_s)};
}

std::vector<double> free_power_w(const JobQueue& queue, const QueueState& now) {
  std::vector<double> free_w;
  for (const PowerDomain& domain : queue.domains) free_w.push_back(domain.budget_w);
  for (std::size_t node = 0; node < now.where.slot_of_node.size() && !free_w.empty(); ++node) {
    const std::uint32_t slot = now.where.slot_of_node[node];
    if (slot == Placement::free_node) continue;
    const std::size_t domain = queue.domain_of_node.empty() ? 0 : queue.domain_of_node[node];
    free_w[domain] -= queue.jobs[now.slots[slot - 1].request].node_power_w;
  }
  return free_w;
}

double end_s(const SynchronousJob& program, const JobClock& job, double run_time_s) {
  if (job.is != JobClock::Is::running || run_time_s > longest_run_time_s)
    return std::numeric_limits<double>::infinity();
  const JobClock whole{JobClock::Is::running, job.since_s, run_time_s, 1.0};
  JobClock slowed = program.at_clock(whole, job.since_s, job.clock_fraction);
  if (job.communication_ratio != 1.0) slowed = program.at_network(slowed, job.since_s, job.communication_ratio);
  if (job.save_wait_s != 0.0) slowed = program.at_save_wait(slowed, job.since_s, job.save_wait_s);
  if (job.size_fraction != 1.0) slowed = program.at_size(slowed, job.since_s, job.size_fraction);
  return job.since_s + slowed.position_s - job.position_s;
}

}  // namespace wattloop::workload
