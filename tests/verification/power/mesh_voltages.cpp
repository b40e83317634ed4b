// Power trees with closed loops: the feeder of 33 buses with its ties closed against another program, and by hand
//
//   two branches in parallel     I_1 / I_2 = Z_2 / Z_1
//   two equal ratios apart       circulating current (1 / r_1 - 1 / r_2) / (Z_1 + Z_2) at no load
//   a tie between two feeds      each half of a symmetrical pair carries half of both loads
#include "electrical/mesh_voltages.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "electrical/equipment.hpp"
#include "tests/support/by_hand/solved_diagram.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/power_breaker.hpp"

using namespace wattloop;
using namespace wattloop::electrical;
using tests::diagram_of;
using tests::line_of;
using tests::SolvedDiagram;

namespace {

Branch transformer(const std::string& name, double short_circuit_fraction, double tap_fraction = 0.0) {
  return {.name = name,
          .from = "mv",
          .to = "lv",
          .equipment = Transformer::Params{.rated_va = 1e6,
                                           .no_load_loss_w = 0.0,
                                           .load_loss_w = 10e3,
                                           .short_circuit_voltage_fraction = short_circuit_fraction,
                                           .high_voltage_v = 20e3,
                                           .low_voltage_v = 400.0,
                                           .tap_fraction = tap_fraction}};
}

OneLineDiagram pair(const Branch& one, const Branch& other) {
  OneLineDiagram diagram;
  diagram.buses = {{"mv", 20e3}, {"lv", 400.0}};
  diagram.sources = {{.name = "grid", .bus = "mv"}};
  diagram.branches = {one, other};
  diagram.loads = {{"load", {"lv"}}};
  diagram.may_be_meshed = true;
  return diagram;
}

/// Of one transformer, per unit of its rating.
Complex impedance(double short_circuit_fraction) {
  const double resistance = 10e3 / 1e6;
  return {resistance, std::sqrt(short_circuit_fraction * short_circuit_fraction - resistance * resistance)};
}

Complex output_va(const SolvedDiagram& solved, const std::string& branch) {
  return {solved.voltages.branch_output_w[solved.branch(branch)],
          solved.voltages.branch_output_var[solved.branch(branch)]};
}

}  // namespace

TEST_CASE("the feeder of 33 buses with its ties closed loses what another program says",
          "[verification][mesh_voltages]") {
  tests::FeederCase feeder = tests::read_feeder_case("feeder_33bw");
  for (AcBranch& branch : feeder.network.branches) branch.is_closed = true;
  OneLineDiagram diagram = diagram_of(feeder);
  diagram.may_be_meshed = true;
  SolvedDiagram solved(diagram, feeder.load_va);
  REQUIRE(solved.settle_meshed().is_solved);
  CHECK(solved.flow.loss_w == Approx(123.2908e3).margin(0.05));
  CHECK(solved.ratio("bus_32") == Approx(0.9532799).margin(1e-7));
  CHECK(solved.flow.source_total_w == Approx(solved.flow.served_w + solved.flow.loss_w).epsilon(1e-12));
}

TEST_CASE("loads that follow the voltage lose what another computation says", "[verification][mesh_voltages]") {
  struct Case {
    VoltageShares shares;
    double loss_w;
  };
  const Case one = GENERATE(Case{{0.0, 1.0, 0.0}, 176.627695e3}, Case{{0.0, 0.0, 1.0}, 156.872031e3});
  const bool is_meshed = GENERATE(false, true);
  const tests::FeederCase feeder = tests::read_feeder_case("feeder_33bw");
  SolvedDiagram solved(diagram_of(feeder), feeder.load_va);
  solved.model.load_shares.assign(solved.load_w.size(), one.shares);
  REQUIRE((is_meshed ? solved.settle_meshed() : solved.settle()).is_solved);
  CHECK(std::abs(solved.flow.loss_w - one.loss_w) < 1e-2);
  CHECK(solved.flow.source_total_w == Approx(solved.flow.served_w + solved.flow.loss_w).epsilon(1e-12));
}

TEST_CASE("unlike transformers in parallel share their load by their impedances", "[mesh_voltages]") {
  SolvedDiagram solved(pair(transformer("one", 0.04), transformer("other", 0.08)), {{1.2e6, 0.4e6}});
  REQUIRE(solved.settle_meshed().is_solved);
  const Complex ratio = impedance(0.08) / impedance(0.04);  // of the currents, so of conj(S)
  const Complex one = output_va(solved, "one"), other = output_va(solved, "other");
  CHECK(std::abs(std::conj(one) / std::conj(other) - ratio) < 1e-8);
  CHECK(std::abs(one + other - Complex(1.2e6, 0.4e6)) < 1e-3);
  CHECK(solved.flow.branch_output_w[solved.branch("one")] == Approx(one.real()).epsilon(1e-9));
  CHECK(solved.flow.branch_output_w[solved.branch("other")] == Approx(other.real()).epsilon(1e-9));
  const double low_v = 400.0 * solved.ratio("lv");
  const double current_a = std::abs(one) / (std::numbers::sqrt3 * low_v), rated_a = 1e6 / (std::numbers::sqrt3 * 400.0);
  CHECK(solved.flow.branch_loss_w[solved.branch("one")] ==
        Approx(10e3 * current_a * current_a / (rated_a * rated_a)).epsilon(1e-8));
  CHECK(solved.flow.branch_loading_fraction[solved.branch("one")] == Approx(current_a / rated_a).epsilon(1e-8));
}

TEST_CASE("unlike taps in parallel drive a current in a circle, which loses power without load", "[mesh_voltages]") {
  SolvedDiagram solved(pair(transformer("one", 0.06, 0.0), transformer("other", 0.06, 0.025)), {{1.0, 0.0}});
  REQUIRE(solved.settle_meshed().is_solved);
  // V_lv is the mean of both voltages behind the ratios: each drives half of their difference through its impedance
  const double circulating = std::abs((1.0 - 1.0 / 1.025) / (2.0 * impedance(0.06)));
  CHECK(solved.flow.loss_w == Approx(2.0 * 10e3 * circulating * circulating).epsilon(1e-3));
  CHECK(solved.flow.branch_loading_fraction[solved.branch("other")] == Approx(circulating).epsilon(1e-3));
  CHECK(solved.flow.source_total_w == Approx(solved.flow.served_w + solved.flow.loss_w).epsilon(1e-12));
}

TEST_CASE("a closed tie between two feeds makes both halves carry half of both loads", "[mesh_voltages]") {
  OneLineDiagram diagram;
  diagram.buses = {{"feed_a", 400.0}, {"feed_b", 400.0}, {"lv_a", 400.0}, {"lv_b", 400.0}};
  diagram.sources = {{.name = "grid_a", .bus = "feed_a"}, {.name = "grid_b", .bus = "feed_b"}};
  diagram.branches = {line_of("main_a", "feed_a", "lv_a", 0.002, 0.004, 400.0),
                      line_of("main_b", "feed_b", "lv_b", 0.002, 0.004, 400.0),
                      {.name = "tie",
                       .from = "lv_a",
                       .to = "lv_b",
                       .equipment = wattloop::tests::breaker_for(1e6),
                       .goes_both_ways = true}};
  diagram.loads = {{"load_a", {"lv_a"}}, {"load_b", {"lv_b"}}};
  diagram.may_be_meshed = true;
  SolvedDiagram solved(diagram, {{300e3, 90e3}, {100e3, 30e3}});
  REQUIRE(solved.settle_meshed().is_solved);
  CHECK(std::abs(output_va(solved, "main_a") - Complex(200e3, 60e3)) < 0.1);
  CHECK(std::abs(output_va(solved, "main_b") - Complex(200e3, 60e3)) < 0.1);
  CHECK(std::abs(output_va(solved, "tie") - Complex(-100e3, -30e3)) < 0.1);  // from b to a
  CHECK(solved.flow.bus_w[solved.bus("lv_a")] == Approx(300e3).epsilon(1e-6));
  SECTION("without another solution all branches follow the loads, and energy closes") {
    const std::vector<double> half{150e3, 50e3}, other{300e3, 20e3};
    for (const std::vector<double>& load_w : {half, other}) {
      evaluate(solved.tree, {load_w, {}}, solved.switches, solved.flow);
      CHECK(solved.flow.source_total_w == Approx(load_w[0] + load_w[1] + solved.flow.loss_w).epsilon(1e-13));
    }
    evaluate(solved.tree, {half, {}}, solved.switches, solved.flow);
    CHECK(solved.flow.branch_output_w[solved.branch("main_a")] == Approx(100e3).epsilon(1e-6));
  }
  SECTION("a tie of almost no impedance is one of contacts") {
    diagram.branches[2] = line_of("tie", "lv_a", "lv_b", 1e-12, 1e-12, 400.0);
    diagram.branches[2].goes_both_ways = true;
    SolvedDiagram close(diagram, {{300e3, 90e3}, {100e3, 30e3}});
    REQUIRE(close.settle_meshed().is_solved);
    CHECK(std::abs(output_va(close, "main_a") - Complex(200e3, 60e3)) < 0.1);
    CHECK(std::abs(output_va(close, "tie") - Complex(-100e3, -30e3)) < 0.1);
  }
  SECTION("an open tie leaves each feed its own load") {
    solved.switches.branch_closed[solved.branch("tie")] = 0;
    energise(solved.tree, solved.switches);
    REQUIRE(solved.settle_meshed().is_solved);
    CHECK(std::abs(output_va(solved, "main_a") - Complex(300e3, 90e3)) < 1e-3);
    CHECK(solved.flow.branch_output_w[solved.branch("tie")] == 0.0);
  }
}

// Each cable may be the one that closes the ring: what a bus passes on is what comes into it, counted from the cables alone.
TEST_CASE("a bus of a ring passes on all that comes in, whichever way it comes", "[mesh_voltages]") {
  const std::array<std::string, 4> buses{"south", "east", "north", "west"};
  OneLineDiagram diagram;
  for (const std::string& bus : buses) diagram.buses.push_back({bus, 1000.0});
  diagram.sources = {{.name = "grid", .bus = "south"}};
  const int first = GENERATE(0, 1, 2, 3);
  const bool is_turned = GENERATE(false, true);
  for (int k = 0; k < 4; ++k) {
    const std::string &one = buses[(first + k) % 4], &other = buses[(first + k + 1) % 4];
    diagram.branches.push_back(
        line_of(one + other, is_turned ? other : one, is_turned ? one : other, 0.01, 0.02, 1000.0));
    diagram.branches.back().goes_both_ways = true;
  }
  for (std::size_t k = 1; k < 4; ++k) diagram.loads.push_back({"load_" + buses[k], {buses[k]}});
  diagram.may_be_meshed = true;
  SolvedDiagram solved(diagram, {{50e3, 10e3}, {700e3, 100e3}, {20e3, 0.0}});
  REQUIRE(solved.settle_meshed().is_solved);
  std::vector<double> in_w(4, 0.0);
  in_w[solved.bus("south")] = solved.flow.source_total_w;
  for (std::size_t branch = 0; branch < 4; ++branch) {
    const auto [from, to] = ends_of_flow(solved.tree, solved.switches, branch);
    in_w[static_cast<std::size_t>(to)] += std::max(solved.flow.branch_output_w[branch], 0.0);
    in_w[static_cast<std::size_t>(from)] += std::max(-solved.flow.branch_input_w[branch], 0.0);
  }
  for (std::size_t bus = 0; bus < 4; ++bus) CHECK(solved.flow.bus_w[bus] == Approx(in_w[bus]).epsilon(1e-6));
}

TEST_CASE("loads that a ring does not carry have no solution, and the bus is named", "[mesh_voltages]") {
  OneLineDiagram diagram;
  diagram.buses = {{"near", 1000.0}, {"far", 1000.0}};
  diagram.sources = {{.name = "grid", .bus = "near"}};
  // two lines of twice the impedance are one: voltages collapse at 4.0366 times the load
  diagram.branches = {line_of("one", "near", "far", 0.02, 0.2, 1000.0),
                      line_of("other", "near", "far", 0.02, 0.2, 1000.0)};
  diagram.loads = {{"load", {"far"}}};
  diagram.may_be_meshed = true;
  const double factor = GENERATE(1.0, 4.03, 4.04);
  SolvedDiagram solved(diagram, {factor * Complex{0.8e6, 0.3e6}});
  const FlowEnd end = solved.settle_meshed();
  CHECK(end.is_solved == (factor < 4.0366));
  CHECK(end.weakest_bus == solved.bus("far"));
  if (factor == 1.0) CHECK(solved.ratio("far") == Approx(0.957052996).epsilon(1e-9));
}

TEST_CASE("a main beside generators is no link: they are not synchronous", "[mesh_voltages]") {
  OneLineDiagram diagram;
  diagram.buses = {{"feed", 400.0}, {"lv", 400.0}};
  diagram.sources = {{.name = "grid", .bus = "feed"},
                     {.name = "genset", .bus = "lv", .equipment = Generator::Params{}, .normally_live = false}};
  diagram.branches = {line_of("main", "feed", "lv", 0.002, 0.004, 400.0)};
  diagram.loads = {{"load", {"lv"}}};
  SolvedDiagram solved(diagram, {{100e3, 30e3}});
  CHECK(links_of(solved.tree, solved.switches) == std::vector<std::uint8_t>{0});
  solved.switches.source_live[1] = 1;
  energise(solved.tree, solved.switches);
  CHECK(solved.switches.branch_mode[0] == BranchMode::idle);
  CHECK(links_of(solved.tree, solved.switches) == std::vector<std::uint8_t>{0});
}

// Ideal switches are contacts of 1e-9 per unit, whose currents are rounded to 0.1 VA: with loads that hardly change that is all that is left of a mismatch.
TEST_CASE("a closed ring with ideal switches is solved at every load on the way to a little more", "[mesh_voltages]") {
  OneLineDiagram diagram;
  diagram.buses = {{"grid", 20e3}};
  diagram.sources = {{.name = "utility", .bus = "grid"}};
  for (const char* arm : {"a", "b"}) {
    const std::string name = arm;
    diagram.buses.insert(diagram.buses.end(), {{"in_" + name, 20e3},
                                               {"rmu_" + name, 20e3},
                                               {"out_" + name, 20e3},
                                               {"lv_" + name, 400.0},
                                               {"board_" + name, 400.0},
                                               {"end_" + name, 400.0}});
    const auto ideal = [&](const std::string& what, const std::string& from, const std::string& to, double nominal_v) {
      return Branch{.name = what + "_" + name,
                    .from = from + "_" + name,
                    .to = to + "_" + name,
                    .equipment = tests::breaker_for(2e6, nominal_v)};
    };
    Branch winding = transformer("transformer_" + name, 0.06);
    winding.from = "out_" + name;
    winding.to = "lv_" + name;
    diagram.branches.insert(
        diagram.branches.end(),
        {line_of("cable_" + name, "grid", "in_" + name, 0.075, 0.07, 20e3), ideal("incomer", "in", "rmu", 20e3),
         ideal("drop", "rmu", "out", 20e3), winding, ideal("main", "lv", "board", 400.0),
         line_of("feeder_" + name, "board_" + name, "end_" + name, 0.007, 0.003, 400.0)});
    diagram.loads.push_back({"load_" + name, {"end_" + name}});
  }
  diagram.branches.push_back(line_of("ring", "rmu_a", "rmu_b", 0.04, 0.035, 20e3));
  diagram.branches.back().goes_both_ways = true;
  diagram.may_be_meshed = true;
  SolvedDiagram solved(diagram, {{300e3, 60e3}, {200e3, 40e3}});
  REQUIRE(solved.settle_meshed().is_solved);
  MeshVoltages mesh(solved.tree, solved.model);
  REQUIRE(mesh.take_switches(solved.switches));
  const double before = solved.ratio("end_a");
  for (int step = 0; step < 5000; ++step) {
    solved.load_w[0] += 0.05;  // less than what rounding leaves, and more than its voltages show
    evaluate(solved.tree, {solved.load_w, {}}, solved.switches, solved.flow);
    INFO(step);
    REQUIRE(mesh.solve(solved.switches, solved.flow, solved.voltages).is_solved);
  }
  CHECK(solved.ratio("end_a") < before);
  const double after = solved.ratio("end_a");
  REQUIRE(solved.settle_meshed().is_solved);
  CHECK(solved.ratio("end_a") == Approx(after).margin(1e-9));
}
