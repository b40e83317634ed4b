// The synthetic training job against what its own parameters imply by hand, and GPUs in checkpoints against [wilkins2024]:
// 147 to 165 W for 15 to 17 s. Its statistics stand beside those of a measured run in training_statistics.cpp.
// By hand: an evaluation after 12 steps, (142.15 - 12.97) / 10.765 = 12.0; a checkpoint after 75, 884 / 11.85 = 74.6.
#include "workload/training/training.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

const NodeSplitParams h100{.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
const NodeSet rack{.nodes = 8, .gpus_per_node = 8, .split = h100};

struct Samples {
  std::vector<std::vector<double>> gpu_w, node_w;  // [sample][unit]
};

Samples run(const TrainingParams& params, const NodeSet& nodes, double from_s, double to_s, std::uint64_t seed = 1) {
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
constexpr double step_s = 10.765, evaluation_s = 12.97;
constexpr double checkpoint_start_s = 75 * step_s + 6 * evaluation_s;  // 885.195 s
constexpr double most_lead_s = 7 * 0.288;                              // of the first stage before the last

}  // namespace

TEST_CASE("the step is the peak of the spectrum", "[training]") {
  // Steps alone, an hour at 1 s: the peak among all bins of 1/3600 Hz is the one nearest to 1/10.765 Hz.
  const Samples samples = run(steps_only(), rack, 0.0, 3600.0);
  std::vector<double> power_w;
  for (std::size_t k = 0; k < samples.node_w.size(); ++k) power_w.push_back(mean(samples.node_w[k]));
  int peak = 1;
  double highest = 0.0;
  for (int bin = 1; bin < 1800; ++bin) {
    const double height = amplitude(power_w, 1.0, bin / 3600.0);
    if (height > highest) highest = height, peak = bin;
  }
  CHECK(peak == std::lround(3600.0 / step_s));
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
  const auto count = static_cast<double>(samples.gpu_w.size());              // 4,000 noise intervals
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
  const double gpu_w = 0.944 * 613.0 + 0.056 * 220.0;  // 590.992 W
  const double step_node_w = 1600.0 + 1.12 * 8.0 * gpu_w;
  CHECK(mean_w(run(params, rack, 0.0, 12 * step_s)) == Approx(step_node_w).epsilon(1e-12));

  params.sample_interval_s = 75 * step_s + 6 * evaluation_s + 16.0;  // from the start to the end of the checkpoint
  const double checkpoint_node_w = 1600.0 + 1.12 * 8.0 * 156.0;
  const double dip_node_w = 1600.0 + 1.12 * 8.0 * 220.0;
  const double evaluation_j = 0.15 * dip_node_w + (evaluation_s - 0.15) * 0.925 * step_node_w;
  const double expected_j = 75 * step_s * step_node_w + 6 * evaluation_j + 16.0 * checkpoint_node_w;
  CHECK(mean_w(run(params, rack, 0.0, 1.0)) * params.sample_interval_s == Approx(expected_j).epsilon(1e-12));
}

TEST_CASE("energy does not depend on the sample interval", "[training]") {
  const NodeSet hall{.nodes = 16, .gpus_per_node = 8, .split = h100};
  for (const double ramp_s : {0.0, 33.3}) {
    TrainingParams params;
    params.ramp_s = ramp_s;
    std::vector<double> reference_w;
    for (const double interval_s : {0.5, 1.0, 2.0, 15.0, 0.01 * 75, 60.0, 450.0, 900.0, 1800.0}) {
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
    CHECK(samples.gpu_w[k][5] == Approx(72.0 + (613.0 - 72.0) * (k + 0.5) / 40.0).epsilon(1e-12));
  }
  CHECK(samples.gpu_w[41][5] == Approx(613.0).epsilon(1e-12));
}

TEST_CASE("an evaluation is not shorter than the dip that it begins with, unless there is none", "[training]") {
  CHECK(training_mistakes({}, rack).empty());
  CHECK(training_mistakes(steps_only(), rack).empty());
  CHECK(training_mistakes({.evaluation_s = 0.1}, rack) ==
        std::vector<std::string>{"evaluation_dip_time: it is longer than the evaluation"});
}

TEST_CASE("noise and spread have the deviations asked for, within 1 %, over all GPUs and nodes of a hall",
          "[training]") {
  // 64 nodes at 2,000 noise intervals leave 0.2 % of chance in the deviation of the nodes, less in that of GPUs; the spread of
  // 512 GPUs is drawn once, uniformly: 2 % of chance.
  const NodeSet hall{.nodes = 64, .gpus_per_node = 8, .split = h100};
  TrainingParams params = steps_only();
  params.compute_gpu_w = params.communication_gpu_w = 500.0;
  params.sample_interval_s = params.noise_interval_s;
  const Samples samples = run(params, hall, 0.0, 4000.0);
  const auto count = static_cast<double>(samples.gpu_w.size());
  std::vector<double> mean_gpu_w(512);
  for (const auto& row : samples.gpu_w) {
    for (std::size_t gpu = 0; gpu < 512; ++gpu) mean_gpu_w[gpu] += row[gpu] / count;
  }
  double of_nodes = 0.0, of_gpus = 0.0, of_spread = 0.0;  // variances
  for (const auto& row : samples.gpu_w) {
    for (std::size_t node = 0; node < 64; ++node) {
      double shared_w = 0.0;
      for (std::size_t gpu = 8 * node; gpu < 8 * node + 8; ++gpu) shared_w += (row[gpu] - mean_gpu_w[gpu]) / 8.0;
      of_nodes += shared_w * shared_w / (count * 64.0);
      for (std::size_t gpu = 8 * node; gpu < 8 * node + 8; ++gpu)
        of_gpus += std::pow(row[gpu] - mean_gpu_w[gpu] - shared_w, 2) / (count * 64.0 * 7.0);
    }
  }
  for (const double w : mean_gpu_w) of_spread += (w - 500.0) * (w - 500.0) / 512.0;
  CHECK(std::sqrt(of_gpus) == Approx(4.0).epsilon(0.01));
  CHECK(std::sqrt(of_nodes - of_gpus / 8.0) == Approx(11.0).epsilon(0.01));
  CHECK(std::sqrt(of_spread) == Approx(14.0).epsilon(0.05));
}

TEST_CASE("each pipeline stage is 0.288 s behind the one before, and nodes are dealt out to stages in turn",
          "[training]") {
  const NodeSet hall{.nodes = 24, .gpus_per_node = 8, .split = h100};
  TrainingParams params = without_noise();
  params.sample_interval_s = 0.018;
  const Samples samples = run(params, hall, 0.0, step_s);
  const double compute_s = 0.944 * step_s;  // of the last stage, which begins at 0: the first is 7 lags ahead
  for (std::size_t node = 0; node < 24; ++node) {
    const auto falls = std::find_if(samples.gpu_w.begin(), samples.gpu_w.end(),
                                    [&](const auto& row) { return row[8 * node] < 400.0; });
    const double falls_s = params.sample_interval_s * static_cast<double>(falls - samples.gpu_w.begin());
    const double lead_s = 0.288 * static_cast<double>(7 - node % 8);
    INFO("node " << node << " stops computing at " << falls_s << " s");
    CHECK(falls_s == Approx(compute_s - lead_s).margin(1.01 * params.sample_interval_s));
  }
}

TEST_CASE("noise of means over many cells falls with the root of their number, as if each were drawn alone",
          "[training]") {
  // 64 cells in a sample are two draws; 250 samples of 64 nodes and 512 GPUs. The pool holds 500 and 64 series of 32 cells that share no
  // number, so that the deviation of their sums is known to 0.5 sqrt(2 / 500) = 3 %; three times that.
  const NodeSet hall{.nodes = 64, .gpus_per_node = 8, .split = h100};
  TrainingParams params = steps_only();
  params.compute_gpu_w = params.communication_gpu_w = 500.0;
  params.gpu_spread_w = 0.0;
  params.sample_interval_s = 64.0 * params.noise_interval_s;
  const Samples samples = run(params, hall, 0.0, 250.0 * params.sample_interval_s);
  const auto count = static_cast<double>(samples.gpu_w.size());
  double of_nodes = 0.0, of_gpus = 0.0, with_next = 0.0;
  for (std::size_t k = 0; k < samples.gpu_w.size(); ++k) {
    for (std::size_t node = 0; node < 64; ++node) {
      const auto shared_w = [&](std::size_t sample) {
        double sum_w = 0.0;
        for (std::size_t gpu = 8 * node; gpu < 8 * node + 8; ++gpu) sum_w += (samples.gpu_w[sample][gpu] - 500.0) / 8.0;
        return sum_w;
      };
      const double here_w = shared_w(k);
      of_nodes += here_w * here_w / (count * 64.0);
      with_next += here_w * shared_w((k + 1) % samples.gpu_w.size()) / (count * 64.0);
      for (std::size_t gpu = 8 * node; gpu < 8 * node + 8; ++gpu)
        of_gpus += std::pow(samples.gpu_w[k][gpu] - 500.0 - here_w, 2) / (count * 64.0 * 7.0);
    }
  }
  CHECK(std::sqrt(of_gpus) * 8.0 == Approx(4.0).epsilon(0.09));
  CHECK(std::sqrt(of_nodes - of_gpus / 8.0) * 8.0 == Approx(11.0).epsilon(0.09));
  CHECK(std::abs(with_next) < 5.0 / std::sqrt(count * 64.0) * of_nodes);
}
