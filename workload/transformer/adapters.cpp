#include "workload/transformer/adapters.hpp"

namespace wattloop::workload {

double adapter_parameters(const TransformerModel& m, const ParallelPlan& plan) {
  const double of_queries_keys_values = m.width + m.query_width() + 2.0 * m.key_value_width();
  const double of_output = m.query_width() + m.width;
  return static_cast<double>(m.layers) * plan.adapter_rank * (of_queries_keys_values + of_output);
}

double training_flop_per_token(const TransformerModel& m, const ParallelPlan& plan) {
  if (!plan.has_adapters()) return model_flop_per_token(m);
  return model_flop_per_token(m) - 2.0 * parameters_passed(m) + 6.0 * adapter_parameters(m, plan);
}

}  // namespace wattloop::workload
