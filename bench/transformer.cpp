// Time of one step of a transformer, and of a search over all plans of the reference hall.
#include <benchmark/benchmark.h>

#include "workload/transformer/plan_search.hpp"

using namespace wattloop::workload;

namespace {

/// As by a flat network of 50 GB/s: what a network needs for its answer is measured elsewhere.
class FlatTimes final : public CommunicationTimes {
 public:
  double time_s(Exchange, const RankGroup& group, double bytes_b) const override {
    return group.ranks < 2 ? 0.0 : bytes_b / 50e9;
  }
};

ParallelPlan hall_plan() {
  return {
      .tensor = 4, .pipeline = 8, .virtual_stages = 6, .data = 320, .global_batch = 2560, .precision = Precision::fp8};
}

void one_step(benchmark::State& state) {
  const TransformerModel& model = *find_published_model("gpt3_175b");
  const ParallelPlan plan = hall_plan();
  const TrainingGpu gpu = h100_training_gpu();
  const FlatTimes times;
  for (auto _ : state) benchmark::DoNotOptimize(step_time({model, plan, gpu, times}));
}

void search(benchmark::State& state) {
  const TransformerModel& model = *find_published_model("gpt3_175b");
  const ParallelPlan plan = hall_plan();
  const TrainingGpu gpu = h100_training_gpu();
  const FlatTimes times;
  std::size_t plans = 0;
  for (auto _ : state) plans = search_plans({model, plan, gpu, times}, {.gpus = 10240}).size();
  state.counters["plans"] = static_cast<double>(plans);
}

BENCHMARK(one_step)->Unit(benchmark::kMicrosecond);
BENCHMARK(search)->Unit(benchmark::kMicrosecond);

}  // namespace
