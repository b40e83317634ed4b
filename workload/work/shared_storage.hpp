// Jobs that use one storage at the same time: each reads or writes at its max-min fair share (workload/checkpoints/storage.hpp), at the share of its
// rate alone that its clock and memory then have.
//
// A save begins where GPUs of a job stop for it, or go on where it is asynchronous. The last thing that a restart does is to read. Shares change at
// instants only: where a read or write begins or ends while all together are asked for more than the bandwidth. Verified in
// tests/verification/jobs/shared_storage.cpp. Documented in docs/models/checkpoints.md.
#pragma once

#include <span>

#include "workload/checkpoints/checkpoint_parameters.hpp"
#include "workload/checkpoints/storage_appliance.hpp"
#include "workload/work/job_machine.hpp"

namespace wattloop::workload {

/// Jobs of a run, as they stand. [job]
struct StorageJobs {
  std::span<const SynchronousJob* const> programs;  ///< null: it has no nodes, or does not use the storage
  std::span<const JobClock> clocks;
  std::span<const JobMemory> memories;
};

/// Storage that jobs share, and the share of its bandwidth that is there: less where racks of it have no power.
struct StorageNow {
  const StorageParams& storage;
  double available_fraction = 1.0;
};

/// Gives each job its share from now on: writes their `clocks` and `memories`. True if any has another one.
bool share_storage(const StorageNow& storage, std::span<const SynchronousJob* const> programs,
                   std::span<JobClock> clocks, std::span<JobMemory> memories, double now_s);

/// Next instant at which a share changes, if it is before `until_s`; else infinity. Jobs go on as their clocks say.
double next_share_s(const StorageNow& storage, const StorageJobs& jobs, double now_s, double until_s);

/// What all jobs together read and write now.
StorageTraffic storage_traffic(const StorageJobs& jobs, double now_s);

/// Next instant at which a read or a write begins or ends; infinity: none. Jobs go on as their clocks say.
double next_traffic_s(const StorageJobs& jobs, double now_s);

}  // namespace wattloop::workload
