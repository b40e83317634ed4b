// Mistakes in networks are named, all at once; dead buses are found; impedances follow from data sheets.
#include "electrical/admittance/ac_network.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "electrical/admittance/branch_impedance.hpp"
#include "electrical/flow/meshed_flow.hpp"
#include "electrical/flow/radial_flow.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::electrical;
using Catch::Matchers::Contains;

namespace {

AcNetwork line_of_three() {
  return {.buses = {{"a", 1000.0}, {"b", 1000.0}, {"c", 1000.0}},
          .branches = {{.name = "ab", .from = 0, .to = 1, .resistance_ohm = 0.1},
                       {.name = "bc", .from = 1, .to = 2, .resistance_ohm = 0.1}},
          .loads = {{"load", 2}},
          .sources = {{.name = "grid", .bus = 0}}};
}

std::string mistakes_of(const AcNetwork& network) {
  std::string all;
  for (const std::string& one : mistakes_in(network)) all += one + "\n";
  return all;
}

}  // namespace

TEST_CASE("everything that is wrong with a network is said at once", "[ac_network]") {
  AcNetwork network = line_of_three();
  CHECK(mistakes_of(network) == "");
  network.buses[1].nominal_v = 0.0;
  network.branches[0].to = 7;
  network.branches[1].to = 1;
  network.branches[1].ratio = -1.0;
  network.branches[1].resistance_ohm = -0.1;
  network.loads[0].shares = {0.5, 0.2, 0.2};
  network.sources.push_back({.name = "second", .bus = 0});
  network.sources.push_back({.name = "third", .bus = 2, .voltage_ratio = 0.0});
  CHECK(mistakes_of(network) ==
        "bus 'b': its nominal voltage must be positive\n"
        "branch 'ab' ends at a bus that does not exist\n"
        "branch 'bc' connects bus 'b' with itself\n"
        "branch 'bc': its ratio must be positive\n"
        "branch 'bc': its impedance must be finite, its resistance not negative\n"
        "load 'load': its shares of power, current and impedance add up to 0.9, not to 1\n"
        "sources 'grid' and 'second' both fix the voltage of bus 'a': give one an impedance\n"
        "source 'third': its voltage must be positive\n");
  CHECK_THROWS_AS(build_radial_tree(network), std::invalid_argument);
  CHECK_THROWS_AS(MeshedFlow(network), std::invalid_argument);
}

TEST_CASE("sweeps take a branch without impedance, and a meshed flow names it", "[ac_network]") {
  AcNetwork network = line_of_three();
  network.branches[0].resistance_ohm = 0.0;
  CHECK_THROWS_WITH(MeshedFlow(network), Contains("branch 'ab' has no impedance"));
  const auto tree = build_radial_tree(network);
  REQUIRE(tree);
  RadialScratch scratch = make_radial_scratch(network, *tree);
  AcFlow flow = make_ac_flow(network);
  REQUIRE(solve_radial(network, *tree, std::vector<Complex>{Complex(1e6)}, scratch, flow).is_solved);
  CHECK(flow.bus_voltage_v[1] == 1000.0);
  CHECK(flow.bus_voltage_v[2] < 1000.0);
  CHECK(flow.branch_from[0].active_w == Approx(flow.source_total_w));
}

TEST_CASE("a bus behind an open branch is dead, and its load draws nothing", "[ac_network]") {
  AcNetwork network = line_of_three();
  network.branches[1].is_closed = false;
  CHECK(live_buses(network) == std::vector<std::uint8_t>{1, 1, 0});
  network.sources[0].is_live = false;
  CHECK(live_buses(network) == std::vector<std::uint8_t>{0, 0, 0});
  AcFlow flow = make_ac_flow(network);
  const std::vector<Complex> load_va{Complex(1e5)};
  const FlowEnd end = MeshedFlow(network).solve(load_va, flow);
  CHECK(end.is_solved);
  CHECK(flow.bus_voltage_v == std::vector<double>(3, 0.0));
  CHECK(flow.load[0].active_w == 0.0);
  CHECK(flow.source_total_w == 0.0);
  const auto tree = build_radial_tree(network);
  RadialScratch scratch = make_radial_scratch(network, *tree);
  CHECK(solve_radial(network, *tree, load_va, scratch, flow).is_solved);
  CHECK(flow.bus_voltage_v == std::vector<double>(3, 0.0));
}

TEST_CASE("a loop and two sources on one tree are no radial network", "[ac_network]") {
  AcNetwork network = line_of_three();
  network.sources.push_back({.name = "second", .bus = 2, .reactance_ohm = 0.1});
  CHECK_FALSE(build_radial_tree(network));
  network.branches[0].is_closed = false;
  CHECK(build_radial_tree(network));
  network.branches[0].is_closed = true;
  network.sources.pop_back();
  network.branches.push_back({.name = "ac", .from = 0, .to = 2, .resistance_ohm = 0.1});
  CHECK_FALSE(build_radial_tree(network));
}

TEST_CASE("a transformer at no load and short-circuited draws what its data sheet says", "[ac_network]") {
  AcNetwork network{.buses = {{"high", 20e3}, {"low", 400.0}}};
  const TransformerRating rating{.rated_va = 1e6,
                                 .from_v = 20e3,
                                 .to_v = 415.0,
                                 .short_circuit_voltage_fraction = 0.06,
                                 .load_loss_w = 10e3,
                                 .no_load_loss_w = 1.5e3,
                                 .no_load_current_fraction = 0.005};
  network.branches = {transformer_branch(network, "transformer", 0, 1, rating, 2)};
  network.loads = {{"load", 1, {0.0, 0.0, 1.0}}};
  network.sources = {{.name = "grid", .bus = 0}};
  AcFlow flow = make_ac_flow(network);
  MeshedFlow solver(network);
  REQUIRE(solver.solve(std::vector<Complex>{Complex(0.0)}, flow).is_solved);
  CHECK(flow.source[0].active_w == Approx(2 * 1.5e3).epsilon(1e-3));  // half of it behind the series impedance
  CHECK(flow.source[0].current_a == Approx(2 * 0.005 * 1e6 / (std::numbers::sqrt3 * 20e3)).epsilon(1e-3));
  CHECK(flow.bus_voltage_v[1] == Approx(415.0).epsilon(1e-3));
  // As good as short-circuited, at the voltage that drives the rated current.
  network.sources[0].voltage_ratio = 0.06;
  solver.take_switches();
  REQUIRE(solver.solve(std::vector<Complex>{Complex(1e13)}, flow).is_solved);
  CHECK(flow.source[0].current_a == Approx(2e6 / (std::numbers::sqrt3 * 20e3)).epsilon(1e-3));
  CHECK(flow.loss_w == Approx(2 * 10e3).epsilon(2e-3));
  CHECK(transformer_ratio(rating, 20e3, 400.0, 0.025) == Approx(1.025 * 400.0 / 415.0));
}

TEST_CASE("cables in parallel divide their impedance and add up their capacitance", "[ac_network]") {
  const AcBranch cable = cable_branch("cable", 0, 1, {1.25e-4, 1.0e-4, 0.3e-9}, {150.0, 50.0, 2});
  CHECK(cable.resistance_ohm == Approx(1.25e-4 * 75.0));
  CHECK(cable.reactance_ohm == Approx(1.0e-4 * 75.0));
  CHECK(cable.susceptance_s == Approx(100.0 * std::numbers::pi * 0.3e-9 * 300.0));
}
