// Power through a step against sums by hand: seconds by kind times watts, a first-order lag [astrom_hagglund2006], and the bubble of each stage
// [narayanan2021].
#include "workload/transformer/step_power.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_training.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

/// GPT-3 on 512 H100 [mlperf_training_v40_smc].
struct PoweredRun {
  tests::PublishedRun run;
  ParallelPlan plan;
  TrainingGpu gpu;
  tests::RailTimes times{tests::h100_links()};
  TrainingSetup setup{*find_published_model("gpt3_175b"), plan, gpu, times};
  StepTime step = step_time(setup);

  PoweredRun(const PoweredRun&) = delete;
  explicit PoweredRun(const tests::PublishedRun& of) : run(of), plan(tests::plan_of(of)), gpu(tests::gpu_of(of)) {}
};

PoweredRun smc_run() {
  for (const tests::PublishedRun& run : tests::published_runs())
    if (run.source == tests::RunSource::smc) return PoweredRun(run);
  throw std::runtime_error("no such run");
}

double seconds_of(const std::vector<StepSegment>& segments, StepPhase phase) {
  double sum_s = 0.0;
  for (const StepSegment& segment : segments)
    if (segment.phase == phase) sum_s += segment.end_s - segment.start_s;
  return sum_s;
}

}  // namespace

TEST_CASE("every stage of a pipeline waits for the bubble and ends with the step", "[step_power]") {
  const PoweredRun run = smc_run();
  for (int stage = 0; stage < run.plan.pipeline; ++stage) {
    const std::vector<StepSegment> segments = stage_timeline(run.setup, run.step, stage);
    CHECK(segments.front().start_s == 0.0);
    CHECK(segments.back().end_s == Approx(run.step.step_s));
    for (std::size_t k = 1; k < segments.size(); ++k) CHECK(segments[k].start_s == segments[k - 1].end_s);
    CHECK(seconds_of(segments, StepPhase::waiting) == Approx(run.step.bubble_s + run.step.jitter_s));
    CHECK(seconds_of(segments, StepPhase::data) == Approx(run.step.data_s));
    CHECK(seconds_of(segments, StepPhase::optimizer) == Approx(run.step.optimizer_s));
  }
}

TEST_CASE("a stage begins to compute one pass after the stage before it", "[step_power]") {
  const PoweredRun run = smc_run();
  const PassTimes layer = layer_times(run.setup);
  const double chunk_s = run.step.bubble_s / 7.0;
  const double forward_s = chunk_s * layer.forward.sum_s() / layer.sum().sum_s();
  for (int stage = 0; stage < 8; ++stage) {
    double first_s = -1.0;
    for (const StepSegment& segment : stage_timeline(run.setup, run.step, stage))
      if (first_s < 0.0 && segment.phase == StepPhase::computing) first_s = segment.start_s;
    CHECK(first_s == Approx(stage * forward_s).margin(1e-12));
  }
}

TEST_CASE("energy of a step is seconds by kind times their watts", "[step_power]") {
  const PoweredRun run = smc_run();
  const GpuPowerLevels levels;
  const StepTime& s = run.step;
  const double expected_j =
      (s.matrix_s + s.attention_s) * 685.0 + (s.memory_s + s.optimizer_s) * 350.0 +
      (s.tensor_s + s.pipeline_s + s.data_s + s.scaling_s + s.imbalance_s + s.bubble_s + s.jitter_s) * 220.0;
  for (int stage : {0, 3, 7})
    CHECK(StepPower(run.setup, s, stage, levels).step_mean_w() * s.step_s == Approx(expected_j).epsilon(1e-9));
  CHECK(computing_level_w(s, levels) == Approx(613.0).margin(4.0));  // a fit: that of the synthetic job
}

TEST_CASE("energy is the same for any interval of samples", "[step_power]") {
  const PoweredRun run = smc_run();
  for (const double lag_s : {0.0, 0.3}) {
    const StepPower power(run.setup, run.step, 2, {.lag = {.rise_s = lag_s, .fall_s = lag_s / 2.0}});
    const double whole_j = power.mean_w(0.0, 120.0) * 120.0;
    for (const int samples : {7, 120, 1200, 12000}) {
      const double interval_s = 120.0 / samples;
      double sum_j = 0.0;
      for (int k = 0; k < samples; ++k) sum_j += power.mean_w(k * interval_s, (k + 1) * interval_s) * interval_s;
      CHECK(sum_j == Approx(whole_j).epsilon(1e-10));
    }
    CHECK(power.mean_w(0.0, 50.0 * run.step.step_s) == Approx(power.step_mean_w()).epsilon(1e-9));
  }
}

TEST_CASE("power follows a level as a first-order lag", "[step_power]") {
  const PoweredRun run = smc_run();
  const double rise_s = 0.02, fall_s = 0.05;
  const StepPower power(run.setup, run.step, 0, {.lag = {.rise_s = rise_s, .fall_s = fall_s}});
  const std::vector<StepSegment> segments = stage_timeline(run.setup, run.step, 0);
  REQUIRE(segments[0].phase == StepPhase::computing);
  REQUIRE(segments[1].phase == StepPhase::waiting);
  REQUIRE(segments[2].phase == StepPhase::computing);
  const double level_w = computing_level_w(run.step, {}), waited_s = segments[1].end_s - segments[1].start_s;
  const auto now_w = [&](double t_s) { return power.mean_w(t_s, t_s + 1e-6); };
  const double fallen_w = 220.0 + (level_w - 220.0) * std::exp(-waited_s / fall_s);
  CHECK(now_w(segments[1].end_s - 1e-6) == Approx(fallen_w).epsilon(1e-3));
  CHECK(fallen_w > 250.0);  // the wait is too short to end in its level
  const double rising_w = level_w + (fallen_w - level_w) * std::exp(-0.01 / rise_s);
  CHECK(now_w(segments[2].start_s + 0.01) == Approx(rising_w).epsilon(1e-3));
}

TEST_CASE("a step is resolved by samples shorter than its waiting and not by longer ones", "[step_power]") {
  const PoweredRun run = smc_run();
  const StepPower power(run.setup, run.step, 0, {});
  const auto swing_w = [&](double interval_s) {
    double least = 1e9, most = 0.0;
    for (int k = 0; k < int(40.0 * run.step.step_s / interval_s); ++k) {
      const double w = power.mean_w(k * interval_s, (k + 1) * interval_s);
      least = std::min(least, w), most = std::max(most, w);
    }
    return most - least;
  };
  CHECK(swing_w(0.02) == Approx(computing_level_w(run.step, {}) - 220.0).epsilon(0.01));
  CHECK(swing_w(10.0 * run.step.step_s) < 1.0);
}
