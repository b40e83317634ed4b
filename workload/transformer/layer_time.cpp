#include "workload/transformer/layer_time.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wattloop::workload {

namespace {

constexpr double bf16_b = 2.0;
constexpr double fp32_b = 4.0;

struct Shape {
  double tokens;        // of a micro-batch on a rank, gathered from its tensor ranks
  double norm_divisor;  // ranks that share norms
};

Shape shape_of(const TrainingSetup& s) {
  return {static_cast<double>(s.plan.micro_batch) * s.model.sequence / s.plan.context,
          s.plan.has_sequence_parallelism ? static_cast<double>(s.plan.tensor) : 1.0};
}

/// Whether the weights of a product have gradients.
enum class Weights { train, are_frozen };

/// Of the weights of the model.
Weights weights_of(const TrainingSetup& s) { return s.plan.has_adapters() ? Weights::are_frozen : Weights::train; }

/// Forward and backward of a product with weights.
void add_weights(const TrainingSetup& s, Precision precision, Weights are, MatrixProduct product, PassTimes& times) {
  product.element_bytes_b = precision == Precision::fp8 ? 1.0 : bf16_b;
  times.forward.matrix_s += product_time_s(product, s.gpu, precision);
  times.forward.flop += product.flop();
  MatrixProduct inputs = product;
  std::swap(inputs.columns, inputs.inner);
  times.backward.matrix_s += product_time_s(inputs, s.gpu, precision);
  times.backward.flop += (are == Weights::are_frozen ? 1.0 : 2.0) * product.flop();
  if (are == Weights::are_frozen) return;
  MatrixProduct weights = product;
  std::swap(weights.rows, weights.inner);
  weights.result_bytes_b = 2.0 * fp32_b;
  times.backward.matrix_s += product_time_s(weights, s.gpu, precision);
}

/// Of a layer: attention and, as many as a token passes, experts.
void add_products(const TrainingSetup& s, PassTimes& times) {
  const TransformerModel& m = s.model;
  const double tensor = s.plan.tensor, tokens = shape_of(s).tokens;
  const auto add = [&](const MatrixProduct& product) {
    add_weights(s, s.plan.precision, weights_of(s), product, times);
  };
  add({tokens, (m.query_width() + 2.0 * m.key_value_width()) / tensor, double(m.width)});
  add({tokens, double(m.width), m.query_width() / tensor});
  const double experts = static_cast<double>(m.experts) / s.plan.expert;  // of this rank
  const double rows = tokens * m.experts_per_token / experts;  // of each: tokens of all ranks that share them
  const double inner = m.feed_forward / tensor;
  add({rows, (m.feed_forward_products() - 1.0) * inner, double(m.width), experts});
  add({rows, double(m.width), inner, experts});
}

double memory_time_s(const TrainingSetup& s, double bytes_b) {
  return bytes_b / (s.gpu.memory_bandwidth_b_per_s * s.gpu.memory_efficiency_fraction);
}

/// Two products of a low rank beside each product of attention. Their inputs pass through dropout, and their result is scaled and added.
void add_adapters(const TrainingSetup& s, PassTimes& times) {
  if (!s.plan.has_adapters()) return;
  const TransformerModel& m = s.model;
  const auto [tokens, divisor] = shape_of(s);
  const double rank = s.plan.adapter_rank, tensor = s.plan.tensor,
               outputs = m.query_width() + 2.0 * m.key_value_width();
  for (const MatrixProduct& product :
       {MatrixProduct{tokens, rank, double(m.width)}, MatrixProduct{tokens, outputs / tensor, rank},
        MatrixProduct{tokens, rank, m.query_width() / tensor}, MatrixProduct{tokens, double(m.width), rank}})
    add_weights(s, Precision::bf16, Weights::train, product, times);
  const double dropout_b = 2.0 * bf16_b + 1.0, scale_and_add_b = 5.0 * bf16_b;
  const double bytes_b = tokens * (dropout_b * (m.width / divisor + m.query_width() / tensor) +
                                   scale_and_add_b * (outputs / tensor + m.width / divisor));
  times.forward.memory_s += memory_time_s(s, bytes_b);
  times.backward.memory_s += memory_time_s(s, bytes_b);
}

/// Scores and what is made of them.
PassTimes attention_times(const TrainingSetup& s) {
  const TransformerModel& m = s.model;
  const double tokens = shape_of(s).tokens, heads = static_cast<double>(m.heads) / s.plan.tensor;
  PassTimes times;
  if (s.plan.has_fused_attention) {
    const double lower = 0.5 * 2.0 * tokens * m.sequence * heads * m.head();  // of one product
    const double length = static_cast<double>(m.sequence) / s.plan.context;
    const double flop_per_s =
        s.gpu.bf16_flop_per_s * s.gpu.attention_efficiency_fraction * length / (length + s.gpu.attention_half_length);
    times.forward = {.attention_s = 2.0 * lower / flop_per_s, .flop = 2.0 * lower};
    times.backward = {.attention_s = 5.0 * lower / flop_per_s, .flop = 5.0 * lower};
    return times;
  }
  const double sequences = tokens / m.sequence;
  const MatrixProduct scores{double(m.sequence), double(m.sequence), m.head(), sequences * heads};
  const MatrixProduct values{double(m.sequence), m.head(), double(m.sequence), sequences * heads};
  const double products_s =
      product_time_s(scores, s.gpu, Precision::bf16) + product_time_s(values, s.gpu, Precision::bf16);
  const double scores_count = tokens * m.sequence * heads;
  const double softmax_b = 4.0, dropout_b = m.has_dropout ? 5.0 : 0.0;  // read and written, with the mask
  times.forward = {.attention_s = products_s + memory_time_s(s, scores_count * (softmax_b + dropout_b)),
                   .flop = scores.flop() + values.flop()};
  times.backward = {.attention_s = 2.0 * products_s + memory_time_s(s, scores_count * (1.5 * softmax_b + dropout_b)),
                    .flop = 2.0 * times.forward.flop};
  return times;
}

/// Norms, dropout and residuals, the activation, rotation or bias of queries and keys.
void add_memory(const TrainingSetup& s, PassTimes& times) {
  const TransformerModel& m = s.model;
  const auto [tokens, divisor] = shape_of(s);
  const double norm_b = 2.0 * 2.0 * bf16_b, residual_b = 2.0 * (3.0 * bf16_b + (m.has_dropout ? 1.0 : 0.0));
  const double activation_b = m.feed_forward_products() * bf16_b * m.experts_per_token;
  const double bytes_b =
      tokens * (m.width * (norm_b + residual_b) / divisor + m.feed_forward * activation_b / s.plan.tensor +
                2.0 * bf16_b * (m.query_width() + m.key_value_width()) / s.plan.tensor);
  times.forward.memory_s += memory_time_s(s, bytes_b);
  times.backward.memory_s += memory_time_s(s, 1.5 * bytes_b);
}

/// What products lose to communication behind them: it takes multiprocessors from them for so long.
double lost_products_s(const TrainingSetup& s, double hidden_s) {
  return hidden_s * s.gpu.communication_multiprocessors / s.gpu.multiprocessors;
}

/// Two pairs of products, each with what is gathered before it and reduced after it. Backward, gradients of outputs are gathered; what belongs to
/// gradients of inputs is sent while gradients of weights are computed.
void add_tensor(const TrainingSetup& s, PassTimes& times) {
  if (s.plan.tensor < 2) return;
  const double bytes_b = shape_of(s).tokens * s.model.width * bf16_b;
  const RankGroup group{s.plan.tensor, 1};
  const double hidden = s.plan.tensor_overlap_fraction, exposed = 1.0 - hidden;
  const double behind_weights = s.plan.has_adapters() ? 0.0 : 1.0;  // frozen weights have no gradients that hide it
  if (!s.plan.has_sequence_parallelism) {
    const double reduce_s = s.times.time_s(Exchange::all_reduce, group, bytes_b);
    times.forward.tensor_s += 2.0 * exposed * reduce_s;
    times.backward.tensor_s += 2.0 * (1.0 - behind_weights) * reduce_s;
    times.forward.matrix_s += lost_products_s(s, 2.0 * hidden * reduce_s);
    times.backward.matrix_s += lost_products_s(s, 2.0 * behind_weights * reduce_s);
    return;
  }
  const double gather_s = s.times.time_s(Exchange::all_gather, group, bytes_b);
  const double scatter_s = s.times.time_s(Exchange::reduce_scatter, group, bytes_b);
  times.forward.tensor_s += 2.0 * exposed * (gather_s + scatter_s);
  times.backward.tensor_s += 2.0 * exposed * gather_s + 2.0 * (1.0 - behind_weights) * scatter_s;
  times.forward.matrix_s += lost_products_s(s, 2.0 * hidden * (gather_s + scatter_s));
  const double inputs_s = gather_s + scatter_s;  // of inputs, again, for gradients of weights; of gradients of inputs
  times.backward.matrix_s += lost_products_s(s, 2.0 * (hidden * gather_s + behind_weights * inputs_s));
}

/// Keys and values go around the ring of context ranks; backward, their gradients, too. Tokens go to their experts and come back.
void add_context_and_experts(const TrainingSetup& s, PassTimes& times) {
  const double tokens = shape_of(s).tokens;
  if (s.plan.context > 1) {
    const double bytes_b = tokens * s.plan.context * 2.0 * s.model.key_value_width() / s.plan.tensor * bf16_b;
    const RankGroup group{s.plan.context, s.plan.tensor};
    const double ring_s = s.times.time_s(Exchange::all_gather, group, bytes_b);
    const double exposed = 1.0 - s.plan.context_overlap_fraction;
    times.forward.context_s += exposed * ring_s;
    times.backward.context_s += 2.0 * exposed * ring_s;
  }
  if (s.plan.expert > 1) {
    const double divisor = shape_of(s).norm_divisor;
    const double bytes_b = tokens / divisor * s.model.experts_per_token * s.model.width * bf16_b;
    const RankGroup group{s.plan.expert, s.plan.tensor * s.plan.context};
    const double there_and_back_s = 2.0 * s.times.time_s(Exchange::all_to_all, group, bytes_b);
    times.forward.expert_s += there_and_back_s;
    times.backward.expert_s += there_and_back_s;
  }
}

}  // namespace

double wave_fraction(const MatrixProduct& product, const TrainingGpu& gpu) {
  const auto with_tiles_of = [&](double rows, double columns) {
    const double tiles = product.count * std::ceil(product.rows / rows) * std::ceil(product.columns / columns);
    const double waves = std::ceil(tiles / gpu.multiprocessors);
    return product.count * product.rows * product.columns / (waves * gpu.multiprocessors * rows * columns);
  };
  return std::max(with_tiles_of(128.0, 256.0), with_tiles_of(256.0, 128.0));
}

double product_time_s(const MatrixProduct& p, const TrainingGpu& gpu, Precision precision) {
  if (p.flop() == 0.0) return 0.0;
  const double efficiency = gpu.efficiency_fraction(precision) * wave_fraction(p, gpu);
  const double computing_s = p.flop() / (gpu.flop_per_s(precision) * efficiency);
  const double bandwidth_b_per_s = gpu.memory_bandwidth_b_per_s * gpu.memory_efficiency_fraction;
  const double inputs_s = p.count * p.element_bytes_b * (p.rows + p.columns) * p.inner / bandwidth_b_per_s;
  const double result_s = p.count * p.result_bytes_b * p.rows * p.columns / bandwidth_b_per_s;
  if (!gpu.has_overlapped_epilogue) return std::hypot(computing_s, inputs_s) + result_s;
  return std::hypot(computing_s, inputs_s + result_s);
}

double product_efficiency_fraction(const MatrixProduct& product, const TrainingGpu& gpu, Precision precision) {
  return product.flop() / product_time_s(product, gpu, precision) / gpu.flop_per_s(precision);
}

WorkTime operator+(const WorkTime& a, const WorkTime& b) {
  return {a.matrix_s + b.matrix_s,   a.attention_s + b.attention_s, a.memory_s + b.memory_s, a.tensor_s + b.tensor_s,
          a.context_s + b.context_s, a.expert_s + b.expert_s,       a.flop + b.flop};
}

WorkTime operator*(double times, const WorkTime& w) {
  return {times * w.matrix_s,  times * w.attention_s, times * w.memory_s, times * w.tensor_s,
          times * w.context_s, times * w.expert_s,    times * w.flop};
}

PassTimes layer_times(const TrainingSetup& setup) {
  PassTimes times;
  add_products(setup, times);
  add_adapters(setup, times);
  add_memory(setup, times);
  add_tensor(setup, times);
  add_context_and_experts(setup, times);
  const PassTimes attention = attention_times(setup);
  times.forward = times.forward + attention.forward;
  times.backward = times.backward + attention.backward;
  if (setup.plan.recompute == Recompute::full) times.recompute = times.forward;
  if (setup.plan.recompute == Recompute::selective) times.recompute = attention.forward;
  return times;
}

PassTimes output_times(const TrainingSetup& s) {
  const double tokens = shape_of(s).tokens, columns = static_cast<double>(s.model.vocabulary) / s.plan.tensor;
  PassTimes times;
  add_weights(s, Precision::bf16, weights_of(s), {tokens, columns, double(s.model.width)}, times);
  times.forward.memory_s = memory_time_s(s, tokens * columns * (bf16_b + 2.0 * fp32_b));
  times.backward.memory_s = memory_time_s(s, tokens * columns * (fp32_b + bf16_b));
  return times;
}

}  // namespace wattloop::workload
