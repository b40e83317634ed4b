#include "workload/transformer/step_exchanges.hpp"

#include "workload/transformer/layer_time.hpp"
#include "workload/transformer/training_memory.hpp"

namespace wattloop::workload {

namespace {

constexpr double bf16_b = 2.0;

class Exchanges {
 public:
  explicit Exchanges(const TrainingSetup& setup) : s_(setup) {}

  void add_tensor() {
    const RankGroup group{s_.plan.tensor, 1};
    const double bytes_b = tokens() * s_.model.width * bf16_b;
    const double forward = layer_passes() * (1.0 + recomputed());
    const double backward = s_.plan.has_adapters() ? layer_passes() : 0.0;  // that nothing hides
    if (!s_.plan.has_sequence_parallelism) return add(Exchange::all_reduce, group, bytes_b, 2.0 * (forward + backward));
    add(Exchange::all_gather, group, bytes_b, 2.0 * forward + 2.0 * layer_passes());
    add(Exchange::reduce_scatter, group, bytes_b, 2.0 * (forward + backward));
  }

  void add_context() {
    const RankGroup group{s_.plan.context, s_.plan.tensor};
    const double bytes_b = tokens() * s_.plan.context * 2.0 * s_.model.key_value_width() / s_.plan.tensor * bf16_b;
    add(Exchange::all_gather, group, bytes_b, layer_passes() * (3.0 + recomputed()));
  }

  void add_experts() {
    const RankGroup group{s_.plan.expert, s_.plan.tensor * s_.plan.context};
    const double divisor = s_.plan.has_sequence_parallelism ? s_.plan.tensor : 1.0;
    const double bytes_b = tokens() / divisor * s_.model.experts_per_token * s_.model.width * bf16_b;
    add(Exchange::all_to_all, group, bytes_b, layer_passes() * (4.0 + 2.0 * recomputed()));
  }

  /// Each micro-batch passes each chunk forward and backward, and the pipeline fills and drains once.
  void add_pipeline() {
    if (s_.plan.pipeline < 2) return;
    const double bytes_b = bf16_b * tokens() * s_.model.width / s_.plan.tensor;
    const double passes = s_.plan.micro_batches() * static_cast<double>(s_.plan.virtual_stages);
    add(Exchange::point_to_point, {2, s_.plan.gpus() / s_.plan.pipeline}, bytes_b,
        2.0 * (passes + s_.plan.pipeline - 1.0));
  }

  void add_data() {
    const RankGroup group{s_.plan.data * s_.plan.context, s_.plan.tensor};
    const double parameters = trained_parameters_of_gpu(s_.model, s_.plan);
    if (!s_.plan.has_sharded_optimizer)
      return add(Exchange::all_reduce, group, parameters * s_.plan.gradient_bytes_b, 1.0);
    add(Exchange::reduce_scatter, group, parameters * s_.plan.gradient_bytes_b, 1.0);
    add(Exchange::all_gather, group, parameters * s_.plan.weight_bytes_b, 1.0);
  }

  std::vector<StepExchange> found;

 private:
  double tokens() const { return static_cast<double>(s_.plan.micro_batch) * s_.model.sequence / s_.plan.context; }
  /// Layers of a mean GPU times micro-batches.
  double layer_passes() const {
    return static_cast<double>(s_.plan.micro_batches()) / s_.plan.pipeline * s_.model.layers;
  }
  double recomputed() const { return s_.plan.recompute == Recompute::full ? 1.0 : 0.0; }
  void add(Exchange exchange, const RankGroup& group, double bytes_b, double count) {
    if (group.ranks > 1) found.push_back({exchange, group, bytes_b, count});
  }

  const TrainingSetup& s_;
};

}  // namespace

std::vector<StepExchange> step_exchanges(const TrainingSetup& setup) {
  Exchanges exchanges(setup);
  exchanges.add_tensor();
  exchanges.add_context();
  exchanges.add_experts();
  exchanges.add_pipeline();
  exchanges.add_data();
  return exchanges.found;
}

}  // namespace wattloop::workload
