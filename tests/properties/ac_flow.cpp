// Over random networks: sweeps and Newton's method agree, power balances at every bus, buses without a source have no voltage, and nothing
// depends on the order of branches or on what was solved before.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "electrical/admittance/per_unit.hpp"
#include "electrical/flow/meshed_flow.hpp"
#include "electrical/flow/radial_flow.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::electrical;

namespace {

using Numbers = std::mt19937_64;

double drawn(Numbers& numbers, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(numbers);
}

std::size_t picked(Numbers& numbers, std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(numbers);
}

VoltageShares drawn_shares(Numbers& numbers) {
  const double power = drawn(numbers, 0.0, 1.0), current = drawn(numbers, 0.0, 1.0 - power);
  return {power, current, 1.0 - power - current};
}

/// A branch either way round, with shunts and a tap.
AcBranch drawn_branch(Numbers& numbers, const AcNetwork& network, std::size_t one, std::size_t other) {
  const bool is_reversed = drawn(numbers, 0.0, 1.0) < 0.5;
  const std::size_t from = is_reversed ? other : one, to = is_reversed ? one : other;
  const double ohm = base_ohm(network.buses[to]);
  return {.name = "branch_" + std::to_string(network.branches.size()),
          .from = from,
          .to = to,
          .resistance_ohm = drawn(numbers, 0.0005, 0.005) * ohm,
          .reactance_ohm = drawn(numbers, 0.0005, 0.01) * ohm,
          .conductance_s = drawn(numbers, 0.0, 0.002) / ohm,
          .susceptance_s = drawn(numbers, -0.005, 0.005) / ohm,
          .ratio = drawn(numbers, 0.95, 1.05)};
}

struct Drawn {
  AcNetwork network;
  std::vector<Complex> load_va;
};

/// One source, or two with trees of their own; an open branch now and then leaves buses dark.
Drawn random_trees(Numbers& numbers) {
  Drawn drawn_network;
  AcNetwork& network = drawn_network.network;
  const std::size_t buses = 2 + picked(numbers, 60);
  const bool has_two = buses > 10 && drawn(numbers, 0.0, 1.0) < 0.3;
  for (std::size_t bus = 0; bus < buses; ++bus) {
    const double nominal_v = std::vector{415.0, 11e3, 20e3, 110e3}[picked(numbers, 4)];
    network.buses.push_back({"bus_" + std::to_string(bus), nominal_v});
    if (bus == 0 || (has_two && bus == 1)) {
      const double ohm = base_ohm(network.buses[bus]) * (drawn(numbers, 0.0, 1.0) < 0.5 ? 0.0 : 0.01);
      network.sources.push_back({"source_" + std::to_string(bus), bus, drawn(numbers, 0.98, 1.05),
                                 drawn(numbers, -0.1, 0.1), 0.1 * ohm, ohm});
    } else {
      network.branches.push_back(drawn_branch(numbers, network, picked(numbers, bus), bus));
      network.branches.back().is_closed = drawn(numbers, 0.0, 1.0) < 0.97;
    }
    network.loads.push_back({"load_" + std::to_string(bus), bus, drawn_shares(numbers)});
    const double active_w = drawn(numbers, 0.0, 0.6) * base_va / double(buses);
    drawn_network.load_va.emplace_back(active_w, active_w * drawn(numbers, -0.3, 0.6));
  }
  return drawn_network;
}

/// The same with branches that close loops.
Drawn random_mesh(Numbers& numbers) {
  Drawn drawn_network = random_trees(numbers);
  AcNetwork& network = drawn_network.network;
  for (std::size_t loop = 0; loop < network.buses.size() / 3; ++loop) {
    const std::size_t one = picked(numbers, network.buses.size()), other = picked(numbers, network.buses.size());
    if (one != other) network.branches.push_back(drawn_branch(numbers, network, one, other));
  }
  return drawn_network;
}

/// Largest sum of the powers at a bus, over the base power.
double imbalance(const AcNetwork& network, const AcFlow& flow) {
  std::vector<Complex> into(network.buses.size());
  const auto power = [](const AcPower& one) { return Complex(one.active_w, one.reactive_var) / base_va; };
  for (std::size_t i = 0; i < network.branches.size(); ++i) {
    into[network.branches[i].from] -= power(flow.branch_from[i]);
    into[network.branches[i].to] -= power(flow.branch_to[i]);
  }
  for (std::size_t i = 0; i < network.loads.size(); ++i) into[network.loads[i].bus] -= power(flow.load[i]);
  for (std::size_t i = 0; i < network.sources.size(); ++i) into[network.sources[i].bus] += power(flow.source[i]);
  double largest = 0.0;
  for (const Complex& one : into) largest = std::max(largest, std::abs(one));
  return largest;
}

double largest_difference(const AcNetwork& network, const AcFlow& one, const AcFlow& other) {
  double largest = std::abs(one.loss_w - other.loss_w) / base_va;
  for (std::size_t bus = 0; bus < network.buses.size(); ++bus) {
    largest =
        std::max({largest, std::abs(one.bus_voltage_v[bus] - other.bus_voltage_v[bus]) / network.buses[bus].nominal_v,
                  std::abs(one.bus_angle_rad[bus] - other.bus_angle_rad[bus])});
  }
  for (std::size_t i = 0; i < network.branches.size(); ++i) {
    largest = std::max({largest, std::abs(one.branch_from[i].active_w - other.branch_from[i].active_w) / base_va,
                        std::abs(one.branch_to[i].reactive_var - other.branch_to[i].reactive_var) / base_va});
  }
  return largest;
}

void check_conservation(const AcNetwork& network, const AcFlow& flow) {
  CHECK(imbalance(network, flow) < 1e-9);
  CHECK(std::abs(flow.source_total_w - flow.load_total_w - flow.loss_w) <
        1e-9 * std::max(base_va, flow.source_total_w));
  const std::vector<std::uint8_t> is_live = live_buses(network);
  for (std::size_t bus = 0; bus < is_live.size(); ++bus) {
    if (is_live[bus] == 0) CHECK(flow.bus_voltage_v[bus] == 0.0);
    if (is_live[bus] != 0) CHECK(flow.bus_voltage_v[bus] > 0.5 * network.buses[bus].nominal_v);
  }
}

}  // namespace

TEST_CASE("sweeps and Newton's method agree on random trees, and power balances at every bus",
          "[properties][ac_flow]") {
  Numbers numbers(17);
  for (int draw = 0; draw < 200; ++draw) {
    const auto [network, load_va] = random_trees(numbers);
    INFO("draw " << draw);
    const std::optional<RadialTree> tree = build_radial_tree(network);
    REQUIRE(tree);
    RadialScratch scratch = make_radial_scratch(network, *tree);
    AcFlow radial = make_ac_flow(network), meshed = make_ac_flow(network);
    REQUIRE(solve_radial(network, *tree, load_va, scratch, radial).is_solved);
    REQUIRE(MeshedFlow(network).solve(load_va, meshed).is_solved);
    CHECK(largest_difference(network, radial, meshed) < 1e-9);
    check_conservation(network, radial);
    check_conservation(network, meshed);
  }
}

TEST_CASE("power balances at every bus of random meshes, whatever was solved before", "[properties][ac_flow]") {
  Numbers numbers(23);
  for (int draw = 0; draw < 100; ++draw) {
    auto [network, load_va] = random_mesh(numbers);
    INFO("draw " << draw);
    AcFlow flow = make_ac_flow(network), again = make_ac_flow(network);
    MeshedFlow solver(network);
    REQUIRE(solver.solve(load_va, flow).is_solved);
    check_conservation(network, flow);
    std::vector<Complex> other_va = load_va;
    for (Complex& one : other_va) one *= 0.3;
    network.branches.back().is_closed = false;
    solver.take_switches();
    REQUIRE(solver.solve(other_va, again).is_solved);
    check_conservation(network, again);
    network.branches.back().is_closed = true;
    solver.take_switches();
    REQUIRE(solver.solve(load_va, again).is_solved);
    CHECK(largest_difference(network, flow, again) == 0.0);
  }
}

TEST_CASE("the order of branches and the voltages to start from change nothing", "[properties][ac_flow]") {
  Numbers numbers(29);
  for (int draw = 0; draw < 50; ++draw) {
    auto [network, load_va] = random_trees(numbers);
    INFO("draw " << draw);
    const auto flow_of = [&](std::vector<double> shares) {
      const std::optional<RadialTree> tree = build_radial_tree(network);
      RadialScratch scratch = make_radial_scratch(network, *tree);
      AcFlow flow = make_ac_flow(network);
      for (const double share : shares) {
        std::vector<Complex> now_va = load_va;
        for (Complex& one : now_va) one *= share;
        REQUIRE(solve_radial(network, *tree, now_va, scratch, flow).is_solved);
      }
      return flow;
    };
    const AcFlow cold = flow_of({1.0}), warm = flow_of({0.5, 1.1, 1.0});
    CHECK(largest_difference(network, cold, warm) < 1e-9);
    std::ranges::reverse(network.branches);
    AcFlow reversed = flow_of({1.0});
    std::ranges::reverse(reversed.branch_from);
    std::ranges::reverse(reversed.branch_to);
    CHECK(largest_difference(network, cold, reversed) < 1e-9);
  }
}

TEST_CASE("sweeps allocate nothing", "[properties][ac_flow]") {
  Numbers numbers(31);
  const auto [network, load_va] = random_trees(numbers);
  const std::optional<RadialTree> tree = build_radial_tree(network);
  RadialScratch scratch = make_radial_scratch(network, *tree);
  AcFlow flow = make_ac_flow(network);
  const tests::AllocationCount count;
  const FlowEnd end = solve_radial(network, *tree, load_va, scratch, flow);
  CHECK(count.allocations() == 0);
  CHECK(end.is_solved);
}
