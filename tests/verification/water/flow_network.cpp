// Flow networks against a ladder computed by hand, loop equations solved densely, and what is known of networks in which
// something stands still.
//
//   ladder: flows and pressures chosen, and each resistance that makes them so from R m (m + m_0) = drop with
//   m_0 = 1e-6 sqrt(strongest / R): with r = sqrt(R),  m^2 r^2 + 1e-6 m sqrt(strongest) r = drop
//
// Source: [munson2013] ch. 8.5.
#include "physics/fluids/flow_network.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "tests/verification/water/loop_equations.hpp"

using namespace wattloop::physics;
using namespace wattloop::tests;

namespace {

struct Solution {
  FlowReport report;
  UnusualFlows unusual;
  FlowNetworkScratch scratch;
  std::vector<double> flows;

  double largest() const {
    double largest = 1e-300;
    for (const double flow : flows) largest = std::max(largest, std::abs(flow));
    return largest;
  }
};

Solution solved(const FlowNetwork& network, const std::vector<BranchSetting>& settings) {
  Solution solution{{}, {}, network.make_scratch(), std::vector<double>(settings.size())};
  solution.report = network.solve(settings, solution.scratch, solution.flows);
  solution.unusual = network.unusual(solution.flows, solution.scratch);
  REQUIRE(solution.report.converged);
  return solution;
}

/// Largest |inflow - outflow| of any node over the largest flow.
double imbalance_ratio(const FlowNetwork& network, const Solution& solution) {
  std::vector<double> net(network.node_count());
  for (std::size_t i = 0; i < solution.flows.size(); ++i) {
    net[network.branches()[i].from] -= solution.flows[i];
    net[network.branches()[i].to] += solution.flows[i];
  }
  double worst = 0.0;
  for (const double value : net) worst = std::max(worst, std::abs(value));
  return worst / solution.largest();
}

/// Resistance of a branch that takes a pressure at a flow.
double bent_resistance(double drop_pa, double flow_kg_per_s, double strongest_pa) {
  const double half = 0.5e-6 * std::sqrt(strongest_pa) / flow_kg_per_s;
  const double r = -half + std::sqrt(half * half + drop_pa / (flow_kg_per_s * flow_kg_per_s));
  return r * r;
}

/// A looped network: a ring, chords, pumps, valves and check valves on some; resistances of three decades.
struct RandomNetwork {
  std::size_t nodes;
  std::vector<FlowBranch> branches;
  std::vector<BranchSetting> settings;

  RandomNetwork(std::uint64_t seed, std::size_t node_count, std::size_t chords, bool is_smooth) : nodes(node_count) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    for (std::size_t i = 0; i < nodes + chords; ++i) {
      const std::size_t from = i < nodes ? i : random() % nodes;
      const std::size_t to = i < nodes ? (i + 1) % nodes : (from + 1 + random() % (nodes - 1)) % nodes;
      FlowBranch branch{from, to, std::pow(10.0, 2.0 + 3.0 * share(random))};
      BranchSetting setting{.speed_fraction = 0.2 + 0.8 * share(random)};
      if (share(random) < 0.3) branch.exponent = 1.75 + 0.25 * share(random);
      if (share(random) < 0.4 || i == 0) {
        branch.pump = {5e5 * share(random), 2e4 * (share(random) - 0.7), -500.0 * share(random) - 1.0};
        branch.has_check_valve = !is_smooth && share(random) < 0.5;
        if (!is_smooth && share(random) < 0.2) setting.speed_fraction = 0.0;
      }
      if (share(random) < 0.3) {
        branch.valve = valve_of_authority(branch.resistance_pa_s2_per_kg2, 0.1 + 0.8 * share(random),
                                          share(random) < 0.5 ? 1.0 : 50.0);
        branch.resistance_pa_s2_per_kg2 -= branch.valve.open_resistance_pa_s2_per_kg2;
        setting.position_fraction = 0.05 + 0.95 * share(random);
        if (!is_smooth && share(random) < 0.3) setting.position_fraction = 0.0;
      }
      branches.push_back(branch);
      settings.push_back(setting);
    }
  }
};

}  // namespace

TEST_CASE("a ladder of five branches flows as computed by hand", "[flow_network]") {
  // 0 -> 1 a pump, 12 kg/s; 1 -> 0 first rung, 5 kg/s; 1 -> 2 rail, 7 kg/s; 2 -> 0 two last rungs, 4 and 3 kg/s.
  // Node 1 at 100 kPa, node 2 at 60 kPa above node 0. The pump gives 0.8^2 a + c 12^2 = 100 kPa and what its own pipe takes, 20 kPa.
  const double c = -250.0, a = (120e3 - c * 144.0) / 0.64;
  const FlowNetwork network(3, {{.from = 0,
                                 .to = 1,
                                 .resistance_pa_s2_per_kg2 = bent_resistance(20e3, 12.0, a),
                                 .pump = {a, 0.0, c},
                                 .has_check_valve = true},
                                {1, 0, bent_resistance(100e3, 5.0, a)},
                                {1, 2, bent_resistance(40e3, 7.0, a)},
                                {2, 0, bent_resistance(60e3, 4.0, a)},
                                {2, 0, bent_resistance(60e3, 3.0, a)}});
  const std::vector<double> by_hand{12.0, 5.0, 7.0, 4.0, 3.0};
  const Solution ours = solved(network, std::vector<BranchSetting>(5, {.speed_fraction = 0.8}));
  for (std::size_t i = 0; i < 5; ++i) CHECK(ours.flows[i] == Approx(by_hand[i]).epsilon(1e-9));
  CHECK(ours.scratch.pressure_pa[1] == Approx(100e3).epsilon(1e-9));
  CHECK(ours.scratch.pressure_pa[2] == Approx(60e3).epsilon(1e-9));
  CHECK(ours.unusual.still_nodes == 0);
  CHECK(ours.unusual.reversed_branches == 0);
  report_verification(
      {"flow network, ladder of five branches", "closed form", "flow of the rail", ours.flows[2], 7.0, 7e-9, "kg/s"});
}

TEST_CASE("looped networks of 50 nodes flow as loop equations say, solved densely", "[flow_network]") {
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const RandomNetwork random(seed, 50, 20, false);
    const FlowNetwork network(random.nodes, random.branches);
    const Solution ours = solved(network, random.settings);
    INFO("seed " << seed << ", " << ours.report.iterations << " iterations");
    CHECK(ours.report.iterations < 40);
    CHECK(imbalance_ratio(network, ours) < 1e-13);
    std::vector<bool> is_open;
    for (std::size_t i = 0; i < random.branches.size(); ++i) {
      const FlowBranch& branch = random.branches[i];
      const bool is_shut = branch.has_check_valve && ours.flows[i] <= 0.0;
      const bool is_closed =
          branch.valve.open_resistance_pa_s2_per_kg2 > 0.0 && random.settings[i].position_fraction == 0.0;
      is_open.push_back(!is_shut && !is_closed);
      if (!is_open.back()) CHECK(ours.flows[i] == 0.0);
      if (is_shut && !is_closed && ours.scratch.part[branch.from] == ours.scratch.part[branch.to]) {
        const double at_rest_pa = drop_pa(branch, random.settings[i], 5e5, 0.0);  // what would have to be overcome
        CHECK(ours.scratch.pressure_pa[branch.from] - ours.scratch.pressure_pa[branch.to] <= at_rest_pa + 1e-3);
      }
    }
    const std::vector<double> theirs = flows_by_loops(random.nodes, random.branches, random.settings, is_open);
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      REQUIRE(std::isfinite(theirs[i]));
      worst = std::max(worst, std::abs(ours.flows[i] - theirs[i]) / ours.largest());
    }
  }
  CHECK(worst < 1e-8);
  report_verification({"flow networks of 50 nodes and 70 branches, pumps and valves, 12 at random",
                       "loop equations, dense elimination with full pivoting",
                       "largest difference of a flow over the largest flow", worst, 0.0, 1e-8, "1", "second reading"});
}

TEST_CASE("flows change with every speed and position as differences say", "[flow_network]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RandomNetwork random(seed, 12, 6, true);
    const FlowNetwork network(random.nodes, random.branches);
    Solution at = solved(network, random.settings);
    std::vector<double> slopes(random.branches.size());
    for (std::size_t lever = 0; lever < random.branches.size(); ++lever) {
      for (const FlowLever by : {FlowLever::speed, FlowLever::position}) {
        double& moved =
            by == FlowLever::speed ? random.settings[lever].speed_fraction : random.settings[lever].position_fraction;
        const double before = moved, step = 1e-5;
        moved = before + step;
        const Solution more = solved(network, random.settings);
        moved = before - step;
        const Solution less = solved(network, random.settings);
        moved = before;
        const bool is_there = by == FlowLever::speed ? random.branches[lever].pump.shutoff_pa > 0.0
                                                     : random.branches[lever].valve.open_resistance_pa_s2_per_kg2 > 0.0;
        network.differentiate(by, lever, random.settings, at.scratch, slopes);
        double steepest = 0.0;
        for (const double slope : slopes) steepest = std::max(steepest, std::abs(slope));
        CHECK((steepest > 0.0) == is_there);
        for (std::size_t i = 0; i < slopes.size(); ++i) {
          INFO("seed " << seed << ", lever " << lever << ", branch " << i);
          const double by_difference = (more.flows[i] - less.flows[i]) / (2.0 * step);
          CHECK(std::abs(by_difference - slopes[i]) <= 1e-6 * steepest + 1e-9 * at.largest());
        }
      }
    }
  }
}

TEST_CASE("a drive that holds its pressure lets flow follow the root of it, until its pump turns at full speed",
          "[flow_network]") {
  // R = 100 in the pipe and 4 in the branch of the pump, curve 2.6e5 n^2 - 150 m^2, held at 2e5 Pa up to m^2 = (2.6e5 n^2 - 2e5) / 150
  const FlowNetwork network(2, {{.from = 0,
                                 .to = 1,
                                 .resistance_pa_s2_per_kg2 = 4.0,
                                 .pump = {2.6e5, 0.0, -150.0, 2e5},
                                 .has_check_valve = true},
                                {.from = 1, .to = 0, .resistance_pa_s2_per_kg2 = 100.0, .valve = {300.0, 1.0}}});
  const auto flow = [&](double speed, double opening) {
    return solved(network, {{.speed_fraction = speed}, {.position_fraction = opening}}).flows.front();
  };
  for (const double opening : {0.1, 0.4, 1.0}) {
    const double pipe = 100.0 + 300.0 / (opening * opening);
    for (const double speed : {0.5, 0.88, 0.95, 1.0}) {
      CAPTURE(opening, speed);
      const double falling = std::sqrt(2.6e5 * speed * speed / (pipe + 4.0 + 150.0));
      const double held = std::sqrt(2e5 / (pipe + 4.0));
      CHECK(flow(speed, opening) == Approx(std::min(falling, held)).epsilon(3e-6));
      // Derivatives by the speed, and by the valve, beside differences.
      const Solution at = solved(network, {{.speed_fraction = speed}, {.position_fraction = opening}});
      for (const auto lever : {FlowLever::speed, FlowLever::position}) {
        FlowNetworkScratch scratch = at.scratch;
        std::vector<double> by(2);
        const std::vector<BranchSetting> settings{{.speed_fraction = speed}, {.position_fraction = opening}};
        network.differentiate(lever, lever == FlowLever::speed ? 0 : 1, settings, scratch, by);
        const double step = 1e-6;
        const double expected = lever == FlowLever::speed
                                    ? (flow(speed + step, opening) - flow(speed - step, opening)) / (2.0 * step)
                                    : (flow(speed, opening) - flow(speed, opening - step)) / step;
        CHECK(by.front() == Approx(expected).epsilon(2e-4).margin(1e-6));
      }
    }
  }
}
