// Where the jobs of a cluster stand: which wait, which run on which nodes, what became of the others. A value: part of the state of a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "workload/failures/failure_process.hpp"
#include "workload/work/placement.hpp"

namespace wattloop::workload {

/// A job that has nodes. A slot is used again by a later job.
struct RunningJob {
  static constexpr std::uint32_t no_job = static_cast<std::uint32_t>(-1);
  std::uint32_t request = no_job;                            ///< in the list of jobs; `no_job`: the slot is free
  double started_s = 0.0;                                    ///< this time
  double limit_s = std::numeric_limits<double>::infinity();  ///< instant of its time limit
  std::uint32_t nodes = 0;
};

enum class JobIs : std::uint8_t { to_come, waiting, running, done, over_limit };

/// Time of a job that its work did not need.
struct JobLoss {
  double slowed_s = 0.0;        ///< by GPUs below full clock
  double shrunk_s = 0.0;        ///< by nodes that were missing
  double stopped_s = 0.0;       ///< waiting for lost nodes to be noticed, idle, restarting
  double redone_s = 0.0;        ///< done again from a checkpoint
  double storage_wait_s = 0.0;  ///< waiting for storage that other jobs used
  std::size_t stops = 0;

  JobLoss& operator+=(const JobLoss& other) {
    slowed_s += other.slowed_s;
    shrunk_s += other.shrunk_s;
    stopped_s += other.stopped_s;
    redone_s += other.redone_s;
    storage_wait_s += other.storage_wait_s;
    stops += other.stops;
    return *this;
  }
};

/// What a job has too little of that was not started at a decision.
enum class WaitsFor : std::uint8_t {
  decision,     ///< it was submitted since the last one
  nodes,        ///< too few are free
  reservation,  ///< enough are free, and some are kept for others
  budget,       ///< power
  priority,     ///< a job of higher priority has to start first
  order,        ///< a job that was submitted before has to start first
};
inline constexpr std::size_t wait_reasons = 6;

/// What became of a job so far.
struct JobRecord {
  JobIs is = JobIs::to_come;
  double first_start_s = std::numeric_limits<double>::quiet_NaN();
  double end_s = std::numeric_limits<double>::quiet_NaN();
  double saved_s = 0.0;      ///< work that it goes on from when it starts again, at full clock
  double node_time_s = 0.0;  ///< nodes times time that it had them, up to its last end or preemption
  std::uint32_t starts = 0;
  WaitsFor waits_for = WaitsFor::decision;         ///< at the last decision before its first start
  double waits_since_s = 0.0;                      ///< for that
  std::array<double, wait_reasons> waited_s = {};  ///< before that, for each reason
  double steps = 0.0;                              ///< whole ones, up to then
  double saving_s = 0.0;                           ///< of the work done up to then, for checkpoints
  JobLoss lost = {};                               ///< up to then
};

struct QueueState {
  Placement where = {};
  std::vector<RunningJob> slots = {};       ///< [slot]
  std::vector<JobRecord> records = {};      ///< [job of the list]
  std::vector<std::uint32_t> waiting = {};  ///< jobs of the list, in the order in which they are to start
  std::size_t next_submission = 0;          ///< first job of the list that is not submitted yet
  /// Whether nodes or jobs came back since the last decision. Who sees nodes lost or repaired, or power freed, sets it, too.
  bool is_due = false;
  std::uint32_t nodes_at_work = 0;          ///< at the last look
  FailureCounters failures = {};            ///< where anything fails by chance
  std::vector<std::uint8_t> is_spare = {};  ///< [node] waits to take the place of a lost one; empty: none does
  std::uint64_t stamp = 0;                  ///< another one whenever nodes change hands
};

}  // namespace wattloop::workload
