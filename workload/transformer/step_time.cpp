#include "workload/transformer/step_time.hpp"

#include <algorithm>
#include <cmath>

#include "workload/transformer/adapters.hpp"
#include "workload/transformer/kernel_launches.hpp"
#include "workload/transformer/training_memory.hpp"

namespace wattloop::workload {

namespace {

/// One micro-batch through the stages.
struct StageTimes {
  PassTimes layer;
  PassTimes output;
  double mean_s;
  double most_s;
  double host_s;  ///< to launch the kernels of the layers of a stage
};

StageTimes stage_times(const TrainingSetup& s) {
  StageTimes times{layer_times(s), output_times(s), 0.0, 0.0, 0.0};
  const double layer_s = times.layer.sum().sum_s(), output_s = times.output.sum().sum_s();
  const double stages = s.plan.pipeline;
  const double layers = s.plan.layers_of_schedule(s.model.layers) / stages;
  const double last = layers - (s.plan.counts_embeddings_as_layers ? (stages > 1 ? 1.0 : 2.0) : 0.0);
  times.mean_s = (s.model.layers * layer_s + output_s) / stages;
  times.most_s = std::max(stages > 1 ? (stages > 2 ? layers : last) * layer_s : 0.0, last * layer_s + output_s);
  times.host_s = s.model.layers / stages * kernel_launches(s.model, s.plan).sum() * s.gpu.launch_s(s.plan.precision);
  return times;
}

/// From one stage to the next. Tensor ranks send a share each.
double message_s(const TrainingSetup& s) {
  if (s.plan.pipeline < 2) return 0.0;
  const double tokens = static_cast<double>(s.plan.micro_batch) * s.model.sequence / s.plan.context;
  const double bytes_b = 2.0 * tokens * s.model.width / s.plan.tensor;
  return s.times.time_s(Exchange::point_to_point, {2, s.plan.gpus() / s.plan.pipeline}, bytes_b);
}

/// Gradients and weights of a GPU among its replicas.
double data_s(const TrainingSetup& s, double hideable_s) {
  const RankGroup group{s.plan.data * s.plan.context, s.plan.tensor};
  if (group.ranks < 2) return 0.0;
  const double parameters = trained_parameters_of_gpu(s.model, s.plan);
  if (!s.plan.has_sharded_optimizer)
    return s.times.time_s(Exchange::all_reduce, group, parameters * s.plan.gradient_bytes_b);
  const double scatter_s = s.times.time_s(Exchange::reduce_scatter, group, parameters * s.plan.gradient_bytes_b);
  const double gather_s = s.times.time_s(Exchange::all_gather, group, parameters * s.plan.weight_bytes_b);
  const double of_other_chunks = 1.0 - 1.0 / s.plan.virtual_stages;
  const double hidden_s =
      std::min(of_other_chunks * scatter_s, hideable_s) + std::min(of_other_chunks * gather_s, 0.5 * hideable_s);
  return scatter_s + gather_s - s.plan.data_overlap_fraction * hidden_s;
}

/// Master copy and two moments of Adam are read and written, gradients read for their norm, clipped and read, weights written; all gradients are set to
/// zero. A whole optimizer has passes of their own for the mean over replicas, for the scale of the loss, and for the copy of weights [megatron_lm_v3].
double optimizer_s(const TrainingSetup& s) {
  const double gradient_b = s.plan.gradient_bytes_b, state_b = 24.0 + 4.0 * gradient_b + s.plan.weight_bytes_b;
  double bytes_b = gradient_b;
  if (s.plan.has_sharded_optimizer) {
    bytes_b += state_b / (s.plan.data * s.plan.context);
  } else {
    const double mean_b = 2.0 * gradient_b, scale_b = s.plan.has_loss_scaling ? 2.0 * gradient_b : 0.0, copy_b = 4.0;
    bytes_b += state_b + mean_b + scale_b + copy_b;
  }
  bytes_b *= trained_parameters_of_gpu(s.model, s.plan);
  return bytes_b / (s.gpu.memory_bandwidth_b_per_s * s.gpu.memory_efficiency_fraction);
}

/// Ranks that have the same layers agree on the scaling factors of FP8 in each forward pass of a chunk.
double scaling_s(const TrainingSetup& s) {
  if (s.plan.precision != Precision::fp8) return 0.0;
  const double ranks = s.plan.tensor * s.plan.context * s.plan.data;
  return s.plan.micro_batches() * s.plan.virtual_stages * s.gpu.scaling_exchange_s * std::log2(ranks);
}

/// What a mean GPU does in all micro-batches.
void add_work(const TrainingSetup& s, const StageTimes& stages, StepTime& step) {
  const double count = static_cast<double>(s.plan.micro_batches()) / s.plan.pipeline;
  const double layers = count * s.model.layers;
  const PassTimes &layer = stages.layer, &output = stages.output;
  const WorkTime work = layers * (layer.forward + layer.backward) + count * output.sum();
  const WorkTime again = layers * layer.recompute;
  step.matrix_s = work.matrix_s;
  step.attention_s = work.attention_s;
  step.memory_s = work.memory_s;
  step.recompute_s = again.matrix_s + again.attention_s + again.memory_s;
  step.tensor_s = work.tensor_s + again.tensor_s;
  step.context_s = work.context_s + again.context_s;
  step.expert_s = work.expert_s + again.expert_s;
  step.flop_per_gpu = work.flop + again.flop;
}

/// FLOP of recomputing by the definition of the model: no mask is deducted.
double recompute_flop_per_token(const TransformerModel& m, Recompute recompute) {
  const double attention = 4.0 * m.layers * m.sequence * m.query_width();
  if (recompute == Recompute::none) return 0.0;
  if (recompute == Recompute::selective) return attention;
  return attention + 2.0 * (parameters_passed(m) - static_cast<double>(m.vocabulary) * m.width);
}

void add_figures(const TrainingSetup& s, StepTime& step) {
  const double tokens = static_cast<double>(s.plan.global_batch) * s.model.sequence;
  const double flop = training_flop_per_token(s.model, s.plan);
  step.tokens_per_s = tokens / step.step_s;
  step.model_flop_per_s = flop * step.tokens_per_s / s.plan.gpus();
  step.mfu_fraction = step.model_flop_per_s / s.gpu.flop_per_s(s.plan.precision);
  step.hfu_fraction = step.mfu_fraction * (1.0 + recompute_flop_per_token(s.model, s.plan.recompute) / flop);
}

}  // namespace

StepTime step_time(const TrainingSetup& s) {
  StepTime step;
  const StageTimes stages = stage_times(s);
  const double micro_batches = s.plan.micro_batches(), chunks = s.plan.virtual_stages, ahead = s.plan.pipeline - 1.0;
  add_work(s, stages, step);
  const double message = message_s(s);
  step.pipeline_s = 2.0 * message * (micro_batches * chunks * (1.0 - s.plan.pipeline_overlap_fraction) + ahead);
  step.imbalance_s = micro_batches * (stages.most_s - stages.mean_s);
  step.launch_s = micro_batches * std::max(0.0, stages.host_s - stages.most_s);
  step.bubble_s = ahead * std::max(stages.mean_s, stages.host_s) / chunks;
  step.scaling_s = scaling_s(s);
  const double busy_s =
      micro_batches * stages.most_s + step.launch_s + step.bubble_s + step.pipeline_s + step.scaling_s;
  step.jitter_s = busy_s * s.gpu.jitter_fraction * std::sqrt(2.0 * std::log(static_cast<double>(s.plan.gpus())));
  const double backward_s = stages.layer.backward.sum_s() * s.model.layers / s.plan.pipeline;
  step.data_s = data_s(s, s.plan.pipeline * backward_s * (1.0 - 1.0 / chunks));
  step.optimizer_s = optimizer_s(s);
  step.host_s = s.plan.host_s;
  step.step_s = busy_s + step.jitter_s + step.host_s + step.data_s + step.optimizer_s;
  add_figures(s, step);
  return step;
}

}  // namespace wattloop::workload
