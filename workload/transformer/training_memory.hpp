// Memory of a GPU in a training job, by kind.
//
//   parameters of a GPU    (L / p) layers / t, an embedding / t on the first and on the last stage
//   weights, gradients     bytes of each, times parameters
//                          gradients and optimizer of adapters alone, if the plan has some
//   optimizer              12 B: master copy and two moments of Adam in FP32; sharded: over data and context ranks
//   activations            b s / c (8 h + masks + ...) of each layer [korthikanti2022]: with dropout and attention that is not fused
//                          s b h (10 + 24 / t + 5 a s / (h t)); times L / p layers x p micro-batches under way x (1 + (p - 1) / (p v))
//
// The first stage has most activations under way. Verified in tests/verification/work/transformer_memory.cpp against [korthikanti2022].
// Documented in docs/models/transformer.md.
#pragma once

#include "workload/transformer/parallel_plan.hpp"
#include "workload/transformer/training_gpu.hpp"
#include "workload/transformer/transformer_model.hpp"

namespace wattloop::workload {

/// Of the mean stage: layers and embeddings over all stages and tensor ranks; experts over their ranks, too.
double parameters_of_gpu(const TransformerModel& model, const ParallelPlan& plan);

/// Those that train: adapters, if the plan has some.
double trained_parameters_of_gpu(const TransformerModel& model, const ParallelPlan& plan);

struct TrainingMemory {
  double weights_b = 0.0;
  double gradients_b = 0.0;
  double optimizer_b = 0.0;
  double activations_b = 0.0;
  double reserved_b = 0.0;

  double sum_b() const { return weights_b + gradients_b + optimizer_b + activations_b + reserved_b; }
};

TrainingMemory training_memory(const TransformerModel& model, const ParallelPlan& plan, const TrainingGpu& gpu);

}  // namespace wattloop::workload
