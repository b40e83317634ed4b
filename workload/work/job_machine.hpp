// What a synchronous job does where nodes are lost or it is interrupted: it waits until that is noticed, is idle until all its nodes work, restarts,
// and goes on from its last whole checkpoint. An elastic job goes on with the nodes that are left, and takes others back at a checkpoint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "workload/failures/failure_process.hpp"
#include "workload/work/job_clock.hpp"

namespace wattloop::workload {

/// What a run must know of a job besides its clock. A value.
struct JobMemory {
  double stopped_s = std::numeric_limits<double>::infinity();  ///< since when it stops; infinity: it runs
  double due_s = std::numeric_limits<double>::infinity();      ///< when that is noticed, or when the first step begins
  bool is_restarting = false;
  bool is_interrupted = false;    ///< by something that took no node: to be noticed, too
  double stopped_in_all_s = 0.0;  ///< up to the last restart
  double redone_s = 0.0;          ///< of its progress, lost because it went on from a checkpoint
  double shrunk_s = 0.0;          ///< by which missing nodes delayed it, up to the last stop
  double storage_wait_s = 0.0;  ///< waiting for storage that others used, less what its clock says of it while it runs
  double read_wait_s = 0.0;     ///< the same of the restart under way, up to its end
  double read_fraction = 1.0;   ///< rate at which it reads its checkpoint, over its rate alone
  double resumed_at_s = 0.0;    ///< its progress when it went on last
  double grows_s = std::numeric_limits<double>::infinity();  ///< when it takes back nodes that wait; infinity: none do
  double reported_fraction = 1.0;                            ///< clock of the slowest GPU when it was reported last
  std::size_t stops = 0;
  FailureCounters failures = {};             ///< of a job where something fails by chance
  std::vector<std::uint8_t> is_member = {};  ///< [node of the hall] that does the work; empty: all of the job
};

enum class JobChange { none, stopped, noticed, restarting, resumed };

/// A job that runs stops now, on purpose, to restart at once.
void stop_to_restart(const SynchronousJob& program, JobClock& clock, JobMemory& memory, double now_s);

/// By which missing nodes delayed it up to now.
double shrunk_s(const SynchronousJob& program, const JobClock& clock, const JobMemory& memory, double now_s);

/// Waiting for storage that other jobs used, in saves and restarts, up to now.
double storage_wait_s(const SynchronousJob& program, const JobClock& clock, const JobMemory& memory, double now_s);

/// Time for which it stopped up to now, less waiting for storage.
double stopped_s(const JobMemory& memory, double now_s);

/// What happens to a job now, where `is_lost` says whether a node of it does not work. Called at every instant; of several changes at one
/// instant the last.
JobChange advance(const SynchronousJob& program, JobClock& clock, JobMemory& memory, double now_s, bool is_lost);

}  // namespace wattloop::workload
