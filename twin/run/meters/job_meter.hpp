// Energy of jobs that come and go, and of nodes without one, at the AC inlets of nodes.
//
// The energy of a rack whose nodes all have one job, or none, is that of the rack. Where jobs share a rack, they share its energy as what the units of
// their nodes draw: loads, and leakage of dies. What is shared out is all that nodes take.
// Verified in tests/verification/work/job_energy.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "workload/queue/job_queue.hpp"

namespace wattloop::twin {

/// A value, which may be copied with a checkpoint.
class JobMeter {
 public:
  /// `plant` and `queue` must outlive it.
  JobMeter(const Plant& plant, const workload::JobQueue& queue);

  /// Powers that hold for `duration_s`.
  void integrate(const PlantState& state, const Evaluation& evaluation, double duration_s);

  /// [job of the list] J
  std::span<const double> energy_j() const { return energy_j_; }
  double of_jobs_j() const;
  /// Of nodes that have no job, J.
  double idle_j() const { return idle_j_; }

  /// All that it remembers, to a checkpoint and back.
  template <class Archive>
  void keep(Archive& archive) {
    archive(energy_j_, idle_j_);
  }

 private:
  void look_at(const workload::QueueState& queue);
  double node_w(std::size_t rack, std::size_t node, const PlantState& state) const;
  void share(std::size_t rack, double rack_j, const PlantState& state);
  void add(std::uint32_t slot_number, double energy_j, const workload::QueueState& queue);

  const Plant* plant_;
  std::vector<double> energy_j_;      ///< [job of the list]
  double idle_j_ = 0.0;               ///< of nodes without a job
  std::vector<std::uint32_t> owner_;  ///< [rack] as `Placement::slot_of_node`, or `shared`
  std::uint64_t stamp_ = 0;           ///< of the queue when they were looked up
  std::vector<double> weights_;       ///< [node of a rack] scratch
};

}  // namespace wattloop::twin
