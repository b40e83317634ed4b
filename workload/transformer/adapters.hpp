// Low-rank adapters (LoRA) on the products of attention: the weights of the model are frozen, and only adapters train.
//
//   adapter      of a product with weights h x n: y += (x A) B, with A h x r and B r x n [hu2021]
//   parameters   r (h + h_q + 2 h_kv) + r (h_q + h) of each layer
//   FLOP         a token forward and backward: 4 (frozen parameters that it passes) + 6 (parameters of adapters) + 12 L s h_q
//
// Frozen weights have no gradients: backward, a product costs as much as forward, and no input of a frozen product is kept. Verified in
// tests/verification/jobs/adapters.cpp. Documented in docs/models/transformer.md.
#pragma once

#include "workload/transformer/parallel_plan.hpp"
#include "workload/transformer/transformer_model.hpp"

namespace wattloop::workload {

/// Of the whole model; 0 without adapters.
double adapter_parameters(const TransformerModel& model, const ParallelPlan& plan);

/// FLOP of a token, forward and backward, that the job needs: the numerator of its MFU.
double training_flop_per_token(const TransformerModel& model, const ParallelPlan& plan);

}  // namespace wattloop::workload
