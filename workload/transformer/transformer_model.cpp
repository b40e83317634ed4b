#include "workload/transformer/transformer_model.hpp"

#include <algorithm>
#include <array>

namespace wattloop::workload {

namespace {

double attention_of_layer(const TransformerModel& m) {
  return m.width * (2.0 * m.query_width() + 2.0 * m.key_value_width());
}
double expert(const TransformerModel& m) { return m.feed_forward_products() * m.width * m.feed_forward; }
double router(const TransformerModel& m) { return m.experts > 1 ? static_cast<double>(m.width) * m.experts : 0.0; }

/// A gated model has norms without bias and products without bias (Llama); another one has both (GPT).
double norms_and_biases_of_layer(const TransformerModel& m) {
  if (m.is_gated) return 2.0 * m.width;
  return 4.0 * m.width + m.query_width() + 2.0 * m.key_value_width() + m.width + m.experts * (m.feed_forward + m.width);
}

}  // namespace

ParameterCount parameter_count(const TransformerModel& m) {
  const double table = static_cast<double>(m.vocabulary) * m.width;
  const double positions = m.is_gated ? 0.0 : static_cast<double>(m.sequence) * m.width;
  return {.attention = m.layers * attention_of_layer(m),
          .feed_forward = m.layers * (m.experts * expert(m) + router(m)),
          .norms_and_biases = m.layers * norms_and_biases_of_layer(m) + (m.is_gated ? 1.0 : 2.0) * m.width,
          .embeddings = (m.has_tied_embeddings ? 1.0 : 2.0) * table + positions};
}

double parameters_passed(const TransformerModel& m) {
  return m.layers * (attention_of_layer(m) + m.experts_per_token * expert(m) + router(m)) +
         static_cast<double>(m.vocabulary) * m.width;
}

double model_flop_per_token(const TransformerModel& m) {
  return 6.0 * parameters_passed(m) + 12.0 * m.layers * m.sequence * m.query_width();
}

std::span<const TransformerModel> published_models() {
  static const std::array models{
      TransformerModel{.name = "gpt3_175b",
                       .layers = 96,
                       .width = 12288,
                       .heads = 96,
                       .feed_forward = 49152,
                       .vocabulary = 51200,
                       .sequence = 2048,
                       .has_dropout = true,
                       .has_tied_embeddings = true,
                       .source = "korthikanti2022"},
      TransformerModel{.name = "llama3_1_70b",
                       .layers = 80,
                       .width = 8192,
                       .heads = 64,
                       .key_value_heads = 8,
                       .feed_forward = 28672,
                       .vocabulary = 128256,
                       .sequence = 8192,
                       .is_gated = true,
                       .source = "llama3_herd"},
      TransformerModel{.name = "llama3_1_405b",
                       .layers = 126,
                       .width = 16384,
                       .heads = 128,
                       .key_value_heads = 8,
                       .feed_forward = 53248,
                       .vocabulary = 128256,
                       .sequence = 8192,
                       .is_gated = true,
                       .source = "llama3_herd"},
      TransformerModel{.name = "llama2_70b",
                       .layers = 80,
                       .width = 8192,
                       .heads = 64,
                       .key_value_heads = 8,
                       .feed_forward = 28672,
                       .vocabulary = 32000,
                       .sequence = 8192,
                       .is_gated = true,
                       .source = "mlperf_training_v40_lora"},
      TransformerModel{.name = "megatron_22b",
                       .layers = 48,
                       .width = 6144,
                       .heads = 64,
                       .feed_forward = 24576,
                       .vocabulary = 51200,
                       .sequence = 2048,
                       .has_dropout = true,
                       .has_tied_embeddings = true,
                       .source = "korthikanti2022"},
      TransformerModel{.name = "turing_530b",
                       .layers = 105,
                       .width = 20480,
                       .heads = 128,
                       .feed_forward = 81920,
                       .vocabulary = 51200,
                       .sequence = 2048,
                       .has_dropout = true,
                       .has_tied_embeddings = true,
                       .source = "korthikanti2022"},
      TransformerModel{.name = "megatron_1t",
                       .layers = 128,
                       .width = 25600,
                       .heads = 160,
                       .feed_forward = 102400,
                       .vocabulary = 51200,
                       .sequence = 2048,
                       .has_dropout = true,
                       .has_tied_embeddings = true,
                       .source = "korthikanti2022"},
  };
  return models;
}

const TransformerModel* find_published_model(std::string_view name) {
  const auto models = published_models();
  const auto found = std::ranges::find(models, name, &TransformerModel::name);
  return found == models.end() ? nullptr : &*found;
}

}  // namespace wattloop::workload
