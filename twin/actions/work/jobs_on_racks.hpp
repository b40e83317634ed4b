// Which job has which nodes, and how fast the slowest GPU of each lets it go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twin/actions/work/coupling.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "workload/queue/job_queue.hpp"

namespace wattloop::twin {

// How far the clock of a job may be off that of its slowest GPU.
inline constexpr double set_clock_fraction = 1e-4;   ///< at instants: beyond, it is set anew
inline constexpr double due_clock_fraction = 5e-4;   ///< at seconds within a window: beyond, the window ends there
inline constexpr double left_clock_fraction = 1e-3;  ///< at the end of one that skips seconds: it does not hold

/// Jobs of the racks of a hall. Both arguments must outlive it.
class JobRacks {
 public:
  JobRacks(const Plant& plant, const workload::Workload& work);

  static constexpr std::size_t no_job = static_cast<std::size_t>(-1);

  struct Job {
    const workload::SynchronousJob* program = nullptr;
    std::size_t number = 0;  ///< among the clocks of the state
    std::vector<std::size_t> racks = {};
    std::vector<std::size_t> nodes = {};  ///< counted through the hall, spare ones included
    std::size_t gpus = 0;
    std::size_t needed() const { return nodes.size() - program->spare_nodes(); }
  };
  /// Those with fixed nodes; of jobs that come and go, those that have nodes.
  std::vector<Job> jobs_in(const PlantState& state) const;
  const std::vector<Job>& fixed() const { return fixed_; }
  /// Of all jobs, those of a queue that have not begun included.
  std::vector<const workload::SynchronousJob*> programs() const;
  /// The storage that jobs share; null: none do.
  const workload::StorageParams* shared_storage() const { return storage_; }
  bool has_shared_storage() const { return storage_ != nullptr; }
  bool has_any() const { return !fixed_.empty() || queue() != nullptr; }

  /// How many clocks there are where nodes are fixed.
  std::size_t clock_count() const { return clock_count_; }
  const workload::JobQueue* queue() const { return work_.queue(); }
  std::vector<workload::TestedNodes> tests() const { return work_.tests(); }

  /// Number of the clock of a node's job; `no_job`: it waits for no other.
  std::size_t job_of(std::size_t rack, std::size_t node, const PlantState& state) const {
    const workload::Placement& where = state.work.queue.where;
    if (where.is_fixed()) return job_of_rack_[rack];
    const std::uint32_t slot = where.slot_of_node[node];
    return slot == workload::Placement::free_node ? no_job : slot - 1;
  }
  const workload::SynchronousJob& program_of(std::size_t job, const PlantState& state) const;

  /// Of a job that runs and waits for its slowest GPU; 0: it does not.
  double clock_of(std::size_t job, const PlantState& state) const;

  /// The slowest GPU of a job on a rack while it computes: by its die, the inlet air and its power limit.
  struct Slowest {
    std::size_t job = no_job;
    double clock_fraction = 1.0;
    std::size_t gpu = 0;
    bool is_capped = false;  ///< by a power limit
  };
  /// Of each job on a rack that has a GPU below full clock there.
  std::vector<Slowest> slowest_on(const RackNow& now, const PlantState& state) const;

  /// Whether any GPU of a rack may be below full clock; false is certain, as nearly always.
  bool may_be_slow(const RackNow& now, const PlantState& state) const;

  /// Whether a job at a clock would go on at another one, where a rack of it had its slowest GPU at `before` when the clock was set, and has
  /// it at `now`.
  static bool is_due(double job_fraction, double before, double now) {
    const bool was_slowest = before <= job_fraction + due_clock_fraction;
    return now < job_fraction - due_clock_fraction || (was_slowest && now > job_fraction + due_clock_fraction);
  }

 private:
  Slowest slowest_of_node(const RackNow& now, std::size_t node, const PlantState& state) const;
  void add_nodes(std::size_t rack, std::size_t first, std::size_t count, Job& job) const;

  const Plant& plant_;
  const workload::Workload& work_;
  std::vector<Job> fixed_;
  std::vector<std::size_t> job_of_rack_;
  std::size_t clock_count_ = 0;
  const workload::StorageParams* storage_ = nullptr;
};

/// Whether a node of a job does its work: no spare one, and none that an elastic job goes on without.
inline bool is_member(const JobRacks::Job& job, std::size_t node, const PlantState& state) {
  const std::vector<std::uint8_t>& members = state.work.jobs[job.number].is_member;
  return members.empty() || members[node] != 0;
}

}  // namespace wattloop::twin
