// A GPU as a training job sees it: peaks, memory, and the shares of them that software reaches.
//
// Peaks: [nvidia_h100_datasheet], [nvidia_a100_datasheet], [nvidia_h200_datasheet], [nvidia_b200_datasheet], dense. Efficiencies are calibrated for
// H100 and A100; H200 and B200 have those of H100, an estimate (docs/models/transformer.md). Launches: FP8 is calibrated, BF16 is in the proportion
// of a linear layer, whose 5 and 3 kernels take 2.072 and 0.574 ms [transformer_engine_launches].
#pragma once

#include <array>
#include <string_view>

#include "core/parts/field.hpp"
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
      0.12e-3;                     ///< FP8: of scaling factors in a pass of a chunk, for each doubling of its ranks
  double bf16_launch_s = 45.5e-6;  ///< in which a host launches a kernel, with its framework; 0: CUDA graphs
  double fp8_launch_s = 98.6e-6;
  int communication_multiprocessors = 0;  ///< that communication behind products takes from them
  bool has_overlapped_epilogue = true;  ///< a tile of a result is written while the next one is computed [cutlass_gemm]
  double power_limit_w = 700.0;
  double nvlink_b_per_s = 0.0;   ///< of a ring, where it differs from that of an H100 [nccl_tests]; 0: it does not
  double adapter_b_per_s = 0.0;  ///< the same of its network adapter
  std::string_view name = "h100_sxm";

  static constexpr auto fields() {
    using P = TrainingGpu;
    return std::array{
        Field<P>{&P::memory_b, "memory", "B", Range::positive, "Memory of a GPU."},
        Field<P>{&P::reserved_memory_b, "reserved_memory", "B", Range::non_negative,
                 "Memory of a GPU that the driver and buffers of collectives occupy; an estimate."},
        Field<P>{&P::bf16_efficiency_fraction, "bf16_efficiency", "1", Range::positive_fraction,
                 "Share of the BF16 peak that large matrix products reach."},
        Field<P>{&P::fp8_efficiency_fraction, "fp8_efficiency", "1", Range::positive_fraction,
                 "Share of the FP8 peak that large matrix products reach."},
        Field<P>{&P::attention_efficiency_fraction, "attention_efficiency", "1", Range::positive_fraction,
                 "Share of the 16-bit peak that fused attention of long sequences reaches."},
        Field<P>{&P::memory_efficiency_fraction, "memory_efficiency", "1", Range::positive_fraction,
                 "Share of the memory bandwidth that norms, activations and the optimizer reach."},
        Field<P>{&P::jitter_fraction, "jitter", "1", Range::fraction,
                 "Standard deviation of the step time between GPUs; all GPUs wait for the slowest."},
        Field<P>{&P::scaling_exchange_s, "scaling_exchange", "s", Range::non_negative,
                 "With fp8: time for the exchange of scaling factors in one pass of a chunk, for each doubling of its "
                 "ranks."},
        Field<P>{
            &P::bf16_launch_s, "bf16_launch", "s", Range::non_negative,
            "Time in which the host launches one kernel of a layer; GPUs wait for it if their kernels are shorter. "
            "0: kernels are launched together (CUDA graphs)."},
        Field<P>{&P::fp8_launch_s, "fp8_launch", "s", Range::non_negative,
                 "The same with fp8, whose casts and scaling factors keep the host busy."},
    };
  }

  double flop_per_s(Precision precision) const {
    return precision == Precision::fp8 ? fp8_flop_per_s : bf16_flop_per_s;
  }
  double launch_s(Precision precision) const { return precision == Precision::fp8 ? fp8_launch_s : bf16_launch_s; }
  double efficiency_fraction(Precision precision) const {
    return precision == Precision::fp8 ? fp8_efficiency_fraction : bf16_efficiency_fraction;
  }
};

/// 80 GB, SXM5. Exchanges behind products take 2 to 4 of its multiprocessors [mlperf_training_v40_lora], which the fitted efficiency contains.
constexpr TrainingGpu h100_training_gpu() { return {}; }

/// 80 GB, SXM4: no FP8. An all-reduce over its 12 NVLinks takes 24 multiprocessors, which no product shares [nccl_multiprocessors].
constexpr TrainingGpu a100_training_gpu() {
  return {.bf16_flop_per_s = 312e12,
          .fp8_flop_per_s = 312e12,
          .multiprocessors = 108,
          .memory_bandwidth_b_per_s = 2.039e12,
          .bf16_efficiency_fraction = 0.805,
          .jitter_fraction = 0.0,
          .scaling_exchange_s = 0.0,
          .communication_multiprocessors = 24,
          .has_overlapped_epilogue = false,
          .power_limit_w = 400.0,
          .nvlink_b_per_s = 230e9,
          .adapter_b_per_s = 24e9,
          .name = "a100_sxm"};
}

/// 141 GB, SXM5.
constexpr TrainingGpu h200_training_gpu() {
  return {.memory_b = 141e9, .memory_bandwidth_b_per_s = 4.8e12, .name = "h200_sxm"};
}

/// 180 GB, SXM6 of an HGX.
constexpr TrainingGpu b200_training_gpu() {
  return {.bf16_flop_per_s = 2250e12,
          .fp8_flop_per_s = 4500e12,
          .multiprocessors = 148,
          .memory_b = 180e9,
          .memory_bandwidth_b_per_s = 7.7e12,
          .power_limit_w = 1000.0,
          .name = "b200_sxm"};
}

/// GPUs that a scenario can name; H100 first.
inline constexpr std::array training_gpus{h100_training_gpu(), h200_training_gpu(), a100_training_gpu(),
                                          b200_training_gpu()};

}  // namespace wattloop::workload
