// Parameters, FLOP and times of a transformer against published counts and closed forms: 72 L h^2 (1 + s / 6h + V / 12hL) FLOP of a token
// [narayanan2021], the bubble (p - 1) / (n v) of a balanced pipeline [narayanan2021], tiles and waves of a product [nvidia_matmul_guide].
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "workload/transformer/step_time.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

/// Communication of any kind takes as long as is said for its kind.
class SetTimes final : public CommunicationTimes {
 public:
  double all_to_all_s = 0.0, gather_s = 0.0, scatter_s = 0.0, reduce_s = 0.0, message_s = 0.0;
  double time_s(Exchange exchange, const RankGroup& group, double) const override {
    if (group.ranks < 2) return 0.0;
    switch (exchange) {
      case Exchange::all_reduce:
        return reduce_s;
      case Exchange::reduce_scatter:
        return scatter_s;
      case Exchange::all_gather:
        return gather_s;
      case Exchange::all_to_all:
        return all_to_all_s;
      default:
        return message_s;
    }
  }
};

TransformerModel mixtral_8x7b() {
  return {.layers = 32,
          .width = 4096,
          .heads = 32,
          .key_value_heads = 8,
          .feed_forward = 14336,
          .vocabulary = 32000,
          .sequence = 4096,
          .experts = 8,
          .experts_per_token = 2,
          .is_gated = true};
}

TransformerModel without_output(TransformerModel model) {
  model.vocabulary = 0;
  return model;
}

TrainingGpu without_jitter() {
  TrainingGpu gpu = h100_training_gpu();
  gpu.jitter_fraction = 0.0;
  return gpu;
}

StepTime step_of(const TransformerModel& model, const ParallelPlan& plan,
                 const CommunicationTimes& times = SetTimes{}) {
  const TrainingGpu gpu = without_jitter();
  return step_time({model, plan, gpu, times});
}

}  // namespace

TEST_CASE("published models have their number of parameters", "[training_step]") {
  const auto count = [](std::string_view name) { return parameter_count(*find_published_model(name)).sum(); };
  CHECK(count("gpt3_175b") == Approx(174.6e9).epsilon(0.002));
  CHECK(count("llama3_1_70b") == Approx(70.55e9).epsilon(0.001));
  CHECK(count("llama3_1_405b") == Approx(405.85e9).epsilon(0.001));
  CHECK(count("megatron_22b") == Approx(22e9).epsilon(0.02));
  CHECK(count("turing_530b") == Approx(530e9).epsilon(0.002));
  CHECK(count("megatron_1t") == Approx(1008e9).epsilon(0.002));
  CHECK(find_published_model("gpt5") == nullptr);
  tests::report_verification({"parameters of Llama 3.1 405B", "llama3_herd", "parameters", count("llama3_1_405b") / 1e9,
                              405.85, 0.4, "1e9", "published"});
}

TEST_CASE("a token passes the experts that it chooses", "[training_step]") {
  const TransformerModel model = mixtral_8x7b();
  CHECK(parameter_count(model).sum() == Approx(46.70e9).epsilon(0.001));
  const double input_table = 32000.0 * 4096.0;
  CHECK(parameters_passed(model) + input_table == Approx(12.88e9).epsilon(0.001));
}

TEST_CASE("FLOP of a token of GPT-3 are those of the closed form", "[training_step]") {
  const double h = 12288.0, layers = 96.0, s = 2048.0, v = 51200.0;
  const double expected = 72.0 * layers * h * h * (1.0 + s / (6.0 * h) + v / (12.0 * h * layers));
  CHECK(model_flop_per_token(*find_published_model("gpt3_175b")) == Approx(expected).epsilon(1e-12));
}

TEST_CASE("a whole wave of tiles loses nothing and one tile more takes another wave", "[training_step]") {
  const TrainingGpu gpu = a100_training_gpu();
  CHECK(wave_fraction({.rows = 128.0 * 12.0, .columns = 256.0 * 9.0}, gpu) == Approx(1.0));
  const double one_more = wave_fraction({.rows = 128.0 * 109.0, .columns = 256.0}, gpu);
  CHECK(one_more == Approx(109.0 / 216.0).epsilon(0.02));  // tiles of 256 x 128 are 110
  CHECK(wave_fraction({.rows = 1.0, .columns = 1.0}, gpu) == Approx(1.0 / (128.0 * 256.0 * 108.0)));
}

TEST_CASE("efficiency of a product grows with its size", "[training_step]") {
  const TrainingGpu gpu = h100_training_gpu();
  double last = 0.0;
  for (const double tokens : {256.0, 1024.0, 4096.0, 16384.0}) {
    const double efficiency =
        product_efficiency_fraction({.rows = tokens, .columns = 12288, .inner = 12288}, gpu, Precision::bf16);
    CHECK(efficiency > last);
    last = efficiency;
  }
  CHECK(last < gpu.bf16_efficiency_fraction);
  CHECK(last > 0.95 * gpu.bf16_efficiency_fraction);
  const MatrixProduct thin{.rows = 8192, .columns = 8192, .inner = 8};  // limited by memory
  const double bytes_b = 2.0 * (2.0 * 8192.0 * 8.0 + 8192.0 * 8192.0);
  CHECK(product_time_s(thin, gpu, Precision::bf16) ==
        Approx(bytes_b / (gpu.memory_bandwidth_b_per_s * gpu.memory_efficiency_fraction)).epsilon(0.01));
}

// Gradients of weights in FP32 are read, added to and written: 8 B of each. On an A100 nothing is computed meanwhile.
TEST_CASE("an A100 writes the result of a product after it, an H100 while it computes", "[training_step]") {
  TrainingGpu a100 = a100_training_gpu(), h100 = h100_training_gpu();
  for (TrainingGpu* gpu : {&a100, &h100}) gpu->bf16_efficiency_fraction = 0.5;
  MatrixProduct gradient{
      .rows = 27648, .columns = 12288, .inner = 65536};  // whole waves of 108 and of 132 are 95 % full or more
  const auto of_result_s = [&](const TrainingGpu& gpu) {
    MatrixProduct without = gradient;
    without.result_bytes_b = 0.0;
    gradient.result_bytes_b = 8.0;
    return product_time_s(gradient, gpu, Precision::bf16) - product_time_s(without, gpu, Precision::bf16);
  };
  const double written_s = 8.0 * 27648.0 * 12288.0 / (2.039e12 * 0.85);
  CHECK(of_result_s(a100) == Approx(written_s).epsilon(1e-9));
  CHECK(of_result_s(h100) < 0.02 * written_s);
}

TEST_CASE("the bubble of a balanced pipeline is its closed form", "[training_step]") {
  const TransformerModel model = without_output(*find_published_model("gpt3_175b"));
  for (const int chunks : {1, 3, 6}) {
    const ParallelPlan plan{.tensor = 4, .pipeline = 8, .virtual_stages = chunks, .data = 2, .global_batch = 64};
    const StepTime step = step_of(model, plan);
    CHECK(step.bubble_s / step.computing_s() == Approx(7.0 / (32.0 * chunks)).epsilon(1e-9));
    CHECK(std::abs(step.imbalance_s) < 1e-9 * step.step_s);
  }
}

TEST_CASE("all stages wait for the output layer", "[training_step]") {
  const TransformerModel model = *find_published_model("llama3_1_70b");
  ParallelPlan plan{.tensor = 4, .pipeline = 8, .virtual_stages = 5, .data = 2, .global_batch = 128};
  const SetTimes times;
  const TrainingGpu gpu = without_jitter();
  const double output_s = output_times({model, plan, gpu, times}).sum().sum_s();
  CHECK(step_of(model, plan).imbalance_s == Approx(64.0 * output_s * 7.0 / 8.0));
  plan.pipeline = plan.virtual_stages = 1;
  CHECK(std::abs(step_of(model, plan).imbalance_s) < 1e-9);
}

TEST_CASE("recomputing costs a forward pass of what is recomputed", "[training_step]") {
  const TransformerModel model = without_output(*find_published_model("gpt3_175b"));
  ParallelPlan plan{.tensor = 8, .global_batch = 8, .has_fused_attention = false};
  const StepTime none = step_of(model, plan);
  plan.recompute = Recompute::full;
  const StepTime full = step_of(model, plan);
  CHECK(full.recompute_s > 0.3 * none.computing_s());
  CHECK(full.recompute_s < 0.36 * none.computing_s());
  CHECK(full.flop_per_gpu == Approx(4.0 / 3.0 * none.flop_per_gpu));
  CHECK(full.hfu_fraction == Approx(4.0 / 3.0 * full.mfu_fraction).epsilon(1e-9));
  CHECK(none.hfu_fraction == none.mfu_fraction);
  plan.recompute = Recompute::selective;
  CHECK(step_of(model, plan).recompute_s < 0.05 * none.computing_s());
}

TEST_CASE("fused attention leaves out what the mask hides", "[training_step]") {
  const TransformerModel model = without_output(*find_published_model("llama3_1_70b"));
  const ParallelPlan plan{.tensor = 8, .global_batch = 8};
  const StepTime step = step_of(model, plan);
  const double tokens = 8.0 * 8192.0;
  const double lower = tokens * 80.0 * 8192.0 * 8192.0;  // of one product, both triangles counted once for each pair
  const double products = 6.0 * tokens * (parameters_passed(model));
  CHECK(step.flop_per_gpu * 8.0 == Approx(products + 7.0 * lower).epsilon(1e-9));
}

TEST_CASE("attention that is not fused reads and writes its scores, half as often again backward", "[training_step]") {
  TransformerModel model = without_output(*find_published_model("gpt3_175b"));
  const ParallelPlan plan{.tensor = 8, .global_batch = 8, .has_fused_attention = false};
  const TrainingGpu gpu = without_jitter();
  const double scores = 2048.0 * 2048.0 * 96.0 / 8.0, bandwidth_b_per_s = 3.35e12 * 0.85;
  // Backward there are twice the products: what is left of its time less twice the forward time is memory alone, of 4 B of each score
  // for the softmax, and 5 B for dropout.
  for (const bool has_dropout : {true, false}) {
    model.has_dropout = has_dropout;
    const SetTimes nothing;
    const PassTimes times = layer_times({model, plan, gpu, nothing});
    const double forward_b = has_dropout ? 4.0 + 5.0 : 4.0, backward_b = has_dropout ? 6.0 + 5.0 : 6.0;
    CHECK(times.backward.attention_s - 2.0 * times.forward.attention_s ==
          Approx(scores * (backward_b - 2.0 * forward_b) / bandwidth_b_per_s).epsilon(1e-9));
  }
}

TEST_CASE("communication counts by kind and what is hidden does not", "[training_step]") {
  const TransformerModel model = without_output(*find_published_model("llama3_1_70b"));
  SetTimes times;
  times.gather_s = 1e-3;
  times.scatter_s = 2e-3;
  times.message_s = 5e-3;
  ParallelPlan plan{.tensor = 4, .pipeline = 4, .data = 2, .global_batch = 16, .tensor_overlap_fraction = 0.5};
  const StepTime step = step_of(model, plan, times);
  const double passes = 8.0 * 20.0;  // micro-batches, layers of a stage
  CHECK(step.tensor_s == Approx(passes * 0.5 * 2.0 * (1e-3 + 2e-3 + 1e-3)));
  CHECK(step.data_s == Approx(3e-3));
  CHECK(step.pipeline_s == Approx(2.0 * 5e-3 * (8.0 + 3.0)));
  plan.tensor_overlap_fraction = 1.0;
  plan.pipeline_overlap_fraction = 1.0;
  plan.virtual_stages = 5;
  plan.data_overlap_fraction = 1.0;
  const StepTime hidden = step_of(model, plan, times);
  CHECK(hidden.tensor_s == 0.0);
  CHECK(hidden.pipeline_s == Approx(2.0 * 5e-3 * 3.0));  // filling and draining
  CHECK(hidden.data_s == Approx(3e-3 / 5.0));            // the first chunk
}

TEST_CASE("communication behind products takes multiprocessors from them", "[training_step]") {
  const TransformerModel& model = *find_published_model("gpt3_175b");
  SetTimes times;
  times.gather_s = 1e-3;
  times.scatter_s = 2e-3;
  times.reduce_s = 4e-3;
  const auto lost_s = [&](const ParallelPlan& plan, const TrainingGpu& gpu, WorkTime PassTimes::*pass) {
    const NoCommunication nothing;
    return (layer_times({model, plan, gpu, times}).*pass).matrix_s -
           (layer_times({model, plan, gpu, nothing}).*pass).matrix_s;
  };
  const TrainingGpu a100 = a100_training_gpu();
  ParallelPlan plan{.tensor = 8};
  // 24 of 108 multiprocessors while inputs are gathered again and gradients of inputs are scattered, for each of two pairs of products.
  CHECK(lost_s(plan, a100, &PassTimes::backward) == Approx(24.0 / 108.0 * 2.0 * (1e-3 + 2e-3)));
  CHECK(lost_s(plan, a100, &PassTimes::forward) == 0.0);
  plan.tensor_overlap_fraction = 0.5;
  CHECK(lost_s(plan, a100, &PassTimes::forward) == Approx(24.0 / 108.0 * (1e-3 + 2e-3)));
  CHECK(lost_s(plan, a100, &PassTimes::backward) == Approx(24.0 / 108.0 * (2.0 * (1e-3 + 2e-3) + 1e-3)));
  CHECK(lost_s(plan, h100_training_gpu(), &PassTimes::backward) == 0.0);
  plan = {.tensor = 8, .has_sequence_parallelism = false};
  CHECK(lost_s(plan, a100, &PassTimes::backward) == Approx(24.0 / 108.0 * 2.0 * 4e-3));
  plan.adapter_rank = 16;  // frozen weights have no gradients that hide it
  CHECK(lost_s(plan, a100, &PassTimes::backward) == 0.0);
}

TEST_CASE("experts and context ranks communicate in each pass", "[training_step]") {
  SetTimes times;
  times.all_to_all_s = 1e-3;
  ParallelPlan plan{.data = 8, .expert = 8, .global_batch = 8};
  CHECK(step_of(without_output(mixtral_8x7b()), plan, times).expert_s == Approx(32.0 * 4.0 * 1e-3));
  plan.expert = 1;
  CHECK(step_of(without_output(mixtral_8x7b()), plan, times).expert_s == 0.0);
  times.gather_s = 1e-3;
  plan = {.context = 2, .global_batch = 1};
  CHECK(step_of(without_output(mixtral_8x7b()), plan, times).context_s == Approx(32.0 * 3.0 * 1e-3));
}

TEST_CASE("scaling factors of FP8 are exchanged in every pass of a chunk", "[training_step]") {
  const TransformerModel model = *find_published_model("gpt3_175b");
  ParallelPlan plan{
      .tensor = 4, .pipeline = 8, .virtual_stages = 6, .data = 16, .global_batch = 1024, .precision = Precision::fp8};
  CHECK(step_of(model, plan).scaling_s == Approx(64.0 * 6.0 * 6.0 * h100_training_gpu().scaling_exchange_s));
  plan.precision = Precision::bf16;
  CHECK(step_of(model, plan).scaling_s == 0.0);
}
