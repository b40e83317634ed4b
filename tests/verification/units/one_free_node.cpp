// Networks in which pressure is free at one node alone: pumps in parallel that their drives hold at a pressure, and valves in parallel back
// to where they take their water. In closed form, but for the bend of 1e-6 near no flow:
//
//   n sqrt((H - p) / R) = m sqrt(p / W)      n pumps held at H behind R each, m valves with what stands before them, W each
//   p = H a / (a + b),   a = n^2 / R,   b = m^2 / W
//
// Source: [munson2013] ch. 8.5.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "physics/fluids/flow_network.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::physics;

namespace {

constexpr double controlled_pa = 2e5, pump_resistance = 1.7, valve_resistance = 520.0;

FlowBranch pump() {
  return {.from = 0,
          .to = 1,
          .resistance_pa_s2_per_kg2 = pump_resistance,
          .pump = {.shutoff_pa = 2.62e5, .quadratic_pa_s2_per_kg2 = -1.0, .controlled_pa = controlled_pa},
          .has_check_valve = true};
}

FlowBranch valve() {
  FlowBranch branch{.from = 1, .to = 0, .resistance_pa_s2_per_kg2 = 0.5 * valve_resistance};
  branch.valve = valve_of_authority(valve_resistance, 0.5, 1.0);
  return branch;
}

}  // namespace

TEST_CASE("where one node is free two steps lead to its pressure from afar", "[flow_network]") {
  constexpr double valves = 12.0, pumps = 2.0;
  std::vector<FlowBranch> branches(12, valve());
  branches.insert(branches.end(), 3, pump());
  FlowNetwork network(2, branches);
  std::vector<BranchSetting> settings(12, {.position_fraction = 0.9});
  settings.insert(settings.end(), 2, {.speed_fraction = 1.0});
  settings.push_back({.speed_fraction = 0.0});
  network.start_from(settings);
  FlowNetworkScratch scratch = network.make_scratch();
  std::vector<double> flows(branches.size());
  for (const double position : {0.05, 0.2, 0.5, 0.7, 1.0}) {
    INFO("valves open by " << position);
    for (std::size_t i = 0; i < 12; ++i) settings[i].position_fraction = position;
    const FlowReport report = network.solve(settings, scratch, flows);
    REQUIRE(report.converged);
    CHECK(report.iterations <= 2);
    const double whole = 0.5 * valve_resistance * (1.0 + 1.0 / (position * position));
    const double a = pumps * pumps / pump_resistance, b = valves * valves / whole;
    const double flow = std::sqrt(controlled_pa * a / (a + b) / whole);
    for (std::size_t i = 0; i < 12; ++i) CHECK(std::abs(flows[i] / flow - 1.0) < 2e-6);
    CHECK(std::abs(flows[12] * pumps / (flows[0] * valves) - 1.0) < 1e-12);
    CHECK(flows[14] == 0.0);
  }
}

TEST_CASE("it makes no difference beside which others branches that are alike stand", "[flow_network]") {
  std::mt19937_64 random(16);
  for (int round = 0; round < 20; ++round) {
    std::vector<FlowBranch> sorted(6, valve()), shuffled;
    std::vector<BranchSetting> settings, shuffled_settings;
    sorted.insert(sorted.end(), 3, pump());
    for (std::size_t i = 0; i < sorted.size(); ++i) {  // few different settings, so that neighbours often have the same
      const double any = 0.2 * static_cast<double>(1 + random() % 4);
      settings.push_back({.speed_fraction = any, .position_fraction = any});
    }
    std::vector<std::size_t> order{0, 6, 1, 7, 2, 8, 3, 4, 5};
    std::ranges::shuffle(order, random);
    for (const std::size_t i : order) {
      shuffled.push_back(sorted[i]);
      shuffled_settings.push_back(settings[i]);
    }
    const FlowNetwork one(2, sorted), other(2, shuffled);
    FlowNetworkScratch scratch = one.make_scratch(), other_scratch = other.make_scratch();
    std::vector<double> flows(sorted.size()), other_flows(sorted.size());
    REQUIRE(one.solve(settings, scratch, flows).converged);
    REQUIRE(other.solve(shuffled_settings, other_scratch, other_flows).converged);
    const double largest = *std::ranges::max_element(flows);
    for (std::size_t k = 0; k < order.size(); ++k) CHECK(std::abs(other_flows[k] - flows[order[k]]) < 1e-12 * largest);
  }
}
