// The synthetic training job against what its own parameters imply by hand, and against measured figures:
//   [mlperf_training_v40_smc] node mean 6.9 +- 0.1 kW, steps of 10.64 s, evaluations at 0.92 +- 0.02 of steps
//   [wilkins2024]             GPUs at 147 to 165 W in checkpoints of 15 to 17 s
// By hand: an evaluation after 12 steps, (140 - 12.96) / 10.64 = 11.9; a checkpoint after 75, 884 / 11.72
// = 75.4.
#include "workload/training.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

const NodeSplitParams h100{
    .base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
const NodeSet rack{.nodes = 8, .gpus_per_node = 8, .split = h100};

struct Samples {
  std::vector<std::vector<double>> gpu_w, node_w;  // [sample][unit]

  double mean_node_w(std::size_t sample) const {
    return std::accumulate(node_w[sample].begin(), node_w[sample].end(), 0.0) /
           static_cast<double>(node_w[sample].size());
  }
};

Samples run(const TrainingParams& params, const NodeSet& nodes, double from_s, double to_s,
            std::uint64_t seed = 1) {
  const auto work = make_training(params, nodes, seed);
  Samples samples;
  const double step_s = params.sample_interval_s;
  for (auto k = std::llround(from_s / step_s); static_cast<double>(k) * step_s < to_s - 1e-9; ++k) {
    samples.gpu_w.emplace_back(nodes.nodes * nodes.gpus_per_node);
    samples.node_w.emplace_back(nodes.nodes);
    work->sample_all(static_cast<double>(k) * step_s, samples.gpu_w.back(), samples.node_w.back());
  }
  return samples;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Mean node power over all samples.
double mean_w(const Samples& samples) {
  double sum_w = 0.0;
  for (const auto& row : samples.node_w) sum_w += mean(row);
  return sum_w / static_cast<double>(samples.node_w.size());
}

/// Amplitude of `values` at `frequency_hz`, by the definition of the Fourier transform.
double amplitude(const std::vector<double>& values, double interval_s, double frequency_hz) {
  std::complex<double> sum = 0.0;
  const double average = mean(values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double angle = -2.0 * std::numbers::pi * frequency_hz * interval_s * static_cast<double>(k);
    sum += (values[k] - average) * std::polar(1.0, angle);
  }
  return std::abs(sum) * 2.0 / static_cast<double>(values.size());
}

TrainingParams steps_only() {
  TrainingParams params;
  params.evaluation_s = 0.0;
  params.checkpoint_s = 0.0;
  return params;
}

TrainingParams without_noise() {
  TrainingParams params;
  params.gpu_noise_w = params.node_noise_w = params.gpu_spread_w = params.checkpoint_band_w = 0.0;
  return params;
}

// Starts of evaluations and checkpoints in the first 900 s, for stage 0, counted by hand.
constexpr double step_s = 10.64, evaluation_s = 12.96, cycle_s = 12 * step_s + evaluation_s;
constexpr double checkpoint_start_s = 75 * step_s + 6 * evaluation_s;  // 875.76 s
constexpr double most_lead_s = 7 * 0.25;                               // of the first stage before the last

}  // namespace

TEST_CASE("a node draws 6.9 kW on average over an hour", "[training]") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const double average_w = mean_w(run({}, rack, 0.0, 3600.0, seed));
    CAPTURE(seed, average_w);
    CHECK(std::abs(average_w - 6900.0) < 100.0);
    if (seed == 1) {
      tests::report_verification({"synthetic training, one hour", "mlperf_training_v40_smc",
                                  "mean node power", average_w, 6900.0, 100.0, "W"});
    }
  }
}

TEST_CASE("the step is the peak of the spectrum", "[training]") {
  // Steps alone, an hour at 1 s: the peak among all bins of 1/3600 Hz is the one nearest to 1/10.64 Hz.
  const Samples samples = run(steps_only(), rack, 0.0, 3600.0);
  std::vector<double> power_w;
  for (std::size_t k = 0; k < samples.node_w.size(); ++k) power_w.push_back(samples.node_w[k][3]);
  int peak = 1;
  double highest = 0.0;
  for (int bin = 1; bin < 1800; ++bin) {
    const double height = amplitude(power_w, 1.0, bin / 3600.0);
    if (height > highest) highest = height, peak = bin;
  }
  CHECK(peak == std::lround(3600.0 / step_s));
}

TEST_CASE("with evaluations and checkpoints the step is still the peak of training blocks", "[training]") {
  // Blocks of 12 steps between evaluations, their spectra averaged, on a fine grid of periods. The hour as a
  // whole shows the evaluation cycle's harmonic next to it, 140.64 s / 13 = 10.82 s, as the measured run does
  // (142.2 / 13 = 10.94).
  const Samples samples = run({}, rack, 0.0, 3600.0);
  double best_period_s = 0.0, highest = 0.0;
  for (double period_s = 4.0; period_s < 40.0; period_s *= 1.002) {
    double height = 0.0;
    for (int block = 0; block < 6; ++block) {  // before the first checkpoint
      std::vector<double> power_w;
      const auto first = static_cast<std::size_t>(std::ceil(block * cycle_s));
      for (std::size_t k = first; k < first + 124; ++k) power_w.push_back(samples.mean_node_w(k));
      height += amplitude(power_w, 1.0, 1.0 / period_s);
    }
    if (height > highest) highest = height, best_period_s = period_s;
  }
  CHECK(best_period_s == Approx(step_s).epsilon(0.01));
  tests::report_verification({"synthetic training, blocks between evaluations", "mlperf_training_v40_smc",
                              "period of the spectral peak", best_period_s, step_s, 0.01 * step_s, "s"});
}

TEST_CASE("evaluations draw 0.92 of the power of steps", "[training]") {
  const Samples samples = run({}, rack, 0.0, 860.0);  // six evaluations, no checkpoint
  double training_w = 0.0, evaluation_w = 0.0;
  int training_count = 0, evaluation_count = 0;
  for (std::size_t k = 0; k < samples.node_w.size(); ++k) {
    const double into_s = std::fmod(static_cast<double>(k), cycle_s);
    if (into_s + most_lead_s + 1.0 < 12 * step_s) {
      training_w += samples.mean_node_w(k);
      ++training_count;
    } else if (into_s > 12 * step_s && into_s + most_lead_s + 1.0 < cycle_s) {
      evaluation_w += samples.mean_node_w(k);
      ++evaluation_count;
    }
  }
  REQUIRE(evaluation_count > 50);
  const double ratio = evaluation_w / evaluation_count / (training_w / training_count);
  CHECK(std::abs(ratio - 0.92) < 0.02);
  tests::report_verification({"synthetic training, evaluation over steps", "mlperf_training_v40_smc",
                              "power ratio", ratio, 0.92, 0.02, "1"});
}

TEST_CASE("GPUs draw 147 to 165 W in checkpoints, for 15 to 17 s", "[training]") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Samples samples = run({}, rack, 860.0, 910.0, seed);
    for (std::size_t gpu = 0; gpu < 64; ++gpu) {
      int seconds = 0;
      for (std::size_t k = 0; k < samples.gpu_w.size(); ++k) {
        const double t_s = 860.0 + static_cast<double>(k);
        const double w = samples.gpu_w[k][gpu];
        if (t_s >= checkpoint_start_s && t_s + 1.0 + most_lead_s <= checkpoint_start_s + 16.0) {
          CHECK(w >= 147.0);
          CHECK(w <= 165.0);
        }
        if (w < 200.0) ++seconds;
      }
      CHECK(seconds >= 15);  // whole samples of 1 s within 16 s
      CHECK(seconds <= 17);
    }
  }
}

TEST_CASE("GPUs stay between idle and their limit", "[training]") {
  const NodeSet hall{.nodes = 64, .gpus_per_node = 8, .split = h100};
  for (const auto& row : run({}, hall, 0.0, 3600.0).gpu_w) {
    const auto [least, most] = std::minmax_element(row.begin(), row.end());
    REQUIRE(*least >= 72.0);
    REQUIRE(*most <= 700.0);
  }
}

TEST_CASE("noise of GPUs has the deviation asked for and no memory, neither in time nor from GPU to GPU",
          "[training]") {
  TrainingParams params = steps_only();
  params.compute_gpu_w = params.communication_gpu_w = 500.0;
  params.node_noise_w = params.gpu_spread_w = 0.0;
  params.sample_interval_s = params.noise_interval_s;
  const Samples samples = run(params, rack, 0.0, 8000.0);
  const auto count = static_cast<double>(samples.gpu_w.size());  // 4,000 noise intervals
  const auto product = [&](std::size_t a, std::size_t b, std::size_t lag) {  // in variances asked for
    double sum = 0.0;
    for (std::size_t k = 0; k < samples.gpu_w.size(); ++k) {
      sum += (samples.gpu_w[k][a] - 500.0) * (samples.gpu_w[(k + lag) % samples.gpu_w.size()][b] - 500.0);
    }
    return sum / count / (params.gpu_noise_w * params.gpu_noise_w);
  };
  const double five_deviations = 5.0 / std::sqrt(count);
  for (std::size_t gpu = 0; gpu < 64; ++gpu) {
    CHECK(std::abs(product(gpu, gpu, 0) - 1.0) < five_deviations);
    CHECK(std::abs(product(gpu, gpu, 1)) < five_deviations);
    CHECK(std::abs(product(gpu, (gpu + 1) % 64, 0)) < five_deviations);  // in its node, once in the next
    CHECK(std::abs(product(gpu, (gpu + 8) % 64, 0)) < five_deviations);
  }
}

TEST_CASE("without noise a step has the mean of its two levels, and a checkpoint cycle the sum of its parts",
          "[training]") {
  TrainingParams params = without_noise();
  params.stage_lag_s = 0.0;
  params.sample_interval_s = step_s;
  const double gpu_w = 0.89 * 618.0 + 0.11 * 446.0;  // 599.08 W
  const double step_node_w = 1600.0 + 1.12 * 8.0 * gpu_w;
  CHECK(mean_w(run(params, rack, 0.0, 12 * step_s)) == Approx(step_node_w).epsilon(1e-12));

  params.sample_interval_s =
      75 * step_s + 6 * evaluation_s + 16.0;  // from the start to the end of the checkpoint
  const double checkpoint_node_w = 1600.0 + 1.12 * 8.0 * 156.0;
  const double expected_j =
      75 * step_s * step_node_w + 6 * evaluation_s * 0.92 * step_node_w + 16.0 * checkpoint_node_w;
  CHECK(mean_w(run(params, rack, 0.0, 1.0)) * params.sample_interval_s == Approx(expected_j).epsilon(1e-12));
}

TEST_CASE("energy does not depend on the sample interval", "[training]") {
  const NodeSet hall{.nodes = 16, .gpus_per_node = 8, .split = h100};
  for (const double ramp_s : {0.0, 33.3}) {
    TrainingParams params;
    params.ramp_s = ramp_s;
    std::vector<double> reference_w;
    for (const double interval_s : {0.5, 1.0, 2.0, 15.0, 0.01 * 75}) {
      params.sample_interval_s = interval_s;
      const Samples samples = run(params, hall, 0.0, 1800.0);
      std::vector<double> gpu_w(128);
      for (const auto& row : samples.gpu_w) {
        for (std::size_t i = 0; i < 128; ++i) gpu_w[i] += row[i] / static_cast<double>(samples.gpu_w.size());
      }
      if (reference_w.empty()) reference_w = gpu_w;
      CAPTURE(interval_s);
      for (std::size_t i = 0; i < 128; ++i) CHECK(gpu_w[i] == Approx(reference_w[i]).epsilon(1e-10));
    }
  }
}

TEST_CASE("power rises linearly from idle in the start ramp", "[training]") {
  TrainingParams params = without_noise();
  params.stage_lag_s = 0.0;
  params.ramp_s = 40.0;
  const Samples samples = run(params, rack, 0.0, 45.0);
  for (int k = 0; k < 40; ++k) {
    CHECK(samples.gpu_w[k][5] == Approx(72.0 + (618.0 - 72.0) * (k + 0.5) / 40.0).epsilon(1e-12));
  }
  CHECK(samples.gpu_w[41][5] == Approx(618.0).epsilon(1e-12));
}

TEST_CASE("64 nodes move together about as much as the measured ones", "[training]") {
  // Measured over 1,707 samples of 2 s, without checkpoints: mean pairwise correlation 0.56 to 0.58,
  // deviation of a node about 418 W, of the mean node 332 W, means of nodes 6.76 to 6.94 kW. Same order asked
  // for: 0.44 to 0.70; 25 %; a range of means of 60 to 250 W.
  TrainingParams params;
  params.sample_interval_s = 2.0;
  params.checkpoint_s = 0.0;
  const NodeSet hall{.nodes = 64, .gpus_per_node = 8, .split = h100};
  const Samples samples = run(params, hall, 0.0, 3414.0);
  const auto count = static_cast<double>(samples.node_w.size());
  std::vector<double> means(64), deviations(64);
  for (const auto& row : samples.node_w) {
    for (std::size_t i = 0; i < 64; ++i) means[i] += row[i] / count;
  }
  for (const auto& row : samples.node_w) {
    for (std::size_t i = 0; i < 64; ++i) deviations[i] += (row[i] - means[i]) * (row[i] - means[i]) / count;
  }
  double correlation = 0.0;
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double covariance = 0.0;
      for (const auto& row : samples.node_w) covariance += (row[i] - means[i]) * (row[j] - means[j]) / count;
      correlation += covariance / std::sqrt(deviations[i] * deviations[j]) / (64.0 * 63.0 / 2.0);
    }
  }
  CAPTURE(correlation);
  CHECK(correlation > 0.44);
  CHECK(correlation < 0.70);
  double deviation_w = 0.0;
  for (const double variance : deviations) deviation_w += std::sqrt(variance) / 64.0;
  CHECK(deviation_w == Approx(418.0).epsilon(0.25));
  tests::report_verification({"synthetic training, 64 nodes at 2 s", "mlperf_training_v40_smc",
                              "mean correlation of nodes", correlation, 0.57, 0.13, "1"});
  tests::report_verification({"synthetic training, 64 nodes at 2 s", "mlperf_training_v40_smc",
                              "deviation of a node", deviation_w, 418.0, 104.5, "W"});
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  CHECK(*most - *least > 60.0);
  CHECK(*most - *least < 250.0);
}
