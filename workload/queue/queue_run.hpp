// Jobs run without a hall: each as long as it takes, or until its time limit. Nodes may fail and be repaired.
//
// A job ends at its exact time; its nodes are given away at the next decision. A job whose node fails, or that is preempted, waits again and
// goes on from what it has saved. An elastic one keeps its nodes and goes on with those that work, at their share of its rate; it takes a repaired
// node back when it has saved again. Documented in docs/models/scheduler.md. Verified in tests/verification/work/scheduler.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "workload/failures/failure_process.hpp"
#include "workload/queue/scheduler.hpp"

namespace wattloop::workload {

struct QueueRunParams {
  double checkpoint_interval_s = std::numeric_limits<double>::infinity();  ///< of work; 0: all of it is saved
  std::vector<std::uint8_t> is_in_service = {};                            ///< [node]; empty: all
  std::vector<double> node_rank = {};                                      ///< [node] for `coolest`
  std::vector<double> budget_w = {};                                       ///< [domain]; empty: none
  const FailureProcess* failures = nullptr;  ///< of the GPUs of all nodes; it outlives the run
  std::size_t gpus_per_node = 8;
};

/// How many nodes have jobs from a time on.
struct BusyNodes {
  double from_s = 0.0;
  std::size_t nodes = 0;
};

/// A value: a run goes on from a copy with the same bytes.
struct QueueRunState {
  double now_s = 0.0;
  QueueState queue = {};
  std::vector<double> started_s = {}, end_s = {};  ///< [slot] of its job; infinity: it has none
  std::vector<double> begun_s = {};                ///< [slot] work that it had done at `started_s`
  std::vector<double> share_fraction = {};         ///< [slot] of its nodes, that work since then
  std::vector<double> grows_s = {};                ///< [slot] when it takes back nodes; infinity: none wait
  std::vector<double> redone_node_time_s = {};     ///< [job] nodes times work that it lost
  std::vector<double> back_s = {};                 ///< [node] end of its repair; infinity: it needs none
  FailureCounters failures = {};
  std::vector<BusyNodes> busy = {};  ///< a row for each change
};

class QueueRun {
 public:
  /// All but `params` must outlive it.
  QueueRun(const JobList& jobs, const ClusterNodes& nodes, const SchedulerParams& scheduler, QueueRunParams params);

  /// Jobs that were submitted before time zero wait for the decision at time zero.
  QueueRunState at_begin() const;
  /// Until nothing more happens, or all up to a time, that time included, has happened.
  void advance(QueueRunState& state, double until_s = std::numeric_limits<double>::infinity()) const;

 private:
  double next_s(const QueueRunState& state) const;
  void end_jobs(QueueRunState& state) const;
  void fail_nodes(QueueRunState& state) const;
  void repair_nodes(QueueRunState& state) const;
  void decide(QueueRunState& state) const;
  void begin(QueueRunState& state, std::uint32_t slot, double share_fraction) const;
  double work_s(const QueueRunState& state, std::uint32_t slot) const;
  std::size_t working_nodes(const QueueRunState& state, std::uint32_t slot) const;
  bool goes_on_with_fewer(QueueRunState& state, std::uint32_t slot) const;
  void grow_jobs(QueueRunState& state) const;
  void save(QueueRunState& state, std::uint32_t request, std::uint32_t slot) const;
  std::vector<std::uint8_t> available(const QueueRunState& state) const;
  std::vector<double> free_power_w(const QueueState& queue) const;

  const JobList& jobs_;
  const ClusterNodes& nodes_;
  double interval_s_;
  Scheduler scheduler_;
  QueueRunParams params_;
};

/// What users see of a queue. Times of jobs that started, or ended.
struct QueueFigures {
  std::size_t started = 0, done = 0, over_limit = 0, unfinished = 0;
  double mean_wait_s = 0.0, p50_wait_s = 0.0, p95_wait_s = 0.0, max_wait_s = 0.0;  ///< until the first start
  double mean_slowdown = 0.0;  ///< from submission to end over time on nodes, of at least 10 s
  double makespan_s = 0.0;     ///< from the first submission to the last end
  double utilisation = 0.0;    ///< node time of jobs over that of all nodes, from the first submission to the last end
};

/// Percentiles are values of jobs: the first that as many do not exceed. 0 where no job started.
QueueFigures queue_figures(const JobList& jobs, const QueueRunState& state);

/// Mean of nodes with jobs between two times.
double mean_busy_nodes(const std::vector<BusyNodes>& busy, double from_s, double to_s);

}  // namespace wattloop::workload
