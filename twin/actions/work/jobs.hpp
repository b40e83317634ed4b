// Jobs and their nodes: the slowest GPU sets the pace of a synchronous job, and a lost node stops it.
//
//   running    all nodes at work; the clock of the slowest GPU while it computes is that of the job
//   waiting    a node is lost: all others wait in communication, until it is noticed
//   idle       until all nodes are at work again, then for the restart, which goes on from the last whole checkpoint
//
// Documented in docs/models/job_coupling.md. Verified in tests/verification/work/job_coupling.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "twin/actions/work/coupling.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// Clocks of jobs are set anew where they are off by more than this.
inline constexpr double noticed_clock_fraction = 5e-4;

/// Racks of synchronous jobs; no job has a part of a rack. Both arguments must outlive it.
class JobRacks {
 public:
  JobRacks(const Plant& plant, const workload::Workload& work);

  struct Job {
    const workload::SynchronousJob* program = nullptr;
    std::size_t number = 0;  ///< among the clocks of the state
    std::vector<std::size_t> racks;
    std::size_t nodes = 0, gpus = 0;  ///< spare ones included
    std::size_t needed() const { return nodes - program->spare_nodes(); }
  };
  const std::vector<Job>& jobs() const { return jobs_; }
  std::size_t clock_count() const { return clock_count_; }

  static constexpr std::size_t no_job = static_cast<std::size_t>(-1);
  /// Number of its clock; `no_job` for a rack whose nodes do not wait for one another.
  std::size_t job_of(std::size_t rack) const { return job_of_rack_[rack]; }

  /// Clock of the slowest GPU of a rack while it computes: by its die, the inlet air and its power limit; and which GPU that is.
  struct Slowest {
    double clock_fraction = 1.0;
    std::size_t gpu = 0;
    bool is_capped = false;  ///< by a power limit
  };
  Slowest slowest_of(const RackNow& now, const PlantState& state) const;

  /// Whether any GPU of a rack may be below full clock; false is certain, as nearly always.
  bool may_be_slow(const RackNow& now, const PlantState& state) const;

  /// Whether a job at a clock would go on at another one, where a rack of it had its slowest GPU at `before` when the clock was set, and has
  /// it at `now`.
  static bool is_due(double job_fraction, double before, double now) {
    const bool was_slowest = before <= job_fraction + noticed_clock_fraction;
    return now < job_fraction - noticed_clock_fraction || (was_slowest && now > job_fraction + noticed_clock_fraction);
  }

 private:
  const Plant& plant_;
  const workload::Workload& work_;
  std::vector<Job> jobs_;
  std::vector<std::size_t> job_of_rack_;
  std::size_t clock_count_ = 0;
};

/// Sets clocks of jobs and reports what they do.
class JobWatch {
 public:
  JobWatch(const Plant& plant, const NodeCouplings& nodes, const workload::Workload& work);

  /// Jobs at the begin of a run, at full clock.
  void prepare(PlantState& state) const;

  /// True where a job runs otherwise from now on.
  /// racks [rack]: as they are now.
  bool act(std::span<const RackDigest> racks, PlantState& state, std::vector<EventRecord>& events) const;

  /// When a lost node is noticed, or a job goes on; infinity: never.
  double next_s(const PlantState& state) const;

 private:
  JobRacks::Slowest slowest_of(const JobRacks::Job& job, std::span<const RackDigest> racks,
                               const PlantState& state) const;
  std::string name_of(const JobRacks::Job& job) const;
  std::vector<std::size_t> nodes_of(const JobRacks::Job& job) const;
  std::size_t lost_nodes(const JobRacks::Job& job, const PlantState& state) const;
  void put(std::size_t node, NodeIs is, PlantState& state) const;
  bool let_fail(const JobRacks::Job& job, PlantState& state, std::vector<EventRecord>& events) const;
  bool rest_others(const JobRacks::Job& job, PlantState& state) const;
  bool take_spares(const JobRacks::Job& job, PlantState& state, std::vector<EventRecord>& events) const;
  bool act_on(const JobRacks::Job& job, std::span<const RackDigest> racks, PlantState& state,
              std::vector<EventRecord>& events) const;
  bool set_pace(const JobRacks::Job& job, const JobRacks::Slowest& slowest, PlantState& state,
                std::vector<EventRecord>& events) const;

  const Plant& plant_;
  const NodeCouplings& nodes_;
  JobRacks racks_;
};

/// What became of synchronous jobs up to the time of a state: GPU by GPU the same, jobs weighted by their GPUs.
struct JobFigures {
  bool is_any = false;
  double steps = 0.0;      ///< whole steps, of all jobs
  double gained_s = 0.0;   ///< time that the work done would have taken at full clock without stops
  double slowed_s = 0.0;   ///< by which GPUs below full clock made it longer
  double stopped_s = 0.0;  ///< waiting, idle and restarting
  double redone_s = 0.0;   ///< done again from a checkpoint
  std::size_t stops = 0;
};
JobFigures job_figures(const JobRacks& racks, const PlantState& state);

}  // namespace wattloop::twin
