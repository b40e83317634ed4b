#include "twin/actions/jobs/storage_watch.hpp"

#include <algorithm>
#include <limits>

namespace wattloop::twin {

namespace {

constexpr double longest_window_s = 600.0;  ///< of an integrator: nothing is asked for what comes later

/// Share of the bandwidth of the storage whose appliances have power; 1 for storage without racks.
double available_fraction(const Plant& plant, const PlantState& state) {
  double appliances = 0.0;
  for (const StorageRackPart& rack : plant.it.storage_racks) appliances += rack.appliances;
  return appliances > 0.0 ? served_appliances(plant, state) / appliances : 1.0;
}

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

double served_appliances(const Plant& plant, const PlantState& state) {
  double served = 0.0;
  for (const StorageRackPart& rack : plant.it.storage_racks)
    served += electrical::is_served(state.switches, rack.load) ? rack.appliances : 0.0;
  return served;
}

bool share_storage(const Plant& plant, const JobRacks& racks, PlantState& state) {
  if (!racks.has_shared_storage() || state.time_s < 0.0) return false;
  return workload::share_storage({*racks.shared_storage(), available_fraction(plant, state)},
                                 storage_programs(racks, state), state.work.job_clocks, state.work.jobs, state.time_s);
}

double next_share_s(const Plant& plant, const JobRacks& racks, const PlantState& state) {
  if (!racks.has_shared_storage() || state.time_s < 0.0) return std::numeric_limits<double>::infinity();
  const std::vector<const workload::SynchronousJob*> programs = storage_programs(racks, state);
  return workload::next_share_s({*racks.shared_storage(), available_fraction(plant, state)},
                                {programs, state.work.job_clocks, state.work.jobs}, state.time_s,
                                state.time_s + longest_window_s);
}

workload::StorageTraffic storage_traffic(const JobRacks& racks, const PlantState& state) {
  if (!racks.has_shared_storage() || state.time_s < 0.0) return {};
  const std::vector<const workload::SynchronousJob*> programs = storage_programs(racks, state);
  return workload::storage_traffic({programs, state.work.job_clocks, state.work.jobs}, state.time_s);
}

double next_traffic_s(const JobRacks& racks, const PlantState& state) {
  if (!racks.has_shared_storage() || state.time_s < 0.0) return std::numeric_limits<double>::infinity();
  const std::vector<const workload::SynchronousJob*> programs = storage_programs(racks, state);
  return workload::next_traffic_s({programs, state.work.job_clocks, state.work.jobs}, state.time_s);
}

void load_storage(const Plant& plant, double used_share, PlantState& state) {
  const double appliance_w = workload::appliance_power_w(plant.it.appliance, used_share);
  for (const StorageRackPart& rack : plant.it.storage_racks)
    state.inputs[rack.power_input] =
        electrical::is_served(state.switches, rack.load) ? rack.appliances * appliance_w : 0.0;
}

}  // namespace wattloop::twin
