// The method follows the network: sweeps on trees, Newton's method on meshes and where sweeps find no solution.
#include "electrical/flow/ac_solver.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.hpp"

using namespace wattloop::electrical;
using Catch::Matchers::Contains;

namespace {

/// A ring whose last side is open.
AcNetwork ring() {
  AcNetwork network{.buses = {{"a", 1000.0}, {"b", 1000.0}, {"c", 1000.0}}};
  network.branches = {
      {.name = "ab", .from = 0, .to = 1, .resistance_ohm = 0.1, .reactance_ohm = 0.1},
      {.name = "bc", .from = 1, .to = 2, .resistance_ohm = 0.1, .reactance_ohm = 0.1},
      {.name = "ca", .from = 2, .to = 0, .resistance_ohm = 0.1, .reactance_ohm = 0.1, .is_closed = false}};
  network.loads = {{"load", 2}};
  network.sources = {{.name = "grid", .bus = 0}};
  return network;
}

const std::vector<Complex> load_va{Complex(5e5, 1e5)};

double voltage_at_load(AcSolver& solver, const AcNetwork& network) {
  AcFlow flow = make_ac_flow(network);
  REQUIRE(solver.solve(load_va, flow).is_solved);
  return flow.bus_voltage_v[2];
}

}  // namespace

TEST_CASE("the automatic method sweeps while a ring is open, and follows its switches", "[ac_solver]") {
  AcNetwork network = ring();
  AcSolver solver(network, FlowMethod::automatic), always(network, FlowMethod::meshed);
  CHECK(solver.is_radial());
  CHECK_FALSE(always.is_radial());
  const double open_v = voltage_at_load(solver, network);
  CHECK(open_v == Approx(voltage_at_load(always, network)).epsilon(1e-9));
  network.branches[2].is_closed = true;
  solver.take_switches();
  CHECK_FALSE(solver.is_radial());
  const double closed_v = voltage_at_load(solver, network);
  CHECK(closed_v > open_v + 10.0);
  always.take_switches();
  CHECK(voltage_at_load(always, network) == closed_v);
  network.branches[2].is_closed = false;
  solver.take_switches();
  CHECK(solver.is_radial());
  CHECK(voltage_at_load(solver, network) == open_v);
}

TEST_CASE("the radial method names the branch that closes a loop and the source that is one too many", "[ac_solver]") {
  AcNetwork network = ring();
  AcSolver solver(network, FlowMethod::radial);
  network.branches[2].is_closed = true;
  CHECK_THROWS_WITH(solver.take_switches(),
                    Contains("closes a loop at bus 'c'") || Contains("closes a loop at bus 'b'"));
  network.branches[2].is_closed = false;
  network.sources.push_back({.name = "second", .bus = 0, .reactance_ohm = 0.1});
  CHECK_THROWS_WITH(AcSolver(network, FlowMethod::radial), Contains("source 'second' feeds bus 'a'"));
}

TEST_CASE("what sweeps do not solve is left to Newton's method", "[ac_solver]") {
  AcNetwork network = ring();
  network.loads[0].shares = {0.0, 0.0, 1.0};
  const std::vector<Complex> heavy_va{Complex(8e6, 0.0)};  // 0.125 ohm behind 0.2 + j0.2
  AcFlow flow = make_ac_flow(network);
  CHECK_FALSE(AcSolver(network, FlowMethod::radial).solve(heavy_va, flow).is_solved);
  REQUIRE(AcSolver(network, FlowMethod::automatic).solve(heavy_va, flow).is_solved);
  CHECK(flow.bus_voltage_v[2] == Approx(1000.0 * std::abs(0.125 / Complex(0.325, 0.2))).epsilon(1e-9));
  network.branches[0].resistance_ohm = network.branches[0].reactance_ohm = 0.0;  // which Newton's method would refuse
  CHECK_FALSE(AcSolver(network, FlowMethod::automatic).solve({std::vector{Complex(8e7, 0.0)}}, flow).is_solved);
}
