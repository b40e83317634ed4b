// Time of a training step, and where it goes.
//
//   step     = (n max(T_max, H) + bubble + messages + scaling) (1 + sigma sqrt(2 ln N)) + host + data + optimizer
//   T_max      of the stage with most to do: the others wait n (T_max - T_mean) for it
//   H          time in which the host of a GPU launches the kernels of its layers (workload/transformer/kernel_launches.hpp)
//   bubble   = (p - 1) max(T_mean, H) / v: a share (p - 1) / (n v) of computing [narayanan2021]
//   scaling    FP8: ranks of a stage agree on scaling factors in each of n v passes, a constant for each doubling of their number
//   data       gradients are reduced and weights gathered; of what other chunks can hide, a share is hidden
//   jitter     the slowest of N GPUs is sqrt(2 ln N) deviations sigma late
//   MFU        FLOP of the model by definition over time and peak; HFU: with what is computed anew
//
// n micro-batches, p stages of v chunks. Documented in docs/models/transformer.md. Verified in tests/verification/work/transformer.cpp.
#pragma once

#include "workload/transformer/layer_time.hpp"

namespace wattloop::workload {

/// Seconds of a step of a mean GPU. They add up to `step_s`.
struct StepTime {
  double matrix_s = 0.0;
  double attention_s = 0.0;
  double memory_s = 0.0;  ///< norms, activations, residuals
  double recompute_s = 0.0;
  double tensor_s = 0.0;  ///< communication: what computing does not hide
  double context_s = 0.0;
  double expert_s = 0.0;
  double pipeline_s = 0.0;
  double data_s = 0.0;
  double launch_s = 0.0;     ///< waiting for hosts that launch kernels
  double imbalance_s = 0.0;  ///< waiting for the stage with most to do
  double bubble_s = 0.0;     ///< filling and draining of the pipeline
  double scaling_s = 0.0;    ///< exchange of scaling factors of FP8
  double jitter_s = 0.0;     ///< waiting for the slowest GPU
  double host_s = 0.0;       ///< waiting for hosts: what the plan says
  double optimizer_s = 0.0;
  double step_s = 0.0;

  double tokens_per_s = 0.0;      ///< of the job
  double model_flop_per_s = 0.0;  ///< of a GPU
  double mfu_fraction = 0.0;      ///< model FLOP utilisation of the peak of the precision
  double hfu_fraction = 0.0;      ///< hardware FLOP utilisation: with recomputing
  double flop_per_gpu = 0.0;      ///< of a step, as computed

  double computing_s() const { return matrix_s + attention_s + memory_s + recompute_s; }
  double communication_s() const { return tensor_s + context_s + expert_s + pipeline_s + scaling_s + data_s; }
};

/// Of a plan without mistakes.
StepTime step_time(const TrainingSetup& setup);

}  // namespace wattloop::workload
