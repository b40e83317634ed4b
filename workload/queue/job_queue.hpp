// Jobs that come and go: who submits what, what their programs do, how they are scheduled. Immutable in a run.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "workload/failures/failure_process.hpp"
#include "workload/queue/job_list.hpp"
#include "workload/queue/scheduler.hpp"
#include "workload/work/job_clock.hpp"

namespace wattloop::workload {

/// A program whose nodes work each by itself: its clock is time, it saves nothing.
class IndependentJob : public SynchronousJob {
 public:
  JobClock at_clock(const JobClock& job, double t_s, double clock_fraction) const override;
  JobClock from_checkpoint(const JobClock& job, double t_s) const override;
  JobProgress progress(const JobClock& job, double t_s) const override;
  bool is_coupled() const override { return false; }
  double detection_s() const override { return 0.0; }
  std::size_t spare_nodes() const override { return 0; }
  const FailureProcess* failures() const override { return nullptr; }
  double restart_s() const override { return 0.0; }
};

/// Nodes with a power budget together.
struct PowerDomain {
  std::string name = {};
  double budget_w = std::numeric_limits<double>::infinity();  ///< of those that have a job
};

class JobQueue {
 public:
  JobList jobs = {};
  SchedulerParams scheduler = {};
  std::vector<PowerDomain> domains = {};                  ///< empty: no budgets
  std::vector<std::uint32_t> domain_of_node = {};         ///< empty: all in the first
  std::size_t spare_nodes = 0;                            ///< no job starts on them
  std::vector<const SynchronousJob*> programs = {};       ///< [program]
  std::optional<FailureProcess> failures = std::nullopt;  ///< of all GPUs of the hall
};

/// [domain] what jobs that have nodes leave of its budget; none where there are no budgets.
std::vector<double> free_power_w(const JobQueue& queue, const QueueState& now);

/// Instant at which a job that goes on as its clock says has done work of `run_time_s` at full clock.
double end_s(const SynchronousJob& program, const JobClock& job, double run_time_s);

}  // namespace wattloop::workload
