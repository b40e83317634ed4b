// Time of one `Workload::sample`, whole samples of 1 s in turn, for halls of 10,240 and 102,400 GPUs.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "workload/replay/replay.hpp"
#include "workload/training/training.hpp"

using namespace wattloop::workload;

namespace {

constexpr int gpus_per_node = 8;
const NodeSplitParams h100{.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};

NodeSet hall_of(benchmark::State& state) {
  return {.nodes = static_cast<int>(state.range(0)) / gpus_per_node, .gpus_per_node = gpus_per_node, .split = h100};
}

/// 64 columns, 1,707 rows at 2 s, as a training run of 64 nodes was measured.
PowerTrace trace_of_64_nodes() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> power_w(5000.0, 7400.0);
  PowerTrace trace;
  trace.names.resize(64);
  trace.interval_s = 2.0;
  for (int row = 0; row < 1707; ++row) {
    trace.stamps_s.push_back(2.0 * row);
    for (int column = 0; column < 64; ++column) trace.power_w.push_back(power_w(random));
  }
  return trace;
}

void time_samples(benchmark::State& state, const Workload& work, const NodeSet& nodes) {
  const auto gpus = static_cast<std::size_t>(nodes.nodes * nodes.gpus_per_node);
  std::vector<double> gpu_w(gpus), node_w(static_cast<std::size_t>(nodes.nodes));
  double t_s = 0.0;
  for (auto _ : state) {
    work.sample_all(t_s, gpu_w, node_w);
    benchmark::DoNotOptimize(gpu_w.data());
    benchmark::ClobberMemory();
    t_s += 1.0;
  }
  const double samples = static_cast<double>(state.iterations());
  state.counters["per_gpu"] = benchmark::Counter(samples * static_cast<double>(gpus),
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void training(benchmark::State& state) {
  const NodeSet nodes = hall_of(state);
  time_samples(state, *make_training({}, nodes, 1), nodes);
}

/// As racks ask for it: 64 or 128 nodes at a time.
void training_in_ranges(benchmark::State& state) {
  const NodeSet nodes{.nodes = 1280, .gpus_per_node = gpus_per_node, .split = h100};
  const auto at_once = static_cast<std::size_t>(state.range(0));
  const auto work = make_training({}, nodes, 1);
  std::vector<double> gpu_w(at_once * gpus_per_node), node_w(at_once), gpus_w(at_once);
  SampleBasis basis;
  double t_s = 0.0;
  for (auto _ : state) {
    work->prepare(t_s, basis);
    for (std::size_t first = 0; first < 1280; first += at_once) {
      work->sample_with_sums(basis, {first, at_once}, gpu_w, {node_w, gpus_w});
      benchmark::DoNotOptimize(gpu_w.data());
      benchmark::ClobberMemory();
    }
    t_s += 1.0;
  }
}

void replay_nodes(benchmark::State& state) {
  const NodeSet nodes = hall_of(state);
  time_samples(state, *make_replay(trace_of_64_nodes(), {}, nodes), nodes);
}

void replay_spread(benchmark::State& state) {
  const NodeSet nodes = hall_of(state);
  ReplayParams params;
  params.spread = {0.5, 10.0};
  time_samples(state, *make_replay(trace_of_64_nodes(), params, nodes), nodes);
}

BENCHMARK(training)->Arg(10'240)->Arg(102'400)->Unit(benchmark::kMicrosecond);
BENCHMARK(training_in_ranges)->Arg(64)->Arg(128)->Arg(1280)->Unit(benchmark::kMicrosecond);
BENCHMARK(replay_nodes)->Arg(10'240)->Arg(102'400)->Unit(benchmark::kMicrosecond);
BENCHMARK(replay_spread)->Arg(10'240)->Arg(102'400)->Unit(benchmark::kMicrosecond);

}  // namespace
