// The list of what GPUs exchange in a step against all that the times of a step ask for: each exchange is given one second of its own, and the step
// is asked how long it communicates.
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_training.hpp"
#include "tests/support/verification.hpp"
#include "workload/transformer/step_exchanges.hpp"
#include "workload/transformer/step_time.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::WithinRel;

namespace {

using Key = std::tuple<Exchange, int, int, double>;

Key key_of(Exchange exchange, const RankGroup& group, double bytes_b) {
  return {exchange, group.ranks, group.stride, bytes_b};
}

/// Remembers what it is asked, and answers by a table.
class AskedTimes final : public CommunicationTimes {
 public:
  explicit AskedTimes(std::set<Key>& asked) : asked_(asked) {}
  double time_s(Exchange exchange, const RankGroup& group, double bytes_b) const override {
    const Key key = key_of(exchange, group, bytes_b);
    asked_.insert(key);
    const auto found = answers.find(key);
    return found == answers.end() ? 0.0 : found->second;
  }
  std::map<Key, double> answers;

 private:
  std::set<Key>& asked_;
};

/// Time of communication, nothing of it hidden, and none of the waiting that follows from it.
double exposed_s(const StepTime& step) {
  return step.tensor_s + step.context_s + step.expert_s + step.pipeline_s + step.data_s;
}

/// A plan with everything: experts, context, pipeline, tensor.
ParallelPlan plan_of_all() {
  return {.tensor = 4,
          .pipeline = 4,
          .virtual_stages = 2,
          .context = 2,
          .data = 8,
          .expert = 4,
          .micro_batch = 1,
          .global_batch = 128,
          .recompute = Recompute::full};
}

TransformerModel model_of_experts() {
  TransformerModel model = *find_published_model("llama3_1_70b");
  model.layers = 64;
  model.experts = 8;
  model.experts_per_token = 2;
  return model;
}

void check_plan(const TransformerModel& model, ParallelPlan plan) {
  plan.tensor_overlap_fraction = plan.context_overlap_fraction = plan.pipeline_overlap_fraction =
      plan.data_overlap_fraction = 0.0;
  std::set<Key> asked;
  AskedTimes times(asked);
  const TrainingGpu gpu = h100_training_gpu();
  const TrainingSetup setup{model, plan, gpu, times};
  const std::vector<StepExchange> exchanges = step_exchanges(setup);
  REQUIRE_FALSE(exchanges.empty());
  const double none_s = exposed_s(step_time(setup));
  for (const StepExchange& one : exchanges) {
    const Key key = key_of(one.exchange, one.group, one.bytes_b);
    CHECK(asked.contains(key));
    times.answers = {{key, 1.0}};
    CHECK_THAT(exposed_s(step_time(setup)) - none_s, WithinRel(one.count, 1e-9));
  }
  CHECK(asked.size() == exchanges.size());  // nothing that is asked for is left out
}

}  // namespace

TEST_CASE("exchanges of a step are those that its times ask for, and as many", "[verification][transformer]") {
  check_plan(model_of_experts(), plan_of_all());
  ParallelPlan plan = plan_of_all();
  plan.recompute = Recompute::selective;
  plan.has_sharded_optimizer = false;
  plan.has_sequence_parallelism = false;
  check_plan(model_of_experts(), plan);
  for (const tests::PublishedRun& run : tests::published_runs())
    check_plan(*find_published_model(run.model), tests::plan_of(run));
}

TEST_CASE("a job of one GPU exchanges nothing", "[transformer]") {
  const ParallelPlan plan{.global_batch = 8};
  std::set<Key> asked;
  const AskedTimes times(asked);
  const TransformerModel& model = *find_published_model("megatron_22b");
  const TrainingGpu gpu = h100_training_gpu();
  CHECK(step_exchanges({model, plan, gpu, times}).empty());
}
