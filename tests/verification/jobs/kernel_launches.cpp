// Hosts that launch kernels: counts by hand, waits in closed form, and steps of published runs of Llama 2 70B with adapters in FP8, tensor 4
// [mlperf_training_v40_lora], [mlperf_training_v40_lora_results]. The time of a launch is fitted to one of them, on 8 nodes of another operator than that of the power records
// (tests/verification/jobs/adapters.cpp); the others are predicted. Theirs: median of the blocks of steps after the first.
#include "workload/transformer/kernel_launches.hpp"

#include <array>
#include <cmath>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_training.hpp"
#include "tests/support/verification.hpp"
#include "workload/transformer/step_power.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

const TransformerModel& llama2() { return *find_published_model("llama2_70b"); }

ParallelPlan adapters(int context, int data, int batch) {
  return {.tensor = 4,
          .context = context,
          .data = data,
          .global_batch = batch,
          .adapter_rank = 16,
          .precision = Precision::fp8,
          .weight_bytes_b = 1.0,
          .tensor_overlap_fraction = 0.75,
          .context_overlap_fraction = 0.9};
}

StepTime step_of(const ParallelPlan& plan, const TrainingGpu& gpu) {
  const tests::RailTimes rails{tests::h100_links()};
  return step_time({llama2(), plan, gpu, rails});
}

TrainingGpu with_launch(double launch_s) {
  TrainingGpu gpu = h100_training_gpu();
  gpu.bf16_launch_s = gpu.fp8_launch_s = launch_s;
  return gpu;
}

}  // namespace

TEST_CASE("kernels of a layer are those that are counted by hand", "[training_step]") {
  // Products with casts, memory, two context ranks, exchanges, adapters; backward frozen weights are transposed.
  const KernelLaunches lora = kernel_launches(llama2(), adapters(2, 8, 8));
  CHECK(lora.forward == (4 + 4) + 7 + (2 + 2) + 4 + 2 * (2 + 3 + 1));
  CHECK(lora.backward == (4 + 4 + 4) + 7 + (2 + 2) + 4 + 2 * (4 + 3 + 1));
  CHECK(lora.sum() == 78.0);
  const TransformerModel& gpt3 = *find_published_model("gpt3_175b");
  ParallelPlan plan{.tensor = 4};
  CHECK(kernel_launches(gpt3, plan).forward == 4 + 7 + 1 + 4);
  CHECK(kernel_launches(gpt3, plan).backward == 8 + 7 + 1 + 4);
  plan.precision = Precision::fp8;
  CHECK(kernel_launches(gpt3, plan).sum() == 36 + 8);
  plan = {.tensor = 8, .recompute = Recompute::full, .has_sequence_parallelism = false, .has_fused_attention = false};
  CHECK(kernel_launches(gpt3, plan).forward == 4 + 7 + 4 + 2);
  CHECK(kernel_launches(gpt3, plan).backward == 8 + 7 + 6 + 2);
  CHECK(kernel_launches(gpt3, plan).recompute == 17.0);
  plan.recompute = Recompute::selective;
  CHECK(kernel_launches(gpt3, plan).recompute == 4.0);
  TransformerModel experts = gpt3;
  experts.experts = 8;
  CHECK(kernel_launches(experts, {.data = 8, .expert = 4}).forward == (2 + 4) + 7 + 1 + 2);
}

TEST_CASE("a launch in BF16 is to one in FP8 as in a linear layer alone", "[training_step]") {
  const TrainingGpu gpu = h100_training_gpu();
  // 3 kernels in 0.574 ms, 5 in 2.072 ms [transformer_engine_launches]
  CHECK(gpu.launch_s(Precision::bf16) / gpu.launch_s(Precision::fp8) ==
        Approx((0.574 / 3.0) / (2.072 / 5.0)).epsilon(0.002));
}

TEST_CASE("GPUs wait for a host that launches kernels more slowly than they run", "[training_step]") {
  const NoCommunication nothing;
  TransformerModel model = *find_published_model("gpt3_175b");
  model.vocabulary = 0;
  const ParallelPlan plan{.tensor = 4, .pipeline = 8, .virtual_stages = 3, .global_batch = 16};
  TrainingGpu gpu = with_launch(0.0);
  gpu.jitter_fraction = 0.0;
  const StepTime free = step_time({model, plan, gpu, nothing});
  CHECK(free.launch_s == 0.0);
  const double gpu_s = free.computing_s() / 16.0;             // of a stage, one micro-batch
  gpu.bf16_launch_s = 0.99 * gpu_s / (12.0 * (16.0 + 20.0));  // 12 layers
  CHECK(step_time({model, plan, gpu, nothing}).step_s == free.step_s);
  gpu.bf16_launch_s = 2.0 * gpu_s / (12.0 * (16.0 + 20.0));
  const StepTime bound = step_time({model, plan, gpu, nothing});
  CHECK(bound.launch_s == Approx(16.0 * gpu_s));
  CHECK(bound.bubble_s == Approx(7.0 / 3.0 * 2.0 * gpu_s));
  CHECK(bound.step_s == Approx(free.step_s + 16.0 * gpu_s + 7.0 / 3.0 * gpu_s));
  const double energy_j = StepPower({model, plan, gpu, nothing}, bound, 0, {}).step_mean_w() * bound.step_s;
  const double free_j = StepPower({model, plan, gpu, nothing}, free, 0, {}).step_mean_w() * free.step_s;
  CHECK(energy_j == Approx(free_j + (bound.step_s - free.step_s) * 220.0));
}

namespace {

struct AdapterRow {
  const char* name;
  int context, data, batch;
  double step_s;     ///< theirs
  double tolerance;  ///< of the prediction
};

// eos_n8, eos_n128 and eos of NVIDIA; a node of the operator of the power records.
constexpr AdapterRow fitted{"on 64 H100", 2, 8, 8, 0.6376, 0.002};
constexpr std::array predicted{AdapterRow{"on 1,024 H100", 2, 128, 128, 0.658, 0.03},
                               AdapterRow{"on 8 H100, four micro-batches", 1, 2, 8, 3.712, 0.03},
                               AdapterRow{"on 8 H100 of another operator", 1, 2, 8, 3.856, 0.06}};

}  // namespace

TEST_CASE("the time of a launch is fitted to adapters on 64 GPUs and predicts other runs within 6 percent",
          "[training_step][fit]") {
  const double ours_s = step_of(adapters(2, 8, 8), h100_training_gpu()).step_s;
  CHECK(ours_s == Approx(fitted.step_s).epsilon(fitted.tolerance));
  CHECK(step_of(adapters(2, 8, 8), with_launch(0.0)).step_s < 0.77 * fitted.step_s);  // what kernels alone take
  for (const AdapterRow& row : predicted) {
    const StepTime step = step_of(adapters(row.context, row.data, row.batch), h100_training_gpu());
    INFO(row.name << ": " << step.step_s << " of " << row.step_s);
    CHECK(step.step_s == Approx(row.step_s).epsilon(row.tolerance));
    CHECK((step.launch_s > 0.0) == (row.context == 2));  // a whole sequence keeps GPUs busier than their hosts
    tests::report_verification({std::string("adapters of Llama 2 70B ") + row.name, "mlperf_training_v40_lora_results",
                                "step time", step.step_s, row.step_s, row.tolerance * row.step_s, "s", "measured"});
  }
  ParallelPlan h200 = adapters(1, 4, 8);
  h200.tensor = 2;
  const double h200_s = step_of(h200, h200_training_gpu()).step_s, their_h200_s = 3.230;
  CHECK(h200_s == Approx(their_h200_s).epsilon(0.03));
  tests::report_verification({"adapters of Llama 2 70B on 8 H200", "mlperf_training_v40_lora_results", "step time",
                              h200_s, their_h200_s, 0.03 * their_h200_s, "s", "measured"});
}

// Not one pretraining run waits for its hosts: what the fit says of adapters is not in their efficiencies.
TEST_CASE("no published run of pretraining waits for launches", "[training_step]") {
  for (const tests::PublishedRun& run : tests::published_runs()) {
    INFO(run.model << " on " << run.gpus());
    CHECK(tests::step_of(run).launch_s == 0.0);
  }
}
