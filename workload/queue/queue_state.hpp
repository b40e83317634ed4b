// Where the jobs of a cluster stand: which wait, which run on which nodes, what became of the others. A value: part of the state of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace wattloop::workload {

/// Which job has which node.
struct Placement {
  static constexpr std::uint32_t free_node = 0;

  /// [node] number of the slot of its job and 1 more, or `free_node`; empty: jobs have fixed nodes, there is no queue.
  std::vector<std::uint32_t> slot_of_node = {};
  std::vector<std::uint32_t> program_of_slot = {};  ///< [slot]
};

/// A job that has nodes. A slot is used again by a later job.
struct RunningJob {
  static constexpr std::uint32_t no_job = static_cast<std::uint32_t>(-1);
  std::uint32_t request = no_job;                            ///< in the list of jobs; `no_job`: the slot is free
  double started_s = 0.0;                                    ///< this time
  double limit_s = std::numeric_limits<double>::infinity();  ///< instant of its time limit
  std::uint32_t nodes = 0;
};

enum class JobIs : std::uint8_t { to_come, waiting, running, done, over_limit };

/// What became of a job so far.
struct JobRecord {
  JobIs is = JobIs::to_come;
  double first_start_s = std::numeric_limits<double>::quiet_NaN();
  double end_s = std::numeric_limits<double>::quiet_NaN();
  double saved_s = 0.0;      ///< work that it goes on from when it starts again, at full clock
  double node_time_s = 0.0;  ///< nodes times time that it had them, up to its last end or preemption
  std::uint32_t starts = 0;
};

struct QueueState {
  Placement where = {};
  std::vector<RunningJob> slots = {};       ///< [slot]
  std::vector<JobRecord> records = {};      ///< [job of the list]
  std::vector<std::uint32_t> waiting = {};  ///< jobs of the list, in the order in which they are to start
  std::size_t next_submission = 0;          ///< first job of the list that is not submitted yet
  /// Whether nodes or jobs came back since the last decision. Who sees nodes lost or repaired, or power freed, sets it, too.
  bool is_due = false;
};

}  // namespace wattloop::workload
