// What nodes of a transformer job draw in its steps, and in the evaluations and checkpoints between them.
//
//   energy until t    whole steps, evaluations and checkpoints, each in closed form, and the part of the one under way
//   between           power goes on from where the step ended, and the next step from where they end
//
// A node has the stage of its rank: ranks are numbered tensor first, then context, data, pipeline. One that holds several stages has their mean.
// Verified in tests/verification/work/transformer_steps_power.cpp. Documented in docs/models/transformer.md.
#pragma once

#include <cstddef>
#include <vector>

#include "workload/training/step_work.hpp"
#include "workload/transformer_job/planned_job.hpp"

namespace wattloop::workload {

class TransformerSteps final : public StepWork {
 public:
  /// `step` and `schedule` are those of the job on a sound network at full clock; `params` those of its evaluations and checkpoints.
  TransformerSteps(const PlannedJob& job, const CommunicationTimes& times, const StepTime& step,
                   const TrainingParams& params, const NodeSet& nodes);

  const PhaseLevels& levels_w() const override { return levels_w_; }
  std::size_t classes() const override { return stages_of_class_.size(); }
  std::size_t class_of(std::size_t node) const override;
  std::vector<StepExchange> exchanges() const override;
  double communication_s(const CommunicationTimes& times) const override;
  WorkInWindow between(const TrainingClock::Pace& pace, double start_s, double end_s,
                       std::size_t of_class) const override;

 private:
  struct Stages {  // [first, end)
    std::size_t first, end;
  };
  struct Interruption;
  class Course;
  StepPace pace_of(const TrainingSchedule& slowest) const;

  PlannedJob job_;
  StepTime step_;
  GpuPowerLevels levels_;
  TrainingSchedule schedule_;
  PhaseLevels levels_w_ = {};
  std::vector<std::vector<StepSegment>> timelines_;  ///< [stage]
  std::vector<StagePower> at_full_pace_;             ///< [stage]
  std::vector<Stages> stages_of_class_;
  std::size_t first_gpu_ = 0, gpus_per_node_ = 1, gpus_per_stage_ = 1;
};

}  // namespace wattloop::workload
