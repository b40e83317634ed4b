// The coolant network against closed forms of small networks and Kirchhoff's two laws on random ones.
//
//   one pump, one pipe:  n^2 a + c m^2 = R m^2                 ->  m = n sqrt(a / (R - c))
//   parallel pipes:      1 / sqrt(R) = sum of 1 / sqrt(R_i);   series: R = sum of R_i
//
// Source: [munson2013] ch. 8.5 (pipes in series and parallel). The solver bends each resistance to
// R m (|m| + m_0) with m_0 one millionth of a full flow; hence the tolerance 2e-6 against the pure square
// law.
#include "physics/fluids/flow_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace wattloop::physics;

namespace {

constexpr double square_law_tolerance = 2e-6;

/// A pipe with or without a pump and a check valve.
struct Pipe {
  std::size_t from;
  std::size_t to;
  double resistance_pa_s2_per_kg2;
  PumpCurve pump;
  bool has_check_valve;
};

FlowNetwork network_of(std::size_t node_count, const std::vector<Pipe>& pipes) {
  std::vector<FlowBranch> branches;
  for (const Pipe& pipe : pipes) {
    branches.push_back({.from = pipe.from,
                        .to = pipe.to,
                        .resistance_pa_s2_per_kg2 = pipe.resistance_pa_s2_per_kg2,
                        .pump = pipe.pump,
                        .has_check_valve = pipe.has_check_valve});
  }
  return FlowNetwork(node_count, branches);
}

std::vector<BranchSetting> settings_of(const std::vector<double>& speeds) {
  std::vector<BranchSetting> settings;
  for (const double speed : speeds) settings.push_back({.speed_fraction = speed});
  return settings;
}

std::vector<double> solved(const FlowNetwork& network, const std::vector<double>& speeds) {
  FlowNetworkScratch scratch = network.make_scratch();
  std::vector<double> flows(speeds.size());
  REQUIRE(network.solve(settings_of(speeds), scratch, flows).converged);
  return flows;
}

/// Largest |inflow - outflow| of any node over the largest flow.
double imbalance_ratio(const FlowNetwork& network, const std::vector<double>& flows) {
  std::vector<double> net(network.node_count());
  double largest = 1e-300;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    net[network.branches()[i].from] -= flows[i];
    net[network.branches()[i].to] += flows[i];
    largest = std::max(largest, std::abs(flows[i]));
  }
  double worst = 0.0;
  for (double value : net) worst = std::max(worst, std::abs(value));
  return worst / largest;
}

/// Racks between a supply header (node 1) and a return header (node 0), fed by pumps from 0 to 1.
FlowNetwork racks_and_pumps(int racks, int pumps, bool check_valves) {
  std::vector<Pipe> branches;
  for (int i = 0; i < pumps; ++i) branches.push_back({0, 1, 400.0, {4e5, 0.0, -150.0}, check_valves});
  for (int i = 0; i < racks; ++i) branches.push_back({1, 0, 5e4, {}, false});
  return network_of(2, branches);
}

}  // namespace

TEST_CASE("one pump and one pipe run at the closed form, at every speed", "[hydraulics]") {
  const FlowNetwork network = network_of(2, {{0, 1, 100.0, {4e5, 0.0, -250.0}, false}, {1, 0, 650.0, {}, false}});
  for (double speed : {1.0, 0.75, 0.3, 0.01}) {
    const std::vector<double> flows = solved(network, {speed, 0.0});
    CHECK(flows[0] == Approx(speed * std::sqrt(4e5 / 1000.0)).epsilon(square_law_tolerance / speed));
    CHECK(flows[1] == flows[0]);
  }
}

TEST_CASE("a curve that rises at first has its operating point on the falling side", "[hydraulics]") {
  // 480 kPa + 5 kPa/(kg/s) m - 0.75 kPa/(kg/s)^2 m^2 = 0.25 kPa/(kg/s)^2 m^2: m^2 - 5 m - 480 = 0
  const FlowNetwork network = network_of(2, {{0, 1, 50.0, {4.8e5, 5e3, -750.0}, false}, {1, 0, 200.0, {}, false}});
  CHECK(solved(network, {1.0, 0.0})[0] == Approx(0.5 * (5.0 + std::sqrt(25.0 + 1920.0))).epsilon(square_law_tolerance));
  CHECK(solved(network, {0.5, 0.0})[0] == Approx(0.25 * (5.0 + std::sqrt(1945.0))).epsilon(square_law_tolerance));
}

TEST_CASE("sixty equal racks share the flow equally, as one resistance over 60 squared", "[hydraulics]") {
  const FlowNetwork network = racks_and_pumps(60, 1, true);
  std::vector<double> speeds(61, 1.0);
  const std::vector<double> flows = solved(network, speeds);
  CHECK(flows[0] == Approx(std::sqrt(4e5 / (400.0 + 150.0 + 5e4 / 3600.0))).epsilon(square_law_tolerance));
  for (std::size_t rack = 2; rack < flows.size(); ++rack) CHECK(flows[rack] == flows[1]);
  CHECK(imbalance_ratio(network, flows) < 1e-14);
}

TEST_CASE("series and parallel pipes agree with their equivalent resistance", "[hydraulics]") {
  // pump 0 -> 1, header 1 -> 2, three unequal racks 2 -> 3, header 3 -> 0
  const std::vector<double> racks{3e3, 8e3, 2e4};
  std::vector<Pipe> branches{{0, 1, 10.0, {3e5, 0.0, -90.0}, true}, {1, 2, 40.0, {}, false}, {3, 0, 60.0, {}, false}};
  double admittance = 0.0;
  for (double resistance : racks) {
    branches.push_back({2, 3, resistance, {}, false});
    admittance += 1.0 / std::sqrt(resistance);
  }
  const FlowNetwork network = network_of(4, branches);
  const std::vector<double> flows = solved(network, std::vector<double>(branches.size(), 0.8));
  const double parallel = 1.0 / (admittance * admittance);
  const double total = 0.8 * std::sqrt(3e5 / (10.0 + 90.0 + 40.0 + 60.0 + parallel));
  CHECK(flows[0] == Approx(total).epsilon(square_law_tolerance));
  for (std::size_t i = 0; i < racks.size(); ++i) {
    CHECK(flows[3 + i] == Approx(total / (std::sqrt(racks[i]) * admittance)).epsilon(square_law_tolerance));
  }
  CHECK(imbalance_ratio(network, flows) < 1e-14);
}

TEST_CASE("a stopped pump behind its check valve stands still and the other carries the racks", "[hydraulics]") {
  const FlowNetwork network = racks_and_pumps(40, 2, true);
  std::vector<double> speeds(42, 0.0);
  speeds[0] = speeds[1] = 1.0;
  const std::vector<double> both = solved(network, speeds);
  CHECK(both[0] == both[1]);
  speeds[1] = 0.0;
  const std::vector<double> one = solved(network, speeds);
  CHECK(one[1] == 0.0);
  CHECK(one[0] == Approx(std::sqrt(4e5 / (550.0 + 5e4 / 1600.0))).epsilon(square_law_tolerance));
  CHECK(one[0] > both[0]);
  CHECK(one[2] < both[2]);
}

TEST_CASE("without a check valve the stopped pump is a way back", "[hydraulics]") {
  const FlowNetwork network = racks_and_pumps(40, 2, false);
  std::vector<double> speeds(42, 0.0);
  speeds[0] = 1.0;
  const std::vector<double> flows = solved(network, speeds);
  CHECK(flows[1] < 0.0);
  CHECK(imbalance_ratio(network, flows) < 1e-14);
}

TEST_CASE("nothing flows where no pump turns", "[hydraulics]") {
  const FlowNetwork network = racks_and_pumps(8, 2, true);
  for (double flow : solved(network, std::vector<double>(10, 0.0))) CHECK(flow == 0.0);
}

TEST_CASE("loops that share no pipe are solved side by side", "[hydraulics]") {
  const FlowNetwork both = network_of(4, {{0, 1, 50.0, {1e5, 0.0, -50.0}, false},
                                          {1, 0, 300.0, {}, false},
                                          {3, 2, 50.0, {2e5, 0.0, -50.0}, false},
                                          {2, 3, 700.0, {}, false}});
  const std::vector<double> flows = solved(both, {1.0, 0.0, 1.0, 0.0});
  CHECK(flows[1] == Approx(std::sqrt(1e5 / 400.0)).epsilon(square_law_tolerance));
  CHECK(flows[3] == Approx(std::sqrt(2e5 / 800.0)).epsilon(square_law_tolerance));
}

namespace {

/// A connected random network: a ring, chords, pumps on some branches, check valves on some.
FlowNetwork random_network(std::mt19937_64& random, std::size_t nodes, std::size_t chords) {
  std::uniform_real_distribution<double> decades(1.0, 5.0), share(0.0, 1.0);
  std::vector<Pipe> branches;
  for (std::size_t i = 0; i < nodes + chords; ++i) {
    const std::size_t from = i < nodes ? i : random() % nodes;
    const std::size_t to = i < nodes ? (i + 1) % nodes : (from + 1 + random() % (nodes - 1)) % nodes;
    Pipe branch{from, to, std::pow(10.0, decades(random)), {}, false};
    if (share(random) < 0.4 || i == 0) {
      branch.pump = {5e5 * share(random), 2e4 * (share(random) - 0.7), -500.0 * share(random) - 1.0};
      branch.has_check_valve = share(random) < 0.5;
    }
    branches.push_back(branch);
  }
  return network_of(nodes, branches);
}

/// Pressure rise of a pump curve, held at its peak for smaller and reverse flow.
double curve_pa(const PumpCurve& pump, double speed, double flow) {
  double used = flow;
  if (pump.linear_pa_s_per_kg > 0.0) {
    used = std::max(flow, -0.5 * speed * pump.linear_pa_s_per_kg / pump.quadratic_pa_s2_per_kg2);
  } else {
    used = std::max(flow, 0.0);
  }
  return speed * speed * pump.shutoff_pa + speed * pump.linear_pa_s_per_kg * used +
         pump.quadratic_pa_s2_per_kg2 * used * used;
}

}  // namespace

TEST_CASE("random networks obey both of Kirchhoff's laws from any start", "[hydraulics]") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    const FlowNetwork network = random_network(random, 2 + seed % 9, seed % 50);
    std::vector<double> speeds(network.branches().size());
    for (double& speed : speeds) speed = share(random) < 0.2 ? 0.0 : share(random);
    FlowNetworkScratch scratch = network.make_scratch();
    std::vector<double> flows(speeds.size());
    const FlowReport report = network.solve(settings_of(speeds), scratch, flows);
    INFO("seed " << seed << ", " << report.iterations << " iterations");
    REQUIRE(report.converged);
    CHECK(report.iterations < 60);
    CHECK(imbalance_ratio(network, flows) < 1e-13);
    double largest = 0.0;
    for (double flow : flows) largest = std::max(largest, std::abs(flow));
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const FlowBranch& branch = network.branches()[i];
      const double difference_pa = scratch.pressure_pa[branch.from] - scratch.pressure_pa[branch.to];
      const double needed_pa =
          branch.resistance_pa_s2_per_kg2 * flows[i] * std::abs(flows[i]) - curve_pa(branch.pump, speeds[i], flows[i]);
      const double largest_pa = branch.resistance_pa_s2_per_kg2 * std::max(flows[i] * flows[i], 1e-4) + 5e5;
      if (branch.has_check_valve && flows[i] == 0.0) {
        CHECK(difference_pa <= needed_pa + 1e-9 * largest_pa);
      } else {
        CHECK(std::abs(difference_pa - needed_pa) < 1e-5 * largest_pa);
      }
      if (branch.has_check_valve) CHECK(flows[i] >= -1e-13 * largest);
    }

    for (double& pressure : scratch.pressure_pa) pressure = 1e6 * (share(random) - 0.5);
    std::vector<double> again(flows.size());
    REQUIRE(network.solve_warm(settings_of(speeds), scratch, again).converged);
    for (std::size_t i = 0; i < flows.size(); ++i) CHECK(std::abs(again[i] - flows[i]) <= 1e-9 * largest);

    FlowNetwork started = network;
    started.start_from(settings_of(speeds));
    const FlowReport near = started.solve(settings_of(speeds), scratch, again);
    REQUIRE(near.converged);
    CHECK(near.iterations <= std::min(report.iterations, 3));
    for (std::size_t i = 0; i < flows.size(); ++i) CHECK(std::abs(again[i] - flows[i]) <= 1e-9 * largest);
  }
}

TEST_CASE("the change of flow with a pump's speed is what a small change of speed does", "[hydraulics]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> share(0.3, 1.0);
    const FlowNetwork network = random_network(random, 3 + seed % 5, seed % 20);
    std::vector<double> speeds(network.branches().size());
    for (double& speed : speeds) speed = share(random);
    FlowNetworkScratch scratch = network.make_scratch();
    std::vector<double> flows(speeds.size()), slope(speeds.size());
    REQUIRE(network.solve(settings_of(speeds), scratch, flows).converged);
    network.differentiate(FlowLever::speed, 0, settings_of(speeds), scratch, slope);
    const double step = 1e-5;
    speeds[0] += step;
    const std::vector<double> more = solved(network, speeds);
    speeds[0] -= 2.0 * step;
    const std::vector<double> less = solved(network, speeds);
    double largest = 0.0;
    for (double flow : flows) largest = std::max(largest, std::abs(flow));
    for (std::size_t i = 0; i < flows.size(); ++i) {
      INFO("seed " << seed << ", branch " << i);
      CHECK((more[i] - less[i]) / (2.0 * step) == Approx(slope[i]).epsilon(1e-4).margin(1e-4 * largest));
    }
  }
}

TEST_CASE("a network that cannot be is refused when it is built", "[hydraulics]") {
  CHECK_THROWS_AS(network_of(2, {{0, 2, 1.0, {}, false}}), std::invalid_argument);
  CHECK_THROWS_AS(network_of(2, {{0, 1, 0.0, {}, false}}), std::invalid_argument);
  CHECK_THROWS_AS(network_of(2, {{0, 1, 1.0, {1e5, 10.0, 0.0}, false}}), std::invalid_argument);
}
