// A transformer language model: its shape, its parameters, and the FLOP that it needs by definition.
//
//   parameters   layer: h (h_q + 2 h_kv) + h_q h + (2 or, gated, 3) h f each expert + norms and biases; V h, twice where input and output differ
//   FLOP         a token forward and backward: 6 (parameters of the matrix products that it passes) + 12 L s h_q
//
// h width, h_q = heads x head width, h_kv the same of keys, f feed-forward width, V vocabulary, L layers, s sequence. A mask is not deducted from
// attention, and products of the output layer count: for GPT-3 this is 72 L h^2 (1 + s / 6h + V / 12hL) [narayanan2021]. Verified in
// tests/verification/work/transformer.cpp. Documented in docs/models/transformer.md.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"

namespace wattloop::workload {

struct TransformerModel {
  std::string name = {};
  int layers = 0;
  int width = 0;
  int heads = 0;
  int key_value_heads = 0;  ///< 0: as many as heads; fewer: grouped keys
  int head_width = 0;       ///< 0: width / heads
  int feed_forward = 0;     ///< width of each expert
  int vocabulary = 0;
  int sequence = 0;  ///< tokens
  int experts = 1;   ///< feed-forward networks of a layer
  int experts_per_token = 1;
  bool is_gated = false;             ///< the feed-forward network has a gate (SwiGLU)
  bool has_dropout = false;          ///< masks are kept for the backward pass
  bool has_tied_embeddings = false;  ///< the output layer has the weights of the input
  std::string_view source = {};      ///< of a published model

  static constexpr auto fields() {
    using P = TransformerModel;
    return std::array{
        Field<P>{&P::layers, "layers", Range::positive, "Number of transformer layers."},
        Field<P>{&P::width, "width", Range::positive, "Hidden width."},
        Field<P>{&P::heads, "heads", Range::positive, "Number of attention heads."},
        Field<P>{&P::key_value_heads, "key_value_heads", Range::non_negative,
                 "Number of heads of keys and values (grouped-query attention); 0: equal to `heads`."},
        Field<P>{&P::head_width, "head_width", Range::non_negative, "Width of one head; 0: width divided by heads."},
        Field<P>{&P::feed_forward, "feed_forward", Range::positive,
                 "Width of the feed-forward network, or of each expert."},
        Field<P>{&P::vocabulary, "vocabulary", Range::positive, "Vocabulary: number of different tokens."},
        Field<P>{&P::sequence, "sequence", Range::positive, "Number of tokens of a sequence."},
        Field<P>{&P::experts, "experts", Range::positive,
                 "Number of experts: feed-forward networks of a layer (mixture of experts)."},
        Field<P>{&P::experts_per_token, "experts_per_token", Range::positive,
                 "Number of experts that process each token."},
        Field<P>{&P::is_gated, "gated", "Whether the feed-forward network has a gate (SwiGLU)."},
        Field<P>{&P::has_dropout, "dropout", "Whether dropout masks are kept for the backward pass."},
        Field<P>{&P::has_tied_embeddings, "tied_embeddings",
                 "Whether the output layer uses the weights of the input layer."},
    };
  }

  double keys() const { return key_value_heads > 0 ? key_value_heads : heads; }
  double head() const { return head_width > 0 ? head_width : static_cast<double>(width) / heads; }
  double query_width() const { return heads * head(); }
  double key_value_width() const { return keys() * head(); }
  double feed_forward_products() const { return is_gated ? 3.0 : 2.0; }
};

/// Of the whole model.
struct ParameterCount {
  double attention = 0.0;
  double feed_forward = 0.0;  ///< of all experts, and what chooses among them
  double norms_and_biases = 0.0;
  double embeddings = 0.0;
  double sum() const { return attention + feed_forward + norms_and_biases + embeddings; }
};
ParameterCount parameter_count(const TransformerModel& model);

/// Parameters of matrix products that a token passes: chosen experts and the output layer, no look-up of its input.
double parameters_passed(const TransformerModel& model);

/// FLOP of a token, forward and backward, without what is computed anew: the numerator of MFU.
double model_flop_per_token(const TransformerModel& model);

/// Models whose training runs are published: gpt3_175b, llama3_1_70b, llama3_1_405b, llama2_70b, megatron_22b, turing_530b, megatron_1t.
std::span<const TransformerModel> published_models();

/// nullptr: there is none of this name.
const TransformerModel* find_published_model(std::string_view name);

}  // namespace wattloop::workload
