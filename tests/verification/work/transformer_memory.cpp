// Memory of a GPU against figure 1 of [korthikanti2022], GiB: weights and optimizer; activations without recomputing, and with sequence parallelism and
// selective recomputing. Against their closed form s b h (10 + 24 / t + 5 a s / (h t)) for a layer, too.
#include "workload/transformer/training_memory.hpp"

#include <array>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "workload/transformer/plan_mistakes.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

constexpr double gib_b = 1024.0 * 1024.0 * 1024.0;

struct PublishedMemory {
  const char* model;
  int pipeline, virtual_stages, micro_batch, global_batch;
  double state_gib, activations_gib, selective_gib;
};

constexpr std::array published{PublishedMemory{"megatron_22b", 1, 1, 4, 4, 45.56, 59.25, 9.56},
                               PublishedMemory{"gpt3_175b", 8, 3, 1, 64, 45.56, 66.84, 12.35},
                               PublishedMemory{"turing_530b", 35, 3, 1, 280, 31.64, 114.02, 23.08},
                               PublishedMemory{"megatron_1t", 64, 1, 1, 512, 32.96, 131.25, 26.56}};

ParallelPlan plan_of(const PublishedMemory& row, bool is_selective) {
  return {.tensor = 8,
          .pipeline = row.pipeline,
          .virtual_stages = row.virtual_stages,
          .micro_batch = row.micro_batch,
          .global_batch = row.global_batch,
          .recompute = is_selective ? Recompute::selective : Recompute::none,
          .has_sequence_parallelism = is_selective,
          .has_sharded_optimizer = false,
          .has_fused_attention = false,
          .gradient_bytes_b = 4.0};
}

}  // namespace

TEST_CASE("memory of weights and optimizer is as published within 3 percent", "[training_step]") {
  for (const PublishedMemory& row : published) {
    const TrainingMemory memory =
        training_memory(*find_published_model(row.model), plan_of(row, false), a100_training_gpu());
    INFO(row.model);
    CHECK((memory.weights_b + memory.gradients_b + memory.optimizer_b) / gib_b == Approx(row.state_gib).epsilon(0.03));
  }
}

TEST_CASE("memory of activations is as published within 1 percent", "[training_step]") {
  for (const PublishedMemory& row : published) {
    const TransformerModel& model = *find_published_model(row.model);
    const TrainingMemory none = training_memory(model, plan_of(row, false), a100_training_gpu());
    const TrainingMemory selective = training_memory(model, plan_of(row, true), a100_training_gpu());
    INFO(row.model);
    CHECK(none.activations_b / gib_b == Approx(row.activations_gib).epsilon(0.01));
    CHECK(selective.activations_b / gib_b == Approx(row.selective_gib).epsilon(0.01));
    tests::report_verification({"activations of " + std::string(row.model) + " without recomputing", "korthikanti2022",
                                "memory", none.activations_b / gib_b, row.activations_gib, 0.01 * row.activations_gib,
                                "GiB", "published"});
  }
}

TEST_CASE("activations of one layer are the closed form", "[training_step]") {
  TransformerModel model = *find_published_model("gpt3_175b");
  ParallelPlan plan{.tensor = 4,
                    .micro_batch = 2,
                    .global_batch = 2,
                    .has_sequence_parallelism = false,
                    .has_fused_attention = false};
  const double sbh = 2048.0 * 2.0 * 12288.0;
  const auto layer_b = [&] {
    return training_memory(model, plan, h100_training_gpu()).activations_b / model.layers / sbh;
  };
  CHECK(layer_b() == Approx(10.0 + 24.0 / 4.0 + 5.0 * 96.0 * 2048.0 / (12288.0 * 4.0)));
  plan.has_sequence_parallelism = true;
  plan.recompute = Recompute::selective;
  CHECK(layer_b() == Approx(34.0 / 4.0));
  plan.recompute = Recompute::full;
  CHECK(layer_b() == Approx(2.0 / 4.0));
}

TEST_CASE("a sharded optimizer divides its state among data and context ranks", "[training_step]") {
  const TransformerModel& model = *find_published_model("llama3_1_70b");
  ParallelPlan plan{.tensor = 4, .pipeline = 4, .context = 2, .data = 16, .global_batch = 128};
  const double sharded_b = training_memory(model, plan, h100_training_gpu()).optimizer_b;
  plan.has_sharded_optimizer = false;
  CHECK(training_memory(model, plan, h100_training_gpu()).optimizer_b == Approx(32.0 * sharded_b));
  CHECK(32.0 * sharded_b == Approx(12.0 * parameters_of_gpu(model, plan)));
}

TEST_CASE("GPT-3 without recomputing does not fit an A100 and with it does", "[training_step]") {
  const TransformerModel& model = *find_published_model("gpt3_175b");
  CHECK(plan_mistakes(model, plan_of(published[1], true), a100_training_gpu(), 64).empty());
  const auto mistakes = plan_mistakes(model, plan_of(published[1], false), a100_training_gpu(), 64);
  REQUIRE(mistakes.size() == 1);
  CHECK(mistakes.front() ==
        "a GPU needs 116.3 GiB and has 80.0 GiB, 36.3 GiB too few: weights 5.1, gradients 10.2, optimizer 30.5, "
        "activations 66.8, reserved 3.7 GiB; `recompute: full` fits");
}
