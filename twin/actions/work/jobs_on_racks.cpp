#include "twin/actions/work/jobs_on_racks.hpp"

#include <algorithm>

namespace wattloop::twin {

namespace {

constexpr double least_clock_fraction = 0.01;  ///< of a job whose power limit leaves a GPU nothing: it hardly moves

}  // namespace

JobRacks::JobRacks(const Plant& plant, const workload::Workload& work) : plant_(plant), work_(work) {
  const std::vector<workload::JobNodes> all = work.jobs();
  clock_count_ = all.size();
  job_of_rack_.assign(plant.it.racks.size(), no_job);
  for (std::size_t number = 0; number < all.size(); ++number) {
    if (all[number].program == nullptr) continue;
    Job job{.program = all[number].program, .number = number};
    for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack) {
      const std::size_t node = plant.it.racks[rack].first_node;
      const bool is_in = std::ranges::any_of(all[number].nodes, [&](const workload::NodeRange& range) {
        return node >= range.first && node < range.first + range.count;
      });
      if (!is_in) continue;
      job_of_rack_[rack] = number;
      add_nodes(rack, node, plant.it.nodes_in(rack), job);
    }
    if (!job.racks.empty()) fixed_.push_back(std::move(job));
  }
  for (const workload::SynchronousJob* program : programs()) {
    if (program->storage_use() != nullptr) storage_ = &program->storage_use()->storage;
  }
}

void JobRacks::add_nodes(std::size_t rack, std::size_t first, std::size_t count, Job& job) const {
  if (job.racks.empty() || job.racks.back() != rack) job.racks.push_back(rack);
  for (std::size_t node = first; node < first + count; ++node) job.nodes.push_back(node);
  job.gpus += count * plant_.it.group_of(rack).gpus_per_node;
}

std::vector<const workload::SynchronousJob*> JobRacks::programs() const {
  std::vector<const workload::SynchronousJob*> programs;
  for (const Job& job : fixed_) programs.push_back(job.program);
  if (queue() == nullptr) return programs;
  for (const workload::JobRequest& job : queue()->jobs) programs.push_back(queue()->programs[job.program]);
  return programs;
}

std::vector<JobRacks::Job> JobRacks::jobs_in(const PlantState& state) const {
  const workload::Placement& where = state.work.queue.where;
  if (where.is_fixed()) return fixed_;
  std::vector<Job> of_slots(where.program_of_slot.size());
  for (std::size_t rack = 0; rack < plant_.it.racks.size(); ++rack) {
    const std::size_t first = plant_.it.racks[rack].first_node;
    for (std::size_t node = first; node < first + plant_.it.nodes_in(rack); ++node) {
      const std::uint32_t slot = where.slot_of_node[node];
      if (slot != workload::Placement::free_node) add_nodes(rack, node, 1, of_slots[slot - 1]);
    }
  }
  std::vector<Job> jobs;
  for (std::size_t slot = 0; slot < of_slots.size(); ++slot) {
    if (of_slots[slot].nodes.empty()) continue;
    of_slots[slot].program = &program_of(slot, state);
    of_slots[slot].number = slot;
    jobs.push_back(std::move(of_slots[slot]));
  }
  return jobs;
}

const workload::SynchronousJob& JobRacks::program_of(std::size_t job, const PlantState& state) const {
  const workload::Placement& where = state.work.queue.where;
  if (!where.is_fixed()) return *queue()->programs[where.program_of_slot[job]];
  return *std::ranges::find(fixed_, job, &Job::number)->program;
}

double JobRacks::clock_of(std::size_t job, const PlantState& state) const {
  if (job >= state.work.job_clocks.size()) return 0.0;
  const workload::QueueState& queue = state.work.queue;
  const bool is_there = queue.where.is_fixed() ? std::ranges::find(fixed_, job, &Job::number) != fixed_.end()
                                               : queue.slots[job].request != workload::RunningJob::no_job;
  const workload::JobClock& clock = state.work.job_clocks[job];
  if (!is_there || clock.is != workload::JobClock::Is::running) return 0.0;
  return program_of(job, state).is_coupled() ? clock.clock_fraction : 0.0;
}

bool JobRacks::may_be_slow(const RackNow& now, const PlantState& state) const {
  if (state.work.is_restrained[now.rack] != 0 || !state.work.set_gpu_w.empty()) return true;
  const UnitGroup& units = *plant_.groups[now.group().gpu_units];
  const double most_w = work_.most_computing_w(plant_.it.racks[now.rack].first_node);
  return most_w > power_limit_w(now, state) - units.most_leakage_w(now.hottest_die_k);
}

/// Of a node at work; its job is left out.
JobRacks::Slowest JobRacks::slowest_of_node(const RackNow& now, std::size_t node, const PlantState& state) const {
  const RackPart& rack = plant_.it.racks[now.rack];
  const RackGroup& group = now.group();
  const UnitGroup& units = *plant_.groups[group.gpu_units];
  const double idle_w = now.node.split.gpu_idle_w, limit_w = power_limit_w(now, state);
  const std::size_t first_gpu = rack.first_gpu + (node - rack.first_node) * group.gpus_per_node;
  const bool contains_leakage = work_.has_contents_by_node() && work_.contents(node, state.work.queue.where).leakage;
  Slowest slowest;
  for (std::size_t gpu = first_gpu; gpu < first_gpu + group.gpus_per_node; ++gpu) {
    const double clock = state.work.clock_fraction[gpu];
    if (clock > 0.0 && clock < slowest.clock_fraction) slowest = {no_job, clock, gpu, false};
    const std::size_t unit = group.unit_of(gpu);
    const double busy_w = state.work.set_gpu_w.empty()
                              ? work_.computing_w(node, gpu - first_gpu, state.work.queue.where)
                              : state.work.set_gpu_w[gpu];
    const double leakage_w = units.leakage_w(unit, state.states[units.state_slot(0, unit)]);
    const double allowed_w = contains_leakage ? limit_w : limit_w - leakage_w;
    const double given_w = workload::throttled_w(idle_w, busy_w, clock);
    const double capped = workload::capped_load(idle_w, busy_w, given_w, allowed_w).clock_fraction;
    const double capped_clock = std::max(capped, least_clock_fraction);
    if (capped_clock < slowest.clock_fraction) slowest = {no_job, capped_clock, gpu, true};
  }
  return slowest;
}

std::vector<JobRacks::Slowest> JobRacks::slowest_on(const RackNow& now, const PlantState& state) const {
  std::vector<Slowest> found;
  if (!may_be_slow(now, state)) return found;
  const std::size_t first = plant_.it.racks[now.rack].first_node;
  for (std::size_t node = first; node < first + plant_.it.nodes_in(now.rack); ++node) {
    const std::size_t job = job_of(now.rack, node, state);
    if (job == no_job || state.work.node_is[node] != NodeIs::at_work) continue;
    Slowest of_node = slowest_of_node(now, node, state);
    of_node.job = job;
    if (of_node.clock_fraction == 1.0) continue;
    const auto of_job = std::ranges::find(found, job, &Slowest::job);
    if (of_job == found.end())
      found.push_back(of_node);
    else if (of_node.clock_fraction < of_job->clock_fraction)
      *of_job = of_node;
  }
  return found;
}

}  // namespace wattloop::twin
