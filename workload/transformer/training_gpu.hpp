// A GPU as a training job sees it: peaks, memory, and the shares of them that software reaches.
//
// Peaks: [nvidia_h100_datasheet], [nvidia_a100_datasheet], dense. Efficiencies are calibrated (docs/models/transformer.md).
#pragma once

#include "workload/transformer/parallel_plan.hpp"

namespace wattloop::workload {

struct TrainingGpu {
  double bf16_flop_per_s = 989.4e12;
  double fp8_flop_per_s = 1978.9e12;
  int multiprocessors = 132;
  double memory_b = 80.0 * 1024.0 * 1024.0 * 1024.0;
  double memory_bandwidth_b_per_s = 3.35e12;
  int gpus_per_domain = 8;                  ///< joined by NVLink
  double reserved_memory_b = 4e9;           ///< context of the driver, buffers of collectives
  double bf16_efficiency_fraction = 0.714;  ///< of the peak, by a large matrix product
  double fp8_efficiency_fraction = 0.596;
  double attention_efficiency_fraction = 0.53;  ///< of the 16-bit peak, by fused attention of long sequences
  double attention_half_length = 800.0;         ///< tokens of a rank at which it reaches half of that
  double memory_efficiency_fraction = 0.85;     ///< of the bandwidth, by norms, activations, optimizer
  double jitter_fraction = 0.012;               ///< deviation of the time of a step from GPU to GPU
  double scaling_exchange_s =
      0.12e-3;  ///< FP8: of scaling factors in a pass of a chunk, for each doubling of its ranks

  double flop_per_s(Precision precision) const {
    return precision == Precision::fp8 ? fp8_flop_per_s : bf16_flop_per_s;
  }
  double efficiency_fraction(Precision precision) const {
    return precision == Precision::fp8 ? fp8_efficiency_fraction : bf16_efficiency_fraction;
  }
};

/// 80 GB, SXM5.
constexpr TrainingGpu h100_training_gpu() { return {}; }

/// 80 GB, SXM4: no FP8.
constexpr TrainingGpu a100_training_gpu() {
  return {.bf16_flop_per_s = 312e12,
          .fp8_flop_per_s = 312e12,
          .multiprocessors = 108,
          .memory_bandwidth_b_per_s = 2.039e12,
          .bf16_efficiency_fraction = 0.725,
          .jitter_fraction = 0.0,
          .scaling_exchange_s = 0.0};
}

}  // namespace wattloop::workload
