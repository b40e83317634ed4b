// Bytes of a checkpoint, from what a training job keeps of each parameter.
//
//   bytes = parameters (weights + master copy + moments)
//
//   weights      in the precision of the job: bf16 and fp16 2 B, fp8 1 B, fp32 4 B
//   master copy  an fp32 copy of the weights for the optimizer, 4 B; none where weights are fp32
//   moments      fp32, 4 B each: two of Adam, one of gradient descent with momentum
//
// A distributed optimizer saves each number once: bf16 with Adam is 2 + 4 + 8 = 14 B [megatron_distributed_optimizer], [bloom_checkpoints].
// Verified in tests/verification/work/checkpoints.cpp. Documented in docs/models/checkpoints.md.
#pragma once

#include <string_view>

#include "workload/checkpoints/checkpoint_parameters.hpp"

namespace wattloop::workload {

/// What is saved of one parameter, B.
struct BytesPerParameter {
  double weights_b = 0.0;
  double master_b = 0.0;
  double moments_b = 0.0;
  double sum_b() const { return weights_b + master_b + moments_b; }
};
BytesPerParameter bytes_per_parameter(const CheckpointParams& params);

double checkpoint_bytes_b(const CheckpointParams& params);

}  // namespace wattloop::workload
