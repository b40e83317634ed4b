// Voltages of a power tree: the feeders of 33 and 12 buses as one-line diagrams against what another program solved, and random diagrams of cables and
// transformers against sweeps over an AC network with the same impedances.
//
//   transformer in the network   from -(ratio)- m -(Z)- to, with its iron as a load of constant impedance at m
#include "electrical/tree_voltages.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "electrical/equipment.hpp"
#include "electrical/flow/radial_flow.hpp"
#include "electrical/one_line.hpp"
#include "tests/support/by_hand/solved_diagram.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::electrical;
using tests::diagram_of;
using tests::line_of;
using tests::SolvedDiagram;

namespace {

using Numbers = std::mt19937_64;
double between(Numbers& numbers, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(numbers);
}

/// A tree of 20 kV cables with a transformer and a low-voltage cable behind some of its buses, and the same as an AC network.
struct RandomCase {
  OneLineDiagram diagram;
  AcNetwork network;
  std::vector<Complex> load_va;     ///< of the diagram
  std::vector<Complex> network_va;  ///< of the network, iron included
  std::vector<std::size_t> bus_of;  ///< [buses of the diagram], in the network

  explicit RandomCase(unsigned seed) : numbers_(seed) {
    add_bus("grid", 20e3);
    diagram.sources.push_back({.name = "utility", .bus = "grid"});
    network.sources.push_back({.name = "utility", .bus = 0});
    const int buses = 2 + static_cast<int>(numbers_() % 20);
    for (int k = 1; k <= buses; ++k) {
      const std::size_t from = medium_[numbers_() % medium_.size()];
      add_cable(from, add_bus(fmt::format("mv_{}", k), 20e3), 20e3, 0.3);
      if (numbers_() % 2 == 0) add_transformer(medium_.back(), k);
      add_load(medium_.back(), 1e6);
    }
  }

 private:
  std::size_t add_bus(const std::string& name, double nominal_v) {
    diagram.buses.push_back({name, nominal_v});
    bus_of.push_back(network.buses.size());
    network.buses.push_back({name, nominal_v});
    if (nominal_v > 1e3) medium_.push_back(diagram.buses.size() - 1);
    return diagram.buses.size() - 1;
  }
  void add_cable(std::size_t from, std::size_t to, double voltage_v, double most_ohm) {
    const double r = between(numbers_, 0.01, most_ohm), x = between(numbers_, 0.01, most_ohm);
    const std::string name = fmt::format("cable_{}", diagram.branches.size());
    diagram.branches.push_back(line_of(name, diagram.buses[from].name, diagram.buses[to].name, r, x, voltage_v));
    network.branches.push_back(
        {.name = name, .from = bus_of[from], .to = bus_of[to], .resistance_ohm = r, .reactance_ohm = x});
  }
  void add_transformer(std::size_t from, int number) {
    const std::size_t to = add_bus(fmt::format("lv_{}", number), 400.0);
    const int modules = 1 + static_cast<int>(numbers_() % 3);
    const Transformer::Params params{.rated_va = 1e6,
                                     .no_load_loss_w = between(numbers_, 0.0, 3e3),
                                     .load_loss_w = between(numbers_, 5e3, 20e3),
                                     .short_circuit_voltage_fraction = 0.06,
                                     .high_voltage_v = 20e3,
                                     .low_voltage_v = 410.0,
                                     .no_load_current_fraction = 0.01,
                                     .tap_fraction = between(numbers_, -0.05, 0.05)};
    const std::string name = fmt::format("transformer_{}", number);
    diagram.branches.push_back({.name = name,
                                .from = diagram.buses[from].name,
                                .to = diagram.buses[to].name,
                                .equipment = params,
                                .modules = modules});
    const double ohm = 410.0 * 410.0 / 1e6, iron = params.no_load_loss_w / 1e6;
    const double resistance = params.load_loss_w / 1e6;
    const std::size_t middle = network.buses.size();
    network.buses.push_back({name + ".m", 400.0});
    network.branches.push_back({.name = name + ".ratio",
                                .from = bus_of[from],
                                .to = middle,
                                .ratio = 20e3 * (1.0 + params.tap_fraction) / 410.0 * 400.0 / 20e3});
    network.branches.push_back({.name = name,
                                .from = middle,
                                .to = bus_of[to],
                                .resistance_ohm = resistance * ohm / modules,
                                .reactance_ohm = std::sqrt(0.06 * 0.06 - resistance * resistance) * ohm / modules});
    network.loads.push_back({name + ".iron", middle, {0.0, 0.0, 1.0}});
    network_va.push_back(Complex{iron, std::sqrt(0.01 * 0.01 - iron * iron)} / ohm * (400.0 * 400.0) * double(modules));
    add_load(to, 0.6e6);
  }
  void add_load(std::size_t bus, double most_w) {
    const double power_w = between(numbers_, 0.0, most_w), factor = between(numbers_, 0.8, 1.0);
    const Complex drawn_va{power_w, power_w * std::sqrt(1.0 / (factor * factor) - 1.0)};
    const std::string name = fmt::format("load_{}", diagram.loads.size());
    diagram.loads.push_back({name, {diagram.buses[bus].name}});
    load_va.push_back(drawn_va);
    network.loads.push_back({name, bus_of[bus]});
    network_va.push_back(drawn_va);
  }

  Numbers numbers_;
  std::vector<std::size_t> medium_;  ///< buses of 20 kV
};

}  // namespace

TEST_CASE("feeders drawn as one-line diagrams have the voltages and losses of another program",
          "[verification][tree_voltages]") {
  const auto [name, loss_w] =
      GENERATE(table<const char*, double>({{"feeder_33bw", 202.677126e3}, {"feeder_12da", 20.713774e3}}));
  const tests::FeederCase feeder = tests::read_feeder_case(name);
  SolvedDiagram solved(diagram_of(feeder), feeder.load_va);
  REQUIRE(solved.settle().is_solved);
  double largest = 0.0, lowest = 2.0, lowest_published = 2.0;
  for (std::size_t bus = 0; bus < feeder.network.buses.size(); ++bus) {
    const Complex voltage = solved.voltages.bus[solved.bus("bus_" + feeder.network.buses[bus].name)];
    largest = std::max({largest, std::abs(std::abs(voltage) - feeder.solved_ratio[bus]),
                        std::abs(std::arg(voltage) * 180.0 / std::numbers::pi - feeder.solved_degrees[bus])});
    lowest = std::min(lowest, std::abs(voltage));
    lowest_published = std::min(lowest_published, feeder.solved_ratio[bus]);
  }
  CHECK(largest < 1e-6);
  CHECK(std::abs(solved.flow.loss_w - loss_w) < 1e-3);  // as printed
  tests::report_verification({fmt::format("voltages of {} as a one-line diagram", name), "zimmerman2011",
                              "lowest voltage", lowest, lowest_published, 1e-6, "1", "other tool"});
  tests::report_verification({fmt::format("voltages of {} as a one-line diagram", name), "zimmerman2011", "losses",
                              solved.flow.loss_w, loss_w, 1e-3, "W", "other tool"});
}

TEST_CASE("random diagrams of cables and transformers have the voltages of their AC network",
          "[verification][tree_voltages]") {
  double largest = 0.0, largest_of_methods = 0.0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const RandomCase one(seed);
    SolvedDiagram solved(one.diagram, one.load_va);
    REQUIRE(solved.settle().is_solved);
    const auto tree = build_radial_tree(one.network);
    REQUIRE(tree);
    RadialScratch scratch = make_radial_scratch(one.network, *tree);
    AcFlow flow = make_ac_flow(one.network);
    REQUIRE(solve_radial(one.network, *tree, one.network_va, scratch, flow).is_solved);
    for (std::size_t bus = 0; bus < one.diagram.buses.size(); ++bus) {
      const std::size_t of_tree = solved.bus(one.diagram.buses[bus].name), of_network = one.bus_of[bus];
      const Complex there = std::polar(flow.bus_voltage_v[of_network] / one.network.buses[of_network].nominal_v,
                                       flow.bus_angle_rad[of_network]);
      largest = std::max(largest, std::abs(solved.voltages.bus[of_tree] - there));
    }
    SolvedDiagram meshed(one.diagram, one.load_va);
    REQUIRE(meshed.settle_meshed().is_solved);
    for (std::size_t bus = 0; bus < one.diagram.buses.size(); ++bus)
      largest_of_methods = std::max(largest_of_methods, std::abs(solved.voltages.bus[bus] - meshed.voltages.bus[bus]));
    CHECK(solved.flow.source_total_w == Approx(meshed.flow.source_total_w).epsilon(1e-9));
    CHECK(solved.voltages.source_var[0] == Approx(meshed.voltages.source_var[0]).epsilon(1e-8));
    CHECK(solved.flow.source_total_w == Approx(flow.source_total_w).epsilon(1e-9));
    CHECK(solved.voltages.source_var[0] == Approx(flow.source[0].reactive_var).epsilon(1e-8));
    CHECK(solved.flow.source_total_w == Approx(solved.flow.served_w + solved.flow.loss_w).epsilon(1e-12));
  }
  CHECK(largest < 1e-9);
  CHECK(largest_of_methods < 1e-9);
  tests::report_verification({"voltages of 200 random diagrams, Newton's method", "own other code",
                              "largest difference to sweeps", largest_of_methods, 0.0, 1e-9, "1", "closed form"});
  tests::report_verification({"voltages of 200 random diagrams", "own other code", "largest difference of a voltage",
                              largest, 0.0, 1e-9, "1", "closed form"});
}

TEST_CASE("currents and loadings follow voltage and power factor, by hand", "[tree_voltages]") {
  OneLineDiagram diagram;
  diagram.buses = {{"near", 1000.0}, {"far", 1000.0}, {"dark", 1000.0}};
  diagram.sources = {{.name = "grid", .bus = "near"}};
  diagram.branches = {line_of("line", "near", "far", 0.01, 0.1, 1000.0),
                      line_of("spare", "near", "dark", 0.01, 0.1, 1000.0)};
  diagram.branches.back().normally_closed = false;
  diagram.loads = {{"load", {"far"}}, {"other", {"dark"}}};
  SolvedDiagram solved(diagram, {{0.8e6, 0.3e6}, {1e5, 0.0}});
  REQUIRE(solved.settle().is_solved);
  // 0.01 + j0.1 and 0.8 + j0.3 per unit of 1 MVA at 1 kV
  CHECK(std::abs(solved.voltages.bus[solved.bus("far")]) == Approx(0.957052996).epsilon(1e-9));
  const double current_a = std::hypot(0.8e6, 0.3e6) / (std::numbers::sqrt3 * 957.052996);
  const std::size_t line = *find_branch(solved.tree, "line");
  CHECK(output_current_a(solved.tree, solved.model, solved.switches, solved.voltages, line) ==
        Approx(current_a).epsilon(1e-8));
  CHECK(solved.flow.branch_loading_fraction[line] == Approx(current_a / 1000.0).epsilon(1e-8));
  CHECK(solved.flow.branch_loss_w[line] == Approx(3.0 * 0.01 * current_a * current_a).epsilon(1e-8));
  CHECK(solved.voltages.bus[solved.bus("dark")] == Complex{0.0, 0.0});
}

TEST_CASE("loads that no line carries have no solution, and the bus is named", "[tree_voltages]") {
  OneLineDiagram diagram;
  diagram.buses = {{"near", 1000.0}, {"far", 1000.0}};
  diagram.sources = {{.name = "grid", .bus = "near"}};
  diagram.branches = {line_of("line", "near", "far", 0.01, 0.1, 1000.0)};
  diagram.loads = {{"load", {"far"}}};
  const double factor = GENERATE(4.03, 4.04);  // voltages collapse at 4.0366 times the load
  SolvedDiagram solved(diagram, {factor * Complex{0.8e6, 0.3e6}});
  const FlowEnd end = solved.settle();
  CHECK(end.is_solved == (factor < 4.0366));
  CHECK(end.weakest_bus == solved.bus("far"));
}

TEST_CASE("a UPS makes its own voltage and draws at the power factor of its input", "[tree_voltages]") {
  OneLineDiagram diagram;
  diagram.buses = {{"grid", 400.0}, {"low", 400.0}, {"ups.output", 400.0}};
  diagram.sources = {{.name = "utility", .bus = "grid"}};
  diagram.branches = {line_of("line", "grid", "low", 0.01, 0.02, 400.0),
                      {.name = "ups",
                       .from = "low",
                       .to = "ups.output",
                       .equipment = Ups::Params{.rated_w = 200e3,
                                                .constant_loss_fraction = 0.01,
                                                .linear_loss_fraction = 0.02,
                                                .quadratic_loss_fraction = 0.01,
                                                .input_power_factor = 0.95}}};
  diagram.loads = {{"load", {"ups.output"}}};
  SolvedDiagram solved(diagram, {{100e3, 50e3}});
  REQUIRE(solved.settle().is_solved);
  CHECK(std::abs(solved.voltages.bus[solved.bus("ups.output")]) == 1.0);
  CHECK(std::abs(solved.voltages.bus[solved.bus("low")]) < 0.995);
  const double input_w = 100e3 + 200e3 * (0.01 + 0.02 * 0.5 + 0.01 * 0.25);
  CHECK(solved.flow.branch_input_w[*find_branch(solved.tree, "ups")] == Approx(input_w));
  CHECK(solved.voltages.bus_var[solved.bus("low")] == Approx(input_w * std::sqrt(1.0 / (0.95 * 0.95) - 1.0)));
}
