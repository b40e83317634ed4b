#include "workload/transformer/plan_search.hpp"

#include <algorithm>

#include "workload/transformer/plan_mistakes.hpp"

namespace wattloop::workload {

namespace {

std::vector<int> divisors_up_to(int number, int most) {
  std::vector<int> divisors;
  for (int divisor = 1; divisor <= std::min(number, most); ++divisor)
    if (number % divisor == 0) divisors.push_back(divisor);
  return divisors;
}

/// Chunks of layers: their numbers for each stage of a pipeline.
std::vector<int> virtual_stages_of(const TransformerModel& model, const ParallelPlan& plan) {
  const int layers = static_cast<int>(plan.layers_of_schedule(model.layers));
  if (plan.pipeline == 1) return {1};
  return layers % plan.pipeline == 0 ? divisors_up_to(layers / plan.pipeline, layers) : std::vector<int>{};
}

void add_if_possible(const TrainingSetup& setup, const ParallelPlan& plan, int gpus, std::vector<FoundPlan>& found) {
  if (!plan_mistakes(setup.model, plan, setup.gpu, gpus).empty()) return;
  found.push_back({plan, step_time({setup.model, plan, setup.gpu, setup.times})});
}

}  // namespace

std::vector<FoundPlan> search_plans(const TrainingSetup& setup, const PlanSearch& search) {
  std::vector<FoundPlan> found;
  ParallelPlan plan = setup.plan;
  for (const int tensor : divisors_up_to(search.gpus, search.most_tensor)) {
    plan.tensor = tensor;
    const int most_stages = static_cast<int>(plan.layers_of_schedule(setup.model.layers));
    for (const int pipeline : divisors_up_to(search.gpus / tensor, most_stages)) {
      plan.pipeline = pipeline;
      plan.data = data_parallelism(plan, search.gpus);
      if (plan.data == 0) continue;
      for (const int virtual_stages : virtual_stages_of(setup.model, plan)) {
        plan.virtual_stages = virtual_stages;
        for (int micro_batch = 1; micro_batch <= search.most_micro_batch; micro_batch *= 2) {
          plan.micro_batch = micro_batch;
          add_if_possible(setup, plan, search.gpus, found);
        }
      }
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, [](const FoundPlan& one) { return one.time.tokens_per_s; });
  return found;
}

}  // namespace wattloop::workload
