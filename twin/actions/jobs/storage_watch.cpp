#include "twin/actions/jobs/storage_watch.hpp"

#include <algorithm>
#include <limits>

namespace wattloop::twin {

namespace {

constexpr double longest_window_s = 600.0;  ///< of an integrator: nothing is asked for what comes later

}  // namespace

std::vector<const workload::SynchronousJob*> storage_programs(const JobRacks& racks, const PlantState& state) {
  std::vector<const workload::SynchronousJob*> programs(state.work.job_clocks.size());
  const auto add = [&](std::size_t job, const workload::SynchronousJob& program) {
    if (program.storage_use() != nullptr) programs[job] = &program;
  };
  for (const JobRacks::Job& job : racks.fixed()) add(job.number, *job.program);
  const std::vector<workload::RunningJob>& slots = state.work.queue.slots;
  for (std::size_t job = 0; job < slots.size(); ++job) {
    if (slots[job].request != workload::RunningJob::no_job) add(job, racks.program_of(job, state));
  }
  return programs;
}

bool share_storage(const JobRacks& racks, PlantState& state) {
  if (!racks.has_shared_storage() || state.time_s < 0.0) return false;
  return workload::share_storage(*racks.shared_storage(), storage_programs(racks, state), state.work.job_clocks,
                                 state.work.jobs, state.time_s);
}

double next_share_s(const JobRacks& racks, const PlantState& state) {
  if (!racks.has_shared_storage() || state.time_s < 0.0) return std::numeric_limits<double>::infinity();
  const std::vector<const workload::SynchronousJob*> programs = storage_programs(racks, state);
  return workload::next_share_s(*racks.shared_storage(), {programs, state.work.job_clocks, state.work.jobs},
                                state.time_s, state.time_s + longest_window_s);
}

}  // namespace wattloop::twin
