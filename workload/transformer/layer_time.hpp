// Time of one layer for one micro-batch on one GPU, forward and backward.
//
//   product      m x k by k x n:  t = sqrt(t_c^2 + t_b^2),  t_c = 2 m n k / (peak x efficiency x waves),  t_b = bytes / memory bandwidth
//                A100: only inputs are read while it computes; its result is written after each tile and adds its own bytes / memory bandwidth
//                waves: tiles of 128 x 256 over those of whole waves of all multiprocessors [nvidia_matmul_guide]
//   backward     two products of the same FLOP, for inputs and for weights; gradients of weights are read, added to and written in FP32
//   adapters     frozen weights have no gradients; two products of low rank beside those of attention (workload/transformer/adapters.hpp)
//   attention    fused: 4 (forward) and 10 (backward) b s^2 h_q / 2 FLOP of the lower triangle at 16 bit [dao2023], at an efficiency that grows with
//                the length l of a rank: e l / (l + l_half); not fused: two products for each head, and scores that pass through memory
//   memory       norms, dropout, residuals, activations, softmax: bytes / (bandwidth x efficiency)
//   tensor       forward: all-gather before and reduce-scatter after each of two pairs of products (sequence parallelism), or an all-reduce after it;
//                backward: an all-gather for each pair; what belongs to gradients of inputs runs behind gradients of weights [korthikanti2022]:
//                a reduce-scatter, and an all-gather of inputs again; without sequence parallelism an all-reduce
//   hidden       communication behind products takes multiprocessors from them: n of N for C seconds lengthen them by C n / N [nccl_multiprocessors]
//
// Documented in docs/models/transformer.md. Verified in tests/verification/work/transformer.cpp.
#pragma once

#include "workload/transformer/communication_times.hpp"
#include "workload/transformer/parallel_plan.hpp"
#include "workload/transformer/training_gpu.hpp"
#include "workload/transformer/transformer_model.hpp"

namespace wattloop::workload {

/// All that a step time follows from.
struct TrainingSetup {
  const TransformerModel& model;
  const ParallelPlan& plan;
  const TrainingGpu& gpu;
  const CommunicationTimes& times;
};

/// Rows, columns and inner length of a product, and how many of them there are.
struct MatrixProduct {
  double rows = 0.0;
  double columns = 0.0;
  double inner = 0.0;
  double count = 1.0;
  double element_bytes_b = 2.0;  ///< of its inputs
  double result_bytes_b = 2.0;   ///< for each element of the result: read and written

  double flop() const { return 2.0 * rows * columns * inner * count; }
};

/// Share of the tiles of 128 x 256 that multiprocessors work on in whole waves which belongs to the result.
double wave_fraction(const MatrixProduct& product, const TrainingGpu& gpu);

double product_time_s(const MatrixProduct& product, const TrainingGpu& gpu, Precision precision);

/// FLOP/s over the peak.
double product_efficiency_fraction(const MatrixProduct& product, const TrainingGpu& gpu, Precision precision);

/// By kind. Communication is what computing does not hide.
struct WorkTime {
  double matrix_s = 0.0;
  double attention_s = 0.0;
  double memory_s = 0.0;
  double tensor_s = 0.0;
  double context_s = 0.0;
  double expert_s = 0.0;
  double flop = 0.0;  ///< of a GPU, as computed: masked scores that are left out do not count

  double sum_s() const { return matrix_s + attention_s + memory_s + tensor_s + context_s + expert_s; }
};
WorkTime operator+(const WorkTime& a, const WorkTime& b);
WorkTime operator*(double times, const WorkTime& work);

struct PassTimes {
  WorkTime forward = {};
  WorkTime backward = {};
  WorkTime recompute = {};

  WorkTime sum() const { return forward + backward + recompute; }
};

/// A layer, one micro-batch.
PassTimes layer_times(const TrainingSetup& setup);

/// The output layer with its loss, one micro-batch: at 16 bit, whatever the precision of the job.
PassTimes output_times(const TrainingSetup& setup);

}  // namespace wattloop::workload
