#include "workload/checkpoints/checkpoint_size.hpp"

namespace wattloop::workload {

namespace {

constexpr double fp32_b = 4.0;

/// Of one weight.
double weight_b(std::string_view precision) {
  if (precision == "fp32") return fp32_b;
  if (precision == "fp8") return 1.0;
  return 2.0;  // bf16, fp16
}

int moments(std::string_view optimizer) {
  if (optimizer == "adam") return 2;
  return optimizer == "sgd" ? 1 : 0;
}

}  // namespace

BytesPerParameter bytes_per_parameter(const CheckpointParams& params) {
  const bool has_optimizer = params.optimizer != "none" && params.contents != "weights";
  const bool has_weights = params.contents != "optimizer";
  const bool has_master = has_optimizer && params.precision != "fp32";
  const bool are_weights_master = has_optimizer && params.precision == "fp32";
  return {.weights_b = has_weights || are_weights_master ? weight_b(params.precision) : 0.0,
          .master_b = has_master ? fp32_b : 0.0,
          .moments_b = has_optimizer ? fp32_b * moments(params.optimizer) : 0.0};
}

double checkpoint_bytes_b(const CheckpointParams& params) {
  return params.parameters * bytes_per_parameter(params).sum_b();
}

}  // namespace wattloop::workload
