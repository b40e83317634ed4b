// Time of one flow: feeders joined by ties, and a grid in which everything is meshed, of some 10,000 branches; sweeps over the same feeders
// with their ties open; fault levels at every bus.
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "electrical/admittance/per_unit.hpp"
#include "electrical/fault/short_circuit.hpp"
#include "electrical/flow/meshed_flow.hpp"
#include "electrical/flow/radial_flow.hpp"

using namespace wattloop::electrical;

namespace {

struct Sample {
  AcNetwork network;
  std::vector<Complex> load_va;
};

/// Buses of 20 kV with a load each of some 10 MW in all, and a source at the first.
Sample buses_with_loads(std::size_t count) {
  Sample sample;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0.5, 1.5);
  for (std::size_t bus = 0; bus < count; ++bus) {
    sample.network.buses.push_back({"bus", 20e3});
    sample.network.loads.push_back({"load", bus});
    const double active_w = 10e6 / double(count) * share(random);
    sample.load_va.emplace_back(active_w, 0.3 * active_w);
  }
  sample.network.sources = {{.name = "grid", .bus = 0, .resistance_ohm = 0.01, .reactance_ohm = 0.1}};
  return sample;
}

void join(Sample& sample, std::size_t from, std::size_t to, bool is_closed = true) {
  sample.network.branches.push_back(
      {.name = "cable", .from = from, .to = to, .resistance_ohm = 0.01, .reactance_ohm = 0.01, .is_closed = is_closed});
}

/// Feeders of twenty buses; each ends at the end of the next by a tie.
Sample feeders(std::size_t branches, bool are_ties_closed) {
  constexpr std::size_t length = 20;
  const std::size_t count = branches / (length + 1);
  Sample sample = buses_with_loads(1 + count * length);
  for (std::size_t feeder = 0; feeder < count; ++feeder) {
    const std::size_t first = 1 + feeder * length;
    join(sample, 0, first);
    for (std::size_t bus = first + 1; bus < first + length; ++bus) join(sample, bus - 1, bus);
    if (feeder > 0) join(sample, first - 1, first + length - 1, are_ties_closed);
  }
  return sample;
}

Sample grid(std::size_t branches) {
  std::size_t side = 2;
  while (2 * side * (side - 1) < branches) ++side;
  Sample sample = buses_with_loads(side * side);
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      const std::size_t bus = row * side + column;
      if (column + 1 < side) join(sample, bus, bus + 1);
      if (row + 1 < side) join(sample, bus, bus + side);
    }
  }
  return sample;
}

/// From flat voltages, with the order of elimination that the first solution found.
void solve_cold(benchmark::State& state, const Sample& sample) {
  MeshedFlow solver(sample.network);
  AcFlow flow = make_ac_flow(sample.network);
  solver.solve(sample.load_va, flow);
  FlowEnd end;
  for (auto _ : state) {
    solver.start_flat();
    end = solver.solve(sample.load_va, flow);
  }
  if (!end.is_solved) state.SkipWithError("no solution");
  state.counters["steps"] = end.iterations;
  state.counters["lowest"] = end.weakest_ratio;
}

/// As loads move by 2 %.
void solve_warm(benchmark::State& state, Sample sample) {
  MeshedFlow solver(sample.network);
  AcFlow flow = make_ac_flow(sample.network);
  FlowEnd end;
  bool is_more = false;
  for (auto _ : state) {
    is_more = !is_more;
    for (Complex& one : sample.load_va) one *= is_more ? 1.02 : 1.0 / 1.02;
    end = solver.solve(sample.load_va, flow);
  }
  if (!end.is_solved) state.SkipWithError("no solution");
  state.counters["steps"] = end.iterations;
}

void feeders_cold(benchmark::State& state) { solve_cold(state, feeders(std::size_t(state.range(0)), true)); }
void feeders_warm(benchmark::State& state) { solve_warm(state, feeders(std::size_t(state.range(0)), true)); }
void grid_cold(benchmark::State& state) { solve_cold(state, grid(std::size_t(state.range(0)))); }
void grid_warm(benchmark::State& state) { solve_warm(state, grid(std::size_t(state.range(0)))); }

void sweeps(benchmark::State& state, bool is_warm) {
  const Sample sample = feeders(std::size_t(state.range(0)), false);
  const std::optional<RadialTree> tree = build_radial_tree(sample.network);
  RadialScratch scratch = make_radial_scratch(sample.network, *tree);
  AcFlow flow = make_ac_flow(sample.network);
  FlowEnd end;
  for (auto _ : state) {
    if (!is_warm) start_flat(*tree, scratch);
    end = solve_radial(sample.network, *tree, sample.load_va, scratch, flow);
  }
  state.counters["sweeps"] = end.iterations;
}
void sweeps_cold(benchmark::State& state) { sweeps(state, false); }
void sweeps_again(benchmark::State& state) { sweeps(state, true); }

void faults(benchmark::State& state) {
  const Sample sample = feeders(std::size_t(state.range(0)), true);
  const FaultCase fault{.voltage_factor = largest_voltage_factors(sample.network, LowVoltageTolerance::ten_percent),
                        .sources = {feeder_source("grid", 0, {20e3, 500e6, 0.1})}};
  for (auto _ : state) benchmark::DoNotOptimize(fault_levels(sample.network, fault));
}

BENCHMARK(feeders_cold)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(feeders_warm)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(grid_cold)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(grid_warm)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(sweeps_cold)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK(sweeps_again)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK(faults)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
