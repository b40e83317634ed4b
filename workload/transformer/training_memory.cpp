#include "workload/transformer/training_memory.hpp"

#include <algorithm>

#include "workload/transformer/adapters.hpp"

namespace wattloop::workload {

namespace {

/// Bytes that the backward pass of a layer needs for each token of a micro-batch on a rank.
double activations_per_token_b(const TransformerModel& m, const ParallelPlan& plan) {
  const double tensor = plan.tensor, divisor = plan.has_sequence_parallelism ? tensor : 1.0;
  if (plan.recompute == Recompute::full) return 2.0 * m.width / divisor;
  const double frozen_inputs = plan.has_adapters() ? 1.0 : 0.0;  // of products of the feed-forward network: not kept
  const double inputs =
      (4.0 + 4.0 - 2.0 * frozen_inputs + (m.has_dropout ? 2.0 : 0.0)) * m.width;  // and of norms; masks
  const double attention = 2.0 * (m.query_width() + 2.0 * m.key_value_width()) + 2.0 * m.query_width();
  const double feed_forward = 2.0 * ((m.is_gated ? 3.0 : 2.0) - frozen_inputs) * m.feed_forward * m.experts_per_token;
  const bool has_scores = !plan.has_fused_attention && plan.recompute == Recompute::none;
  const double scores = has_scores ? (m.has_dropout ? 5.0 : 2.0) * m.heads * m.sequence : 0.0;
  return inputs / divisor + (attention + feed_forward + scores) / tensor;
}

}  // namespace

double parameters_of_gpu(const TransformerModel& m, const ParallelPlan& plan) {
  const ParameterCount count = parameter_count(m);
  const double shared = count.attention + count.norms_and_biases + count.embeddings + count.feed_forward / plan.expert;
  return shared / plan.tensor / plan.pipeline;
}

double trained_parameters_of_gpu(const TransformerModel& m, const ParallelPlan& plan) {
  if (!plan.has_adapters()) return parameters_of_gpu(m, plan);
  return adapter_parameters(m, plan) / plan.tensor / plan.pipeline;
}

TrainingMemory training_memory(const TransformerModel& m, const ParallelPlan& plan, const TrainingGpu& gpu) {
  const double parameters = parameters_of_gpu(m, plan), trained = trained_parameters_of_gpu(m, plan);
  const double shards = plan.has_sharded_optimizer ? plan.data * plan.context : 1.0;
  const double stages = plan.pipeline, chunks = plan.virtual_stages;
  const double under_way = std::min(stages * (1.0 + (chunks > 1 ? (stages - 1.0) / (stages * chunks) : 0.0)),
                                    static_cast<double>(plan.micro_batches()));
  const double tokens = static_cast<double>(plan.micro_batch) * m.sequence / plan.context;
  const double master_and_moments_b = 12.0;
  return {.weights_b = plan.weight_bytes_b * parameters,
          .gradients_b = plan.gradient_bytes_b * trained,
          .optimizer_b = master_and_moments_b * trained / shards,
          .activations_b = tokens * activations_per_token_b(m, plan) * m.layers / stages * under_way,
          .reserved_b = gpu.reserved_memory_b};
}

}  // namespace wattloop::workload
