#include "workload/transformer/plan_search.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_training.hpp"
#include "workload/transformer/plan_mistakes.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

struct Searched {
  TransformerModel model;
  ParallelPlan plan;
  TrainingGpu gpu = h100_training_gpu();
  tests::RailTimes times{tests::h100_links()};

  std::vector<FoundPlan> found(const PlanSearch& search) const {
    return search_plans({model, plan, gpu, times}, search);
  }
};

Searched gpt3_search() {
  return {.model = *find_published_model("gpt3_175b"), .plan = {.global_batch = 1024, .precision = Precision::fp8}};
}

}  // namespace

TEST_CASE("a search finds plans that fit and the fastest first", "[training_step]") {
  const Searched searched = gpt3_search();
  const std::vector<FoundPlan> found = searched.found({.gpus = 512});
  REQUIRE(found.size() > 20);
  CHECK(std::ranges::is_sorted(found, std::ranges::greater{}, [](const FoundPlan& p) { return p.time.tokens_per_s; }));
  for (const FoundPlan& one : found) {
    CHECK(one.plan.gpus() == 512);
    CHECK(plan_mistakes(searched.model, one.plan, searched.gpu, 512).empty());
  }
}

TEST_CASE("a search finds what trying every number finds", "[training_step]") {
  const Searched searched = gpt3_search();
  std::size_t count = 0;
  double best_per_s = 0.0;
  ParallelPlan plan = searched.plan;
  for (plan.tensor = 1; plan.tensor <= 8; ++plan.tensor)
    for (plan.pipeline = 1; plan.pipeline <= 96; ++plan.pipeline)
      for (plan.virtual_stages = 1; plan.virtual_stages <= 96; ++plan.virtual_stages)
        for (plan.micro_batch = 1; plan.micro_batch <= 4; plan.micro_batch *= 2) {
          plan.data = data_parallelism(plan, 128);
          if (plan.data == 0 || !plan_mistakes(searched.model, plan, searched.gpu, 128).empty()) continue;
          ++count;
          best_per_s =
              std::max(best_per_s, step_time({searched.model, plan, searched.gpu, searched.times}).tokens_per_s);
        }
  const std::vector<FoundPlan> found = searched.found({.gpus = 128, .most_micro_batch = 4});
  CHECK(found.size() == count);
  REQUIRE(!found.empty());
  CHECK(found.front().time.tokens_per_s == best_per_s);
}

TEST_CASE("a search finds nothing where a model does not fit", "[training_step]") {
  CHECK(gpt3_search().found({.gpus = 8}).empty());
}
