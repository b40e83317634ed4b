// A transformer job against an integration of its course by small steps: levels of steps, evaluations and checkpoints one after the other, followed
// with a first-order lag [astrom_hagglund2006]. Only times and watts by kind come from the model; what becomes of them is computed here anew.
#include "workload/transformer_job/transformer_job.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_training.hpp"
#include "workload/training/training.hpp"
#include "workload/training/training_clock.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

const NodeSplitParams h100{.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
const NodeSet hall{.nodes = 64, .gpus_per_node = 8, .split = h100};
const tests::RailTimes rails{tests::h100_links()};

/// GPT-3 as [mlperf_training_v40_smc] ran it on 512 H100, without deviations.
TransformerParams gpt3() {
  TransformerParams params;
  params.model = *find_published_model("gpt3_175b");
  params.precision = "fp8";
  params.batch = 2048;
  params.parallel = {.tensor = 4, .pipeline = 8, .virtual_stages = 12, .micro_batch = 2};
  params.overlap.tensor_fraction = by_precision;
  params.power.rise_s = 0.2, params.power.fall_s = 0.1;
  params.job.gpu_noise_w = params.job.gpu_spread_w = params.job.node_noise_w = params.job.checkpoint_band_w = 0.0;
  params.job.evaluation_s = 12.0;
  params.job.evaluation_interval_s = 60.0;
  params.job.checkpoint_s = 5.0;
  params.job.checkpoint_interval_s = 100.0;
  params.job.sample_interval_s = 0.1;
  return params;
}

MadeWork made(const TransformerParams& params, const NodeSet& nodes = hall, double run_s = 300.0) {
  const WorkRequest request{
      .nodes = nodes, .network = &rails, .run = {{}, run_s}, .mention_of = [](std::string_view) { return Mention{}; }};
  Problems problems;
  MadeWork work = make_work(params, request, problems);
  problems.throw_if_any("a test");
  return work;
}

struct Level {
  double duration_s, watts;
};

/// Means of samples of a level course, by small steps of the lag.
std::vector<double> integrated(const std::vector<Level>& levels, double rise_s, double fall_s, double interval_s,
                               std::size_t samples) {
  constexpr double dt_s = 1e-4;
  double watts = levels.front().watts, end_s = levels.front().duration_s;
  std::vector<double> means(samples);
  std::size_t k = 0;
  const auto per_sample = static_cast<std::size_t>(std::llround(interval_s / dt_s));
  for (std::size_t sample = 0; sample < samples; ++sample) {
    for (std::size_t n = 0; n < per_sample; ++n) {
      const double t_s = static_cast<double>(sample * per_sample + n) * dt_s;
      while (t_s >= end_s) end_s += levels[++k].duration_s;
      const double tau = levels[k].watts > watts ? rise_s : fall_s;
      const double next = levels[k].watts + (watts - levels[k].watts) * std::exp(-dt_s / tau);
      means[sample] += 0.5 * (watts + next) / static_cast<double>(per_sample);
      watts = next;
    }
  }
  return means;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Levels of a stage from the begin of the job, as evaluations and checkpoints stand between steps. The slowest GPU has a clock c.
std::vector<Level> course(const TransformerParams& params, int stage, double until_s, double clock = 1.0) {
  const PlannedJob job = plan_job(params, hall);
  const StepTime s = step_time(job.setup(rails));
  const TrainingParams training = training_with_step(params, job, s);
  const double clocked = s.computing_s() + s.imbalance_s;
  const double other = s.tensor_s + s.pipeline_s + s.scaling_s;
  const double longer = 1.0 + clocked / (clocked + other) * (1.0 / clock - 1.0);
  const auto add = [](std::vector<Level>& levels, double duration_s, double watts) {
    levels.push_back({duration_s, watts});
  };
  std::vector<Level> step, all;
  double mean_w = 0.0;  // of all stages, at full clock
  for (int k = 0; k < 8; ++k) {
    std::vector<Level> full;
    for (const StepSegment& segment : stage_timeline(job.setup(rails), s, k)) {
      const double full_s = segment.end_s - segment.start_s;
      const double watts = segment.phase == StepPhase::computing   ? computing_level_w(s, job.levels)
                           : segment.phase == StepPhase::optimizer ? 350.0
                                                                   : 220.0;
      full.push_back({full_s, watts});
      if (k != stage) continue;
      const bool is_clocked = segment.phase == StepPhase::computing || segment.phase == StepPhase::waiting;
      const double duration_s = is_clocked ? full_s * longer : full_s;
      add(step, duration_s, (watts * full_s + 220.0 * (duration_s - full_s)) / duration_s);
    }
    const std::vector<Level> one = full;
    full.insert(full.end(), one.begin(), one.end());
    full.push_back(one.front());
    const auto samples = static_cast<std::size_t>(std::lround(s.step_s / 1e-3));
    const std::vector<double> two_steps = integrated(full, params.power.rise_s, params.power.fall_s, 1e-3, 2 * samples);
    mean_w += mean({two_steps.begin() + static_cast<std::ptrdiff_t>(samples), two_steps.end()}) / 8.0;
  }
  const double step_node_w = 1600.0 + 1.12 * 8.0 * mean_w;
  const double evaluation_w = (0.925 * step_node_w - 1600.0) / 1.12 / 8.0;
  const double every_evaluation = std::round((60.0 - 12.0) / s.step_s);
  const double every_checkpoint = std::round((100.0 - 5.0) / (s.step_s + 12.0 / every_evaluation));
  double t_s = 0.0;
  for (int done = 1; t_s < until_s; ++done) {
    const std::size_t before = all.size();
    for (const Level& level : step) all.push_back(level);
    if (std::fmod(done, every_evaluation) == 0.0) {
      const double slow_s = (12.0 - 0.15) / clock;
      add(all, 0.15 + slow_s - (12.0 - 0.15), 220.0);
      add(all, 12.0 - 0.15, evaluation_w);
    }
    if (std::fmod(done, every_checkpoint) == 0.0) add(all, 5.0, training.checkpoint_gpu_w);
    for (std::size_t k = before; k < all.size(); ++k) t_s += all[k].duration_s;
  }
  return all;
}

}  // namespace

TEST_CASE("samples of a transformer job are those of its levels followed with a lag", "[transformer_job]") {
  const TransformerParams params = gpt3();
  const MadeWork work = made(params);
  for (const int stage : {0, 5}) {
    const std::vector<double> expected = integrated(course(params, stage, 260.0), 0.2, 0.1, 0.1, 2500);
    std::vector<double> gpu_w(512), node_w(64);
    double largest = 0.0;
    for (int k = 20; k < 2500; ++k) {  // the integration begins at a level
      work.workload->sample_all(0.1 * k, gpu_w, node_w);
      largest = std::max(largest, std::abs(gpu_w[static_cast<std::size_t>(stage) * 64] - expected[k]));
      CHECK(node_w[static_cast<std::size_t>(stage) * 8] == Approx(1600.0 + 1.12 * 8.0 * gpu_w[stage * 64]));
    }
    CAPTURE(stage);
    CHECK(largest < 0.5);  // of 466 W between levels; steps of 0.1 ms
  }
}

TEST_CASE("where one GPU is slow, all others wait for it", "[transformer_job]") {
  const TransformerParams params = gpt3();
  const MadeWork work = made(params);
  const SynchronousJob& job = *work.workload->jobs().front().program;
  const double clock = 0.8;
  const JobClock slow = job.at_clock({}, 0.0, clock);
  const std::vector<double> expected = integrated(course(params, 3, 200.0, clock), 0.2, 0.1, 0.1, 1900);
  std::vector<double> gpu_w(512), gpus_w(64), node_w(64);
  double largest = 0.0;
  for (int k = 20; k < 1900; ++k) {
    SampleBasis basis;
    work.workload->prepare(0.1 * k, {.clocks = {&slow, 1}}, basis);
    work.workload->sample_with_sums(basis, {0, 64}, gpu_w, {node_w, gpus_w});
    largest = std::max(largest, std::abs(gpu_w[3 * 64] - expected[k]));
  }
  CHECK(largest < 0.5);

  // The shares by which firmware lowers the watts of the slow GPU: seconds of kernels, longer by the clock.
  const PlannedJob planned = plan_job(params, hall);
  const StepTime s = step_time(planned.setup(rails));
  TransformerParams steps_only = params;
  steps_only.job.evaluation_s = steps_only.job.checkpoint_s = 0.0;
  const double slow_step_s = s.step_s + clocked_s(s) * (1.0 / clock - 1.0);
  steps_only.job.sample_interval_s = slow_step_s;
  const MadeWork steps = made(steps_only);
  SampleBasis basis;
  const JobClock slow_steps = steps.workload->jobs().front().program->at_clock({}, 0.0, clock);
  steps.workload->prepare(0.0, {.clocks = {&slow_steps, 1}}, basis);
  const SampleShares shares = steps.workload->shares(basis, 17);
  const double kernels = s.computing_s() / (s.computing_s() + s.tensor_s + s.pipeline_s + s.scaling_s + s.imbalance_s);
  const double in_segments_s = s.step_s - s.bubble_s - s.jitter_s - s.data_s - s.optimizer_s;
  CHECK(shares.busy_fraction == Approx(kernels * in_segments_s / slow_step_s).epsilon(1e-9));
  CHECK(shares.waiting_fraction == Approx(shares.busy_fraction * (1.0 / clock - 1.0)).epsilon(1e-9));
}

TEST_CASE("energy of a transformer job does not depend on the sample interval", "[transformer_job]") {
  std::vector<double> reference_w;
  for (const double interval_s : {0.1, 0.5, 1.0, 7.5, 60.0, 300.0}) {
    TransformerParams params = gpt3();
    params.job.sample_interval_s = interval_s;
    const MadeWork work = made(params);
    std::vector<double> gpu_w(512), node_w(64), sum_w(64);
    const int samples = static_cast<int>(std::lround(300.0 / interval_s));
    for (int k = 0; k < samples; ++k) {
      work.workload->sample_all(interval_s * k, gpu_w, node_w);
      for (std::size_t n = 0; n < 64; ++n) sum_w[n] += node_w[n] / samples;
    }
    if (reference_w.empty()) reference_w = sum_w;
    CAPTURE(interval_s);
    for (std::size_t n = 0; n < 64; ++n) CHECK(sum_w[n] == Approx(reference_w[n]).epsilon(1e-10));
  }
}

TEST_CASE("nodes have the stage of their rank", "[transformer_job]") {
  // 4 tensor x 16 data GPUs = 8 nodes a stage: nodes 0 to 7 are ahead, 56 to 63 are last.
  TransformerParams params = gpt3();
  params.job.evaluation_s = params.job.checkpoint_s = 0.0;
  const MadeWork work = made(params);
  std::vector<double> gpu_w(512), node_w(64);
  work.workload->sample_all(0.1, gpu_w, node_w);
  CHECK(node_w[0] == node_w[7]);
  CHECK(node_w[0] > node_w[8]);  // the first stage computes, the second still waits for it
  // A job of one node: 8 stages of one GPU are in it, and it has their mean.
  TransformerParams small = params;
  small.model = {.layers = 8, .width = 1024, .heads = 16, .feed_forward = 4096, .vocabulary = 51200, .sequence = 2048};
  small.batch = 64;
  small.parallel = {.tensor = 1, .pipeline = 8};
  NodeSet node = hall;
  node.nodes = 1;
  const MadeWork one = made(small, node);
  const PlannedJob job = plan_job(small, node);
  const StepTime s = step_time(job.setup(rails));
  double expected_w = 0.0;
  for (int stage = 0; stage < 8; ++stage)
    expected_w += StepPower(job.setup(rails), s, stage, job.levels).mean_w(s.step_s, s.step_s + 0.1) / 8.0;
  std::vector<double> gpus_w(8), ac_w(1);
  SampleBasis basis;
  JobClock late{.position_s = s.step_s};
  one.workload->prepare(0.0, {.clocks = {&late, 1}}, basis);
  std::vector<double> sums_w(1);
  one.workload->sample_with_sums(basis, {0, 1}, gpus_w, {ac_w, sums_w});
  CHECK(mean(gpus_w) == Approx(expected_w).epsilon(1e-9));
}

TEST_CASE("a job on other GPUs or with a plan that does not fit says so", "[transformer_job]") {
  TransformerParams params = gpt3();
  CHECK(made(params).warnings.empty());
  NodeSet stronger = hall;
  stronger.split.gpu_limit_w = 1000.0;
  CHECK(made(params, stronger).warnings.size() == 1);
  CHECK(made(params, hall, 10.0).warnings.size() == 1);  // a step takes 10.4 s
  CHECK(made(params, hall, 11.0).warnings.empty());
  params.parallel.pipeline = 5;
  const PlannedJob job = plan_job(params, hall);
  CHECK(mistakes_in(job).size() >= 2);  // 512 GPUs, 96 layers
  params = gpt3();
  params.parallel = {.tensor = 4};
  CHECK(mistakes_in(plan_job(params, hall)).size() == 1);  // memory
}

TEST_CASE("micro-batches of each pipeline give the batch of any number of nodes", "[transformer_job]") {
  TransformerParams params = gpt3();
  params.batch = 0;
  CHECK(
      mistakes_in(plan_job(params, hall)).front().starts_with("batch: the number of sequences of a step is not given"));
  params.parallel = {.tensor = 4, .pipeline = 8, .virtual_stages = 6, .micro_batch = 1, .micro_batches = 8};
  for (const int nodes : {64, 128, 1280}) {
    NodeSet own = hall;
    own.nodes = nodes;
    const PlannedJob job = plan_job(params, own);
    CHECK(mistakes_in(job).empty());
    CHECK(job.plan.data == nodes * 8 / 32);
    CHECK(job.plan.global_batch == 8 * job.plan.data);
  }
  params.batch = 128;
  CHECK(mistakes_in(plan_job(params, hall)).front().starts_with("parallel: micro_batches 8 gives the batch already"));
}
