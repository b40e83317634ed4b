#include "workload/transformer/plan_mistakes.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

using namespace wattloop::workload;

namespace {

const TransformerModel& gpt3() { return *find_published_model("gpt3_175b"); }

ParallelPlan good_plan() { return {.tensor = 4, .pipeline = 8, .virtual_stages = 6, .data = 16, .global_batch = 1024}; }

std::vector<std::string> mistakes_of(const ParallelPlan& plan, int gpus = 512, const TransformerModel& model = gpt3()) {
  return plan_mistakes(model, plan, h100_training_gpu(), gpus);
}

std::string only_mistake(const ParallelPlan& plan, int gpus = 512, const TransformerModel& model = gpt3()) {
  const auto mistakes = mistakes_of(plan, gpus, model);
  for (const std::string& one : mistakes) UNSCOPED_INFO(one);
  CHECK(mistakes.size() == 1);
  return mistakes.empty() ? "" : mistakes.front();
}

}  // namespace

TEST_CASE("a plan that fits has no mistakes and no notes", "[training_step]") {
  CHECK(mistakes_of(good_plan()).empty());
  CHECK(plan_notes(good_plan(), h100_training_gpu()).empty());
  CHECK(data_parallelism(good_plan(), 10240) == 320);
}

TEST_CASE("GPUs that the degrees do not divide are reported with the nearest numbers", "[training_step]") {
  CHECK(only_mistake(good_plan(), 500) ==
        "500 GPUs are not a multiple of tensor 4 x pipeline 8 x context 1 = 32; the nearest are 480 and 512");
  CHECK(only_mistake(good_plan(), 1024) == "data is 16, which takes 512 GPUs; 1024 GPUs have data 32");
  CHECK(data_parallelism(good_plan(), 500) == 0);
}

TEST_CASE("a batch that is no multiple is reported with the nearest ones", "[training_step]") {
  ParallelPlan plan = good_plan();
  plan.micro_batch = 2;
  plan.global_batch = 1000;
  CHECK(only_mistake(plan) ==
        "batch 1000 is not a multiple of data 16 x micro_batch 2 = 32; the nearest are 992 and 1024");
  plan.micro_batch = 1;
  plan.global_batch = 16 * 12;
  CHECK(only_mistake(plan) ==
        "with virtual stages, the number of micro-batches must be a multiple of pipeline: 12 is not a multiple of 8");
}

TEST_CASE("layers that stages do not divide are reported", "[training_step]") {
  ParallelPlan plan = good_plan();
  plan.virtual_stages = 5;
  CHECK(only_mistake(plan) == "96 layers are not a multiple of pipeline 8 x virtual 5 = 40");
  ParallelPlan large{.tensor = 8, .pipeline = 8, .virtual_stages = 8, .context = 2, .data = 4, .global_batch = 256};
  const TransformerModel& llama = *find_published_model("llama3_1_405b");
  CHECK(only_mistake(large, 512, llama) == "126 layers are not a multiple of pipeline 8 x virtual 8 = 64");
  large.counts_embeddings_as_layers = true;
  CHECK(mistakes_of(large, 512, llama).empty());
}

TEST_CASE("memory that is not enough is reported with how much is missing", "[training_step]") {
  ParallelPlan plan{.tensor = 4, .pipeline = 2, .data = 64, .global_batch = 1024};
  const std::string mistake = only_mistake(plan);
  CHECK(mistake.find("GiB too few: weights 40.") != std::string::npos);
}

TEST_CASE("tensor parallelism beyond a domain is allowed and noted", "[training_step]") {
  ParallelPlan plan{.tensor = 16, .pipeline = 8, .data = 4, .global_batch = 1024};
  CHECK(mistakes_of(plan).empty());
  CHECK(plan_notes(plan, h100_training_gpu()) ==
        std::vector<std::string>{
            "tensor 16 is wider than an NVLink domain of 8 GPUs: every layer communicates over the fabric"});
}

TEST_CASE("all mistakes of a plan are reported at once", "[training_step]") {
  TransformerModel model = gpt3();
  model.key_value_heads = 7;
  ParallelPlan plan{.tensor = 5,
                    .pipeline = 7,
                    .virtual_stages = 2,
                    .context = 3,
                    .data = 2,
                    .expert = 3,
                    .micro_batch = 3,
                    .global_batch = 100};
  const auto mistakes = mistakes_of(plan, 512, model);
  const auto has = [&](std::string_view begin) {
    return std::ranges::any_of(mistakes, [&](const std::string& one) { return one.starts_with(begin); });
  };
  CHECK(has("512 GPUs are not a multiple"));
  CHECK(has("batch 100 is not a multiple"));
  CHECK(has("96 layers are not a multiple"));
  CHECK(has("heads 96 is not a multiple of tensor 5: for tensor write a divisor of 96"));
  CHECK(has("feed_forward 49152 is not a multiple of tensor 5: for tensor write a divisor of 49152"));
  CHECK(has("sequence 2048 is not a multiple of tensor x context 15: for tensor x context write a divisor of 2048"));
  CHECK(has("heads 96 is not a multiple of key_value_heads 7: for key_value_heads write a divisor of 96"));
  CHECK(has("experts 1 is not a multiple of expert 3: for expert write a divisor of 1"));
  CHECK(has("data 2 is not a multiple of expert 3: for expert write a divisor of 2"));
}

TEST_CASE("counts below 1 are reported before anything is divided", "[training_step]") {
  ParallelPlan plan = good_plan();
  plan.tensor = 0;
  plan.micro_batch = -1;
  CHECK(mistakes_of(plan) ==
        std::vector<std::string>{"tensor is 0; at least 1 is needed", "micro_batch is -1; at least 1 is needed"});
  TransformerModel model = gpt3();
  model.layers = 0;
  CHECK(only_mistake(good_plan(), 512, model) == "layers is 0; at least 1 is needed");
}

TEST_CASE("degrees whose products are larger than any integer are refused with the right products", "[training_step]") {
  ParallelPlan plan = good_plan();
  plan.tensor = plan.pipeline = 65536;
  CHECK(mistakes_of(plan).front() ==
        "512 GPUs are not a multiple of tensor 65536 x pipeline 65536 x context 1 = 4294967296; at least 4294967296");
  plan = good_plan();
  plan.data = 134217744;  // 32 times as many are 512 beyond 2^32
  CHECK(mistakes_of(plan).front() == "data is 134217744, which takes 4294967808 GPUs; 512 GPUs have data 16");
  plan.data = plan.micro_batch = 1000000;
  CHECK_THAT(mistakes_of(plan).at(1), Catch::Contains("= 1000000000000; at least 1000000000000"));
}
