// A replay that is spread over a hall: every node keeps the energy of its column over a repetition, nodes
// fall out of step, no instants are added. What a delay does to a sample is worked out here by hand.
#include "workload/replay/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/support/catch.hpp"
#include "workload/replay/replay.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

const NodeSplitParams h100{.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
const NodeSet hall{.nodes = 60, .gpus_per_node = 8, .split = h100};

/// White noise in `columns` columns every 2 s; `irregularity_s` moves the stamps.
PowerTrace noise_trace(std::size_t columns, unsigned seed, double irregularity_s = 0.0) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> power_w(4000.0, 7800.0), shift_s(-0.5, 0.5);
  PowerTrace trace;
  trace.names.resize(columns);
  trace.interval_s = 2.0;
  for (int row = 0; row < 400; ++row) {
    trace.stamps_s.push_back(10.0 + 2.0 * row + irregularity_s * shift_s(random));
    for (std::size_t i = 0; i < columns; ++i) trace.power_w.push_back(power_w(random));
  }
  return trace;
}

/// Power of each node, and seconds, of every sample of one repetition.
struct Lap {
  std::vector<std::vector<double>> node_w;  // [sample][node]
  std::vector<double> seconds;
};

Lap lap_of(const Workload& work, double duration_s, const NodeSet& nodes = hall) {
  Lap lap;
  std::vector<double> gpu_w(nodes.nodes * nodes.gpus_per_node);
  for (double t_s = 0.0; t_s < duration_s - 1e-6;) {
    lap.node_w.emplace_back(nodes.nodes);
    work.sample_all(t_s, gpu_w, lap.node_w.back());
    const double next_s = work.next_change_s(t_s);
    lap.seconds.push_back(next_s - t_s);
    t_s = next_s;
  }
  return lap;
}

Lap lap_of(const PowerTrace& trace, const ReplayParams& params, std::uint64_t seed = 1) {
  return lap_of(*make_replay(trace, params, hall, {.seed = seed}), trace.duration_s());
}

double energy_j(const Lap& lap, std::size_t node) {
  double sum_j = 0.0;
  for (std::size_t k = 0; k < lap.seconds.size(); ++k) sum_j += lap.node_w[k][node] * lap.seconds[k];
  return sum_j;
}

double correlation(const Lap& lap, std::size_t a, std::size_t b) {
  const auto count = static_cast<double>(lap.node_w.size());
  double mean_a = 0.0, mean_b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
  for (const auto& row : lap.node_w) mean_a += row[a] / count, mean_b += row[b] / count;
  for (const auto& row : lap.node_w) {
    aa += (row[a] - mean_a) * (row[a] - mean_a);
    bb += (row[b] - mean_b) * (row[b] - mean_b);
    ab += (row[a] - mean_a) * (row[b] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

/// Of all pairs of nodes that replay the same of four columns.
double mean_correlation(const Lap& lap) {
  double sum = 0.0;
  int pairs = 0;
  for (std::size_t a = 0; a < 60; ++a) {
    for (std::size_t b = a + 4; b < 60; b += 4, ++pairs) sum += correlation(lap, a, b);
  }
  return sum / pairs;
}

ReplayParams spread_by(double phase_jitter_s, double copy_delay_s = 0.0) {
  ReplayParams params;
  params.spread = {phase_jitter_s, copy_delay_s};
  return params;
}

}  // namespace

TEST_CASE("every node keeps the energy of its column over a repetition, however late it is", "[spread]") {
  const unsigned seed = GENERATE(1, 2, 3);
  const double irregularity_s = GENERATE(0.0, 1.0);
  const double jitter_s = GENERATE(0.5, 2.0, 7.3, 5000.0);  // longer than the trace, too
  const PowerTrace trace = noise_trace(4, seed, irregularity_s);
  const Lap on_time = lap_of(trace, {});
  const Lap late = lap_of(trace, spread_by(jitter_s, 3.0), seed);
  CHECK(late.seconds == on_time.seconds);  // no instants are added, none moves
  for (std::size_t node = 0; node < 60; ++node) {
    CHECK(energy_j(late, node) == Approx(energy_j(on_time, node)).epsilon(1e-12));
    CHECK(late.node_w[7][node] != on_time.node_w[7][node]);
  }
}

TEST_CASE("a sample is what its node was asked for while the sample lasted", "[spread]") {
  const PowerTrace trace = noise_trace(4, 1);
  const std::vector<double> delays_s = spread_delays_s({1.9, 3.0}, {.count = 60, .columns = 4}, 1);
  const Lap lap = lap_of(trace, spread_by(1.9, 3.0));
  const std::size_t rows = trace.rows();
  for (std::size_t node = 0; node < 60; ++node) {
    // By hand: `whole` samples of 2 s and a part of one more; the end of the trace stands before its start.
    const auto whole = static_cast<std::size_t>(delays_s[node] / 2.0);
    const double part = delays_s[node] / 2.0 - static_cast<double>(whole);
    for (std::size_t k = 0; k < rows; ++k) {
      const double later_w = trace.row((k + rows - whole) % rows)[node % 4];
      const double earlier_w = trace.row((k + rows - whole - 1) % rows)[node % 4];
      CHECK(lap.node_w[k][node] == Approx((1.0 - part) * later_w + part * earlier_w).epsilon(1e-9));
    }
  }
}

TEST_CASE("nodes that replay the same column fall out of step", "[spread]") {
  const PowerTrace trace = noise_trace(4, 5);
  const double in_step = mean_correlation(lap_of(trace, {}));
  const double jitter_of_1_s = mean_correlation(lap_of(trace, spread_by(1.0)));
  const double jitter_of_2_s = mean_correlation(lap_of(trace, spread_by(2.0)));
  const double jitter_of_40_s = mean_correlation(lap_of(trace, spread_by(40.0)));
  CAPTURE(jitter_of_1_s, jitter_of_2_s, jitter_of_40_s);
  CHECK(in_step == Approx(1.0).epsilon(1e-12));
  CHECK(jitter_of_1_s < 0.97);
  CHECK(jitter_of_2_s < jitter_of_1_s - 0.03);
  CHECK(std::abs(jitter_of_40_s) < 0.2);
}

TEST_CASE("a copy of the trace is late as a whole, the first one never", "[spread]") {
  const PowerTrace trace = noise_trace(4, 5);
  const Lap on_time = lap_of(trace, {});
  const Lap late = lap_of(trace, spread_by(0.0, 60.0));
  for (std::size_t k = 0; k < late.node_w.size(); ++k) {
    CHECK(std::equal(late.node_w[k].begin(), late.node_w[k].begin() + 4, on_time.node_w[k].begin()));
  }
  const std::vector<double> delays_s = spread_delays_s({0.0, 60.0}, {.count = 60, .columns = 4}, 1);
  for (std::size_t node = 4; node < 60; ++node) {
    CHECK(delays_s[node] == delays_s[node - node % 4]);
    CHECK(delays_s[node] != delays_s[node - 4]);
  }
}

TEST_CASE("delays fill their range evenly, follow from the seed and are shared by the GPUs of a node", "[spread]") {
  const Followers gpus{.count = 80000, .per_node = 8, .columns = 80000};
  const std::vector<double> delays_s = spread_delays_s({0.5, 0.0}, gpus, 3);
  CHECK(delays_s == spread_delays_s({0.5, 0.0}, gpus, 3));
  CHECK(delays_s != spread_delays_s({0.5, 0.0}, gpus, 4));
  for (std::size_t gpu = 0; gpu < gpus.count; ++gpu) REQUIRE(delays_s[gpu] == delays_s[gpu - gpu % 8]);
  const auto [least, most] = std::ranges::minmax(delays_s);
  CHECK(least >= 0.0);
  CHECK(most < 0.5);
  const double mean_s = std::accumulate(delays_s.begin(), delays_s.end(), 0.0) / 80000.0;
  CHECK(std::abs(mean_s - 0.25) < 5.0 * 0.5 / std::sqrt(12.0 * 10000.0));  // of 10,000 nodes, five deviations
  CHECK(spread_delays_s({0.0, 0.0}, gpus, 3).empty());
}

TEST_CASE("GPUs of a trace of GPUs are late like nodes, and add up to their node", "[spread]") {
  const PowerTrace trace = noise_trace(16, 2);
  ReplayParams params = spread_by(1.5);
  params.meaning = "gpu";
  const NodeSet nodes{.nodes = 4, .gpus_per_node = 8, .split = h100};
  const auto work = make_replay(trace, params, nodes, {.seed = 9});
  const std::vector<double> delays_s = spread_delays_s(params.spread, {.count = 32, .per_node = 8, .columns = 16}, 9);
  std::vector<double> gpu_w(32), node_w(4);
  work->sample_all(20.0, gpu_w, node_w);
  for (std::size_t gpu = 0; gpu < 32; ++gpu) {
    const double part = delays_s[gpu] / 2.0;
    CHECK(gpu_w[gpu] == Approx((1.0 - part) * trace.row(10)[gpu % 16] + part * trace.row(9)[gpu % 16]).epsilon(1e-9));
  }
  for (std::size_t node = 0; node < 4; ++node) {
    const double sum_w = std::accumulate(gpu_w.begin() + node * 8, gpu_w.begin() + node * 8 + 8, 0.0);
    CHECK(node_w[node] == Approx(1600.0 + 1.12 * sum_w).epsilon(1e-12));
  }
}

TEST_CASE("after the end a spread trace holds or rests like any other", "[spread]") {
  const PowerTrace trace = noise_trace(4, 2);
  ReplayParams params = spread_by(1.5);
  params.after_end = "hold";
  const auto hold = make_replay(trace, params, hall);
  params.after_end = "idle";
  const auto idle = make_replay(trace, params, hall);
  std::vector<double> gpu_w(480), last_w(60), node_w(60);
  hold->sample_all(trace.duration_s() - 1.0, gpu_w, last_w);
  hold->sample_all(1e6, gpu_w, node_w);
  CHECK(node_w == last_w);
  idle->sample_all(trace.duration_s() + 0.1, gpu_w, node_w);
  CHECK(node_w == std::vector<double>(60, 1600.0 + 1.12 * 8.0 * 72.0));
}
