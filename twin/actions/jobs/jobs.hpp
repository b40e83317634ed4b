// Jobs and their nodes: the slowest GPU sets the pace of a synchronous job, and a lost node stops it.
//
//   running    all nodes at work; the clock of the slowest GPU while it computes is that of the job
//   waiting    a node is lost: all others wait in communication, until it is noticed
//   idle       until all nodes are at work again, then for the restart, which goes on from the last whole checkpoint
//
// Documented in docs/models/job_coupling.md. Verified in tests/verification/work/job_coupling.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/actions/jobs/queue_watch.hpp"
#include "twin/actions/work/jobs_on_fabric.hpp"
#include "twin/actions/work/jobs_on_racks.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Sets clocks of jobs and reports what they do.
class JobWatch {
 public:
  JobWatch(const Plant& plant, const NodeCouplings& nodes, const workload::Workload& work);

  /// Jobs at the begin of a run, at full clock.
  void prepare(PlantState& state);

  /// True where a job runs otherwise from now on.
  /// racks [rack]: as they are now.
  bool act(std::span<const RackDigest> racks, PlantState& state, std::vector<EventRecord>& events);

  /// When a lost node is noticed, or a job goes on, starts or ends; infinity: never.
  double next_s(const PlantState& state) const;

 private:
  using Job = JobRacks::Job;

  const std::vector<Job>& jobs_now(const PlantState& state);
  void prepare_jobs(PlantState& state) const;
  std::string name_of(const Job& job, const PlantState& state) const;
  bool follow_fabric(PlantState& state, std::vector<EventRecord>& events);
  std::size_t lost_nodes(const Job& job, const PlantState& state) const;
  bool let_fail(const workload::FailureProcess* failures, workload::FailureCounters& counters,
                std::span<const std::size_t> racks, PlantState& state, std::vector<EventRecord>& events) const;
  void interrupt(std::size_t rack, std::size_t node, const std::string& why, PlantState& state,
                 std::vector<EventRecord>& events) const;
  bool rest_others(const Job& job, PlantState& state) const;
  bool replace_in_queue(const Job& job, PlantState& state, std::vector<EventRecord>& events) const;
  Job with_nodes_now(const Job& job, const PlantState& state) const;
  bool replace_lost(const Job& job, PlantState& state, std::vector<EventRecord>& events) const;
  bool take_spares(const Job& job, PlantState& state, std::vector<EventRecord>& events) const;
  bool act_on(const Job& job, PlantState& state, std::vector<EventRecord>& events) const;
  bool set_paces(std::span<const RackDigest> racks, PlantState& state, std::vector<EventRecord>& events);
  bool set_pace(const Job& job, const JobRacks::Slowest& slowest, PlantState& state,
                std::vector<EventRecord>& events) const;

  const Plant& plant_;
  const NodeCouplings& nodes_;
  JobRacks racks_;
  std::optional<QueueWatch> queue_;     ///< where jobs come and go
  std::optional<JobsOnFabric> fabric_;  ///< where it is modelled
  std::uint64_t fabric_stamp_ = 0;      ///< when jobs last reported what it does to them
  std::vector<std::size_t> all_racks_;
  std::vector<Job> jobs_;         ///< those that have nodes at present
  std::uint64_t jobs_stamp_ = 0;  ///< of the queue when they were looked up
  bool has_looked_ = false;
  std::vector<JobRacks::Slowest> slowest_;  ///< [job number] scratch
};

}  // namespace wattloop::twin
