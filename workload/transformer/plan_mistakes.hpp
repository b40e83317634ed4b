// What is wrong with a parallel plan, and what is unusual about it.
#pragma once

#include <string>
#include <vector>

#include "workload/transformer/parallel_plan.hpp"
#include "workload/transformer/training_gpu.hpp"
#include "workload/transformer/transformer_model.hpp"

namespace wattloop::workload {

/// All reasons why so many GPUs cannot train a model by a plan, a sentence each: counts that do not divide, memory that is not enough. Empty: they can.
std::vector<std::string> plan_mistakes(const TransformerModel& model, const ParallelPlan& plan, const TrainingGpu& gpu,
                                       int gpus);

/// What is possible and slow, a sentence each: tensor parallelism wider than an NVLink domain.
std::vector<std::string> plan_notes(const ParallelPlan& plan, const TrainingGpu& gpu);

/// Data parallelism that follows from the GPUs of a job; 0: they are no multiple of the other degrees.
int data_parallelism(const ParallelPlan& plan, int gpus);

}  // namespace wattloop::workload
