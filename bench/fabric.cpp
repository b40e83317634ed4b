// Time of a fabric of 10,240 and of 100,352 GPUs: building it, classes of equal positions after a failure, and a new placement: routes, max-min
// shares and loads of rings of one rail each, and of exchanges among eight nodes.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <numeric>
#include <random>
#include <vector>

#include "network/routing/router.hpp"
#include "network/shares/max_min_shares.hpp"

using namespace wattloop::network;

namespace {

FabricParams fabric_of(benchmark::State& state) { return {.nodes = static_cast<int>(state.range(0))}; }

double resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Nodes of jobs in the order of their ranks: as they are in racks, or mixed.
std::vector<std::uint32_t> placement(std::size_t nodes, bool is_mixed) {
  std::vector<std::uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0U);
  if (is_mixed) std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
  return order;
}

/// Each GPU sends to the GPU of the same rail in the next node of its ring.
std::vector<Flow> rings(const Fabric& fabric, bool is_mixed) {
  const std::vector<std::uint32_t> order = placement(fabric.node_count(), is_mixed);
  std::vector<Flow> flows;
  for (std::size_t node = 0; node < order.size(); ++node) {
    for (std::uint32_t gpu = 0; gpu < 8; ++gpu)
      flows.push_back({order[node], gpu, order[(node + 1) % order.size()], gpu});
  }
  return flows;
}

void build(benchmark::State& state) {
  const FabricParams params = fabric_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(build_fabric(params));
  state.counters["largest_MB"] = resident_mb();
}

void topology_changed(benchmark::State& state, RoutingRule::Kind kind) {
  const Fabric fabric = build_fabric(fabric_of(state));
  const std::vector<Impairment> lost{{"spine_3"}, {"leaf_12"}, {"leaf_20.to_spine_9", 0.5}};
  const FabricHealth health = health_with(fabric, lost);
  std::size_t classes = 0;
  for (auto _ : state) classes = Router(fabric, health, {.kind = kind}).positions().class_count();
  state.counters["classes"] = static_cast<double>(classes);
}

void place(benchmark::State& state, bool is_mixed, bool has_failures, RoutingRule::Kind kind) {
  const Fabric fabric = build_fabric(fabric_of(state));
  const std::vector<Impairment> lost{{"spine_3"}, {"leaf_12"}, {"leaf_20.to_spine_9", 0.5}};
  const Router router(fabric, has_failures ? health_with(fabric, lost) : all_healthy(fabric), {.kind = kind});
  const std::vector<Flow> flows = rings(fabric, is_mixed);
  const std::vector<double> demands = demands_b_per_s(flows);
  std::size_t paths = 0;
  for (auto _ : state) {
    const FlowRoutes routes = router.routes(flows);
    const FlowShares shares = max_min_shares(routes, demands);
    benchmark::DoNotOptimize(router.loads(routes, shares.rate_b_per_s));
    paths = routes.path_count();
  }
  state.counters["paths"] = static_cast<double>(paths);
  state.counters["largest_MB"] = resident_mb();
}

using enum RoutingRule::Kind;

void changed_adaptive(benchmark::State& state) { topology_changed(state, adaptive); }
void changed_balanced(benchmark::State& state) { topology_changed(state, balanced); }
void adaptive_in_order(benchmark::State& state) { place(state, false, false, adaptive); }
void adaptive_mixed(benchmark::State& state) { place(state, true, false, adaptive); }
void adaptive_failures(benchmark::State& state) { place(state, false, true, adaptive); }
void balanced_in_order(benchmark::State& state) { place(state, false, false, balanced); }
void balanced_mixed(benchmark::State& state) { place(state, true, false, balanced); }
void balanced_failures(benchmark::State& state) { place(state, false, true, balanced); }
void hashed_in_order(benchmark::State& state) { place(state, false, false, hashed); }

BENCHMARK(build)->Arg(1280)->Arg(12544)->Unit(benchmark::kMillisecond);
BENCHMARK(changed_adaptive)->Arg(1280)->Arg(12544)->Unit(benchmark::kMillisecond);
BENCHMARK(changed_balanced)->Arg(1280)->Arg(12544)->Unit(benchmark::kMillisecond);
BENCHMARK(balanced_in_order)->Arg(1280)->Arg(12544)->Unit(benchmark::kMillisecond);
BENCHMARK(balanced_mixed)->Arg(1280)->Arg(12544)->Unit(benchmark::kMillisecond);
BENCHMARK(balanced_failures)->Arg(1280)->Arg(12544)->Unit(benchmark::kMillisecond);
BENCHMARK(hashed_in_order)->Arg(1280)->Arg(12544)->Unit(benchmark::kMillisecond);
BENCHMARK(adaptive_in_order)->Arg(1280)->Arg(12544)->Unit(benchmark::kMillisecond);
BENCHMARK(adaptive_mixed)->Arg(1280)->Unit(benchmark::kMillisecond);
BENCHMARK(adaptive_failures)->Arg(1280)->Arg(12544)->Unit(benchmark::kMillisecond);

}  // namespace
