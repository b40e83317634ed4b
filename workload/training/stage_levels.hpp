// What nodes of each pipeline stage of a training job draw in a window, without deviations: from levels of phases, or from a model of the step.
//
// Documented in docs/models/training_job.md.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workload/training/stage_mix.hpp"
#include "workload/training/step_work.hpp"

namespace wattloop::workload {

class StageLevels {
 public:
  /// `steps`: null: levels of phases, and node i is in stage i modulo stages.
  StageLevels(const TrainingParams& params, const NodeSet& nodes, std::shared_ptr<const StepWork> steps);

  const PhaseLevels& levels_w() const { return levels_w_; }
  std::size_t stages() const { return stages_; }
  std::size_t stage_of(std::size_t node) const { return stage_of_node_[node]; }
  const std::uint8_t* stages_of_nodes() const { return stage_of_node_.data(); }

  /// Mixes of the stages of `nodes` between two instants of a pace, as shares of `interval_s`, each at its place among those of all stages.
  void mix(const TrainingClock::Pace& pace, double start_s, double end_s, double interval_s, NodeRange nodes,
           double* mixes) const;

  /// What GPUs of a node do in a sample.
  SampleShares shares(const TrainingClock& clock, const JobClock& job, double t_s, std::size_t node) const;

 private:
  StageMix mix_of_seconds(const PhaseSeconds& before, const PhaseSeconds& after, double interval_s) const;

  TrainingParams params_;
  std::shared_ptr<const StepWork> steps_;
  PhaseLevels levels_w_;
  std::size_t stages_;
  std::vector<std::uint8_t> stage_of_node_;
};

}  // namespace wattloop::workload
