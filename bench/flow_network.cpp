// Time of one solution of a flow network: racks that differ, each behind its own valve, between two headers with three pumps.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "physics/fluids/flow_network.hpp"

using namespace wattloop::physics;

namespace {

struct Hall {
  FlowNetwork network;
  std::vector<BranchSetting> settings;
};

Hall hall_of(benchmark::State& state) {
  const auto racks = static_cast<std::size_t>(state.range(0));
  const double size = double(racks) * double(racks);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const FlowBranch pump{.from = 0,
                        .to = 1,
                        .resistance_pa_s2_per_kg2 = 400.0 / size,
                        .pump = {4e5, 0.0, -250.0 / size},
                        .has_check_valve = true};
  std::vector<FlowBranch> branches(3, pump);
  std::vector<BranchSetting> settings(3, {.speed_fraction = 0.8});
  for (std::size_t rack = 0; rack < racks; ++rack) {
    branches.push_back({.from = 1, .to = 2 + rack, .resistance_pa_s2_per_kg2 = 0.0, .valve = {2e4, 50.0}});
    settings.push_back({.position_fraction = 0.3 + 0.7 * share(random)});
    branches.push_back({2 + rack, 0, 5e4 * (0.8 + 0.4 * share(random))});
    settings.push_back({});
  }
  return {FlowNetwork(2 + racks, branches), settings};
}

void solve_from_rest(benchmark::State& state) {
  const Hall hall = hall_of(state);
  FlowNetworkScratch scratch = hall.network.make_scratch();
  std::vector<double> flows(hall.settings.size());
  for (auto _ : state) benchmark::DoNotOptimize(hall.network.solve(hall.settings, scratch, flows));
}

/// As speeds move by turns.
void solve_warm(benchmark::State& state) {
  Hall hall = hall_of(state);
  FlowNetworkScratch scratch = hall.network.make_scratch();
  std::vector<double> flows(hall.settings.size());
  hall.network.solve(hall.settings, scratch, flows);
  bool is_faster = false;
  for (auto _ : state) {
    is_faster = !is_faster;
    hall.settings[0].speed_fraction = is_faster ? 0.81 : 0.80;
    benchmark::DoNotOptimize(hall.network.solve_warm(hall.settings, scratch, flows));
  }
}

BENCHMARK(solve_from_rest)->Arg(16)->Arg(160)->Arg(1600);
BENCHMARK(solve_warm)->Arg(16)->Arg(160)->Arg(1600);

}  // namespace
