// Jobs that come and go: at decisions the scheduler starts waiting jobs on nodes that work; jobs end where their work is done or their time
// limit has passed, and wait again where they lost a node.
//
//   decisions    at whole multiples of the scheduler's interval, where one may start a job
//   ends         at their instants; their nodes are idle from then on, and are given away at the next decision
//
// Documented in docs/models/scheduler.md. Verified in tests/verification/work/queued_jobs.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twin/actions/work/coupling.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"
#include "workload/queue/job_queue.hpp"

namespace wattloop::twin {

class QueueWatch {
 public:
  /// All must outlive it.
  QueueWatch(const Plant& plant, const NodeCouplings& couplings, const workload::JobQueue& queue);

  /// Jobs that were submitted before the run and fit are running since before it.
  void prepare(PlantState& state) const;

  /// Ends and starts jobs. True if any did. Nothing before time zero.
  bool act(PlantState& state, std::vector<EventRecord>& events) const;

  /// The job of a slot loses its nodes and waits again, with what it has saved.
  void requeue(std::size_t slot, const std::string& why, PlantState& state, std::vector<EventRecord>& events) const;

  /// Spare nodes take the places of all lost ones of a job; of an elastic job also of some, and other nodes without a job where no job waits.
  /// What took over, in words; empty: nothing did.
  std::string replace(std::size_t slot, const std::vector<std::size_t>& lost, bool is_elastic, PlantState& state) const;

  double next_s(const PlantState& state) const;

  const workload::JobQueue& queue() const { return queue_; }
  const std::string& name_of(std::size_t slot, const PlantState& state) const;

 private:
  struct Ending {
    double at_s;
    bool is_done;  ///< else it is over its time limit
  };
  Ending ending_of(std::size_t slot, const PlantState& state) const;
  bool end_jobs(PlantState& state, std::vector<EventRecord>& events) const;
  void leave(const workload::RunningJob& running, std::size_t slot, bool is_done, PlantState& state) const;
  std::vector<double> node_ranks(const PlantState& state) const;
  std::vector<std::uint8_t> available_nodes(const PlantState& state) const;
  bool start_jobs(double now_s, PlantState& state, std::vector<EventRecord>& events) const;
  void start(std::size_t slot, double now_s, PlantState& state) const;
  std::string started_text(std::uint32_t request, const PlantState& state) const;
  const workload::SynchronousJob& program_of(std::size_t slot, const PlantState& state) const;

  void wake_nodes(PlantState& state) const;

  const Plant& plant_;
  const NodeCouplings& couplings_;
  const workload::JobQueue& queue_;
  workload::ClusterNodes nodes_;
  workload::Scheduler scheduler_;
};

}  // namespace wattloop::twin
