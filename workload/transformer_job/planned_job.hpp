// The plan of a transformer job on its GPUs, and the step that follows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workload/transformer/training_memory.hpp"
#include "workload/transformer_job/transformer_params.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::workload {

struct PlannedJob {
  TransformerModel model;
  ParallelPlan plan;
  TrainingGpu gpu;
  GpuPowerLevels levels;
  int gpus = 0;                 ///< that work: without spare nodes
  std::string batch_mistake{};  ///< what is wrong with its batch, whatever the plan; empty: nothing

  /// What a step asks of a network that answers. The job must outlive it.
  TrainingSetup setup(const CommunicationTimes& times) const { return {model, plan, gpu, times}; }
};

/// Of a job on these nodes. What is wrong with it: `mistakes_in`.
PlannedJob plan_job(const TransformerParams& params, const NodeSet& nodes);

/// What GPUs and plan contradict, each beginning with the key that it belongs to; empty: nothing.
std::vector<std::string> mistakes_in(const PlannedJob& job);

/// "GPT-3 ...: tensor 4 x pipeline 8 (virtual 6) x data 320; a step takes 1.003 s: 5.2 M tokens/s, MFU 36 %".
std::string step_note(const PlannedJob& job, const StepTime& step);

}  // namespace wattloop::workload
