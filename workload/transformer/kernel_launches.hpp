// Kernels of a layer, which a host launches one after the other.
//
//   host of a layer      kernels x time of a launch: GPUs wait where their own time is shorter (small micro-batches, adapters); CUDA graphs: no time
//   product with weights 1 forward, 2 backward (1 if frozen); FP8: 1 more in each pass to cast its input, and 1 to transpose frozen weights
//   memory               norms 2, residuals 2, activation 1, rotation or bias of queries and keys 2; the same backward
//   fused attention      one for each of c context ranks; between them 2: keys and values are exchanged, results are corrected
//   attention not fused  2 products, softmax, dropout; backward twice the products
//   exchanges            4 among tensor ranks in each pass (2 without sequence parallelism), 2 among experts
//   adapter              2 products, dropout, scale, sum, an exchange; backward 4 products and the same: two adapters
//
// Counted from the terms of workload/transformer/layer_time.cpp; the configuration of the runs with adapters has casts and transpositions
// [mlperf_training_v40_lora]. Verified in tests/verification/jobs/kernel_launches.cpp. Documented in docs/models/transformer.md.
#pragma once

#include "workload/transformer/parallel_plan.hpp"
#include "workload/transformer/transformer_model.hpp"

namespace wattloop::workload {

/// Of a layer, one micro-batch, on one GPU.
struct KernelLaunches {
  double forward = 0.0;
  double backward = 0.0;
  double recompute = 0.0;

  double sum() const { return forward + backward + recompute; }
};
KernelLaunches kernel_launches(const TransformerModel& model, const ParallelPlan& plan);

}  // namespace wattloop::workload
