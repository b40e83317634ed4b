// Flow networks in which something stands still, turns back or is held from outside, against closed forms.
//
//   constant pressure over a branch with a valve of authority N:  m / m_open = 1 / sqrt(1 - N + N / f^2)
//   affinity: all pumps s times as fast, all flows s times as large
//
// Source: [modelica_buildings] (valve), [asme_ashrae_pumps] (affinity). Flows are those of R m (m + m_0), m_0 a millionth of a full flow;
// hence the tolerance 2e-6 against the pure square law.
#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "physics/fluids/flow_network.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::physics;

namespace {

constexpr double square_law_tolerance = 2e-6;
constexpr double a_pa = 4e5, c_pa_s2_per_kg2 = -250.0;

FlowBranch pump(std::size_t from, std::size_t to, double resistance, bool has_check_valve = false) {
  return {.from = from,
          .to = to,
          .resistance_pa_s2_per_kg2 = resistance,
          .pump = {a_pa, 0.0, c_pa_s2_per_kg2},
          .has_check_valve = has_check_valve};
}

FlowBranch valve(std::size_t from, std::size_t to, double resistance, double open_resistance) {
  return {.from = from,
          .to = to,
          .resistance_pa_s2_per_kg2 = resistance,
          .valve = {.open_resistance_pa_s2_per_kg2 = open_resistance, .rangeability_ratio = 50.0}};
}

std::vector<BranchSetting> at_speed(std::size_t branches, double speed_fraction) {
  return std::vector<BranchSetting>(branches, {.speed_fraction = speed_fraction});
}

struct Solution {
  FlowReport report;
  UnusualFlows unusual;
  FlowNetworkScratch scratch;
  std::vector<double> flows;
};

Solution tried(const FlowNetwork& network, const std::vector<BranchSetting>& settings) {
  Solution solution{{}, {}, network.make_scratch(), std::vector<double>(settings.size())};
  solution.report = network.solve(settings, solution.scratch, solution.flows);
  solution.unusual = network.unusual(solution.flows, solution.scratch);
  return solution;
}

Solution solved(const FlowNetwork& network, const std::vector<BranchSetting>& settings) {
  Solution solution = tried(network, settings);
  REQUIRE(solution.report.converged);
  return solution;
}

double slope_of(const FlowNetwork& network, std::size_t lever, const std::vector<BranchSetting>& settings,
                std::size_t branch) {
  Solution at = solved(network, settings);
  std::vector<double> slopes(settings.size());
  network.differentiate(FlowLever::position, lever, settings, at.scratch, slopes);
  return slopes[branch];
}

}  // namespace

TEST_CASE("a dead end carries nothing, and is reported", "[flow_network]") {
  // a loop of pump and rack; from the supply a pipe leads over two nodes to a valve that is closed, and back
  const FlowNetwork network(4, {pump(0, 1, 100.0), {1, 0, 650.0}, {1, 2, 300.0}, {2, 3, 20.0}, valve(3, 0, 5.0, 80.0)});
  std::vector<BranchSetting> settings = at_speed(5, 1.0);
  settings[4].position_fraction = 0.0;
  const Solution closed = solved(network, settings);
  CHECK(closed.flows[0] == Approx(std::sqrt(a_pa / 1000.0)).epsilon(square_law_tolerance));
  CHECK(closed.flows[4] == 0.0);
  CHECK(std::abs(closed.flows[2]) < 1e-15);
  CHECK(std::abs(closed.flows[3]) < 1e-15);
  CHECK(closed.unusual.still_nodes == 2);
  CHECK(closed.scratch.pressure_pa[3] == Approx(closed.scratch.pressure_pa[1]).epsilon(1e-12));

  settings[4].position_fraction = 1e-4;  // as it begins to open, and the slope of that
  const Solution begun = solved(network, settings);
  CHECK(begun.unusual.still_nodes == 0);
  CHECK(begun.flows[4] == Approx(begun.flows[2]).epsilon(1e-12));
  settings[4].position_fraction = 0.0;
  CHECK(slope_of(network, 4, settings, 4) == Approx(begun.flows[4] / 1e-4).epsilon(1e-3));
  CHECK(slope_of(network, 4, settings, 1) == Approx((begun.flows[1] - closed.flows[1]) / 1e-4).epsilon(1e-3));
}

TEST_CASE("a loop without a pump stands still beside one with a pump, from any start", "[flow_network]") {
  const FlowNetwork network(5, {pump(0, 1, 100.0), {1, 0, 650.0}, {2, 3, 50.0}, {3, 4, 700.0}, {4, 2, 1e5}});
  const std::vector<BranchSetting> settings = at_speed(5, 1.0);
  Solution solution = solved(network, settings);
  CHECK(solution.unusual.still_nodes == 3);
  for (std::size_t i : {2, 3, 4}) CHECK(solution.flows[i] == 0.0);
  solution.scratch.pressure_pa = {3e5, -2e5, 1e5, 4e5, -7e5};
  REQUIRE(network.solve_warm(settings, solution.scratch, solution.flows).converged);
  CHECK(solution.flows[0] == Approx(std::sqrt(a_pa / 1000.0)).epsilon(square_law_tolerance));
  for (std::size_t i : {2, 3, 4}) CHECK(std::abs(solution.flows[i]) < 1e-12);
}

TEST_CASE("nothing flows where no pump turns, from any start", "[flow_network]") {
  const FlowNetwork network(3, {pump(0, 1, 100.0), {1, 2, 650.0}, valve(2, 0, 20.0, 50.0)});
  Solution solution = solved(network, at_speed(3, 0.0));
  CHECK(solution.unusual.still_nodes == 3);
  CHECK(solution.report.iterations == 0);
  solution.scratch.pressure_pa = {3e5, -2e5, 1e5};
  REQUIRE(network.solve_warm(at_speed(3, 0.0), solution.scratch, solution.flows).converged);
  for (const double flow : solution.flows) CHECK(flow == 0.0);
}

TEST_CASE("a pump against a closed valve pushes and moves nothing", "[flow_network]") {
  const FlowNetwork network(3, {pump(0, 1, 100.0), {1, 2, 650.0}, valve(2, 0, 20.0, 50.0)});
  std::vector<BranchSetting> settings = at_speed(3, 0.9);
  settings[2].position_fraction = 0.0;
  const Solution solution = solved(network, settings);
  CHECK(solution.unusual.still_nodes == 3);
  for (const double flow : solution.flows) CHECK(std::abs(flow) < 1e-12);
  CHECK(solution.scratch.pressure_pa[2] == Approx(0.81 * a_pa).epsilon(1e-9));
}

TEST_CASE("flow turns back where a stopped pump has no check valve, and is reported", "[flow_network]") {
  for (const bool has_check_valve : {false, true}) {
    const FlowNetwork network(2,
                              {pump(0, 1, 100.0, has_check_valve), pump(0, 1, 100.0, has_check_valve), {1, 0, 650.0}});
    std::vector<BranchSetting> settings = at_speed(3, 1.0);
    settings[1].speed_fraction = 0.0;
    const Solution solution = solved(network, settings);
    CHECK(solution.unusual.reversed_branches == (has_check_valve ? 0 : 1));
    if (has_check_valve) {
      CHECK(solution.flows[1] == 0.0);
      CHECK(solution.flows[0] == Approx(std::sqrt(a_pa / 1000.0)).epsilon(square_law_tolerance));
    } else {  // back through 100 beside the rack's 650
      const double both = 1.0 / std::pow(1.0 / std::sqrt(100.0) + 1.0 / std::sqrt(650.0), 2);
      const double total = std::sqrt(a_pa / (350.0 + both));
      CHECK(solution.flows[0] == Approx(total).epsilon(square_law_tolerance));
      CHECK(solution.flows[1] == Approx(-total * std::sqrt(both / 100.0)).epsilon(square_law_tolerance));
    }
  }
}

TEST_CASE("what a closed valve shuts off from its reference runs on by its own pump", "[flow_network]") {
  // node 0, the reference, is the end of a stub; behind the valve 1 -> 0 a loop of pump and rack
  const FlowNetwork network(3, {valve(1, 0, 20.0, 50.0), pump(1, 2, 100.0), {2, 1, 650.0}});
  std::vector<BranchSetting> settings = at_speed(3, 1.0);
  settings[0].position_fraction = 0.0;
  const Solution solution = solved(network, settings);
  CHECK(solution.flows[1] == Approx(std::sqrt(a_pa / 1000.0)).epsilon(square_law_tolerance));
  CHECK(solution.flows[0] == 0.0);
  CHECK(solution.unusual.still_nodes == 1);
  CHECK(slope_of(network, 0, settings, 0) == 0.0);  // the only way there: nothing comes back
}

TEST_CASE("a valve that closes without limit carries its share of nothing", "[flow_network]") {
  // two wide pipes between two narrow valves: what joins them is a million times what joins them with the rest
  const FlowNetwork network(
      4,
      {pump(0, 1, 100.0), {1, 0, 650.0}, valve(1, 2, 1.0, 500.0), {2, 3, 1e-3}, {3, 2, 1e-3}, valve(3, 0, 1.0, 500.0)});
  double previous = 1e300;
  for (double position = 1.0; position > 1e-12; position *= 0.3) {
    std::vector<BranchSetting> settings = at_speed(6, 1.0);
    settings[2].position_fraction = settings[5].position_fraction = position;
    const Solution solution = solved(network, settings);
    INFO("position " << position << ", " << solution.report.iterations << " iterations");
    CHECK(solution.report.iterations < 30);
    const double opening = settings.size() == 6 ? equal_percentage_opening(50.0, position).fraction : 0.0;
    if (opening < 1e-9) {
      CHECK(solution.flows[2] == 0.0);
      continue;
    }
    CHECK(solution.flows[2] == Approx(solution.flows[5]).epsilon(1e-12));
    CHECK(solution.flows[2] < previous);
    previous = solution.flows[2];
    if (opening < 1e-3) {
      const double across_pa = solution.scratch.pressure_pa[1];
      CHECK(solution.flows[2] == Approx(opening * std::sqrt(0.5 * across_pa / 500.0)).epsilon(1e-5));
    }
  }
}

TEST_CASE("all pumps slower, all flows smaller by as much", "[flow_network]") {
  const FlowNetwork network(3, {{.from = 0, .to = 1, .resistance_pa_s2_per_kg2 = 50.0, .pump = {4.8e5, 5e3, -750.0}},
                                {1, 2, 40.0},
                                {2, 0, 160.0}});
  // 480 kPa + 5 kPa/(kg/s) m - 0.75 kPa/(kg/s)^2 m^2 = 0.25 kPa/(kg/s)^2 m^2: m^2 - 5 m - 480 = 0
  const double full = 0.5 * (5.0 + std::sqrt(25.0 + 1920.0));
  for (const double speed : {1.0, 0.5, 0.1}) {
    CHECK(solved(network, at_speed(3, speed)).flows[0] == Approx(speed * full).epsilon(square_law_tolerance / speed));
  }
}

TEST_CASE("a valve has the authority that it was given", "[flow_network]") {
  for (const double authority : {0.2, 0.5, 1.0}) {
    const double whole = 900.0;
    FlowBranch branch{.from = 0, .to = 1, .resistance_pa_s2_per_kg2 = (1.0 - authority) * whole};
    branch.valve = valve_of_authority(whole, authority, 50.0);
    const FlowNetwork network(2, {branch, {1, 0, 1e-9}});  // back without loss
    for (const double position : {1.0, 0.7, 0.3, 0.1}) {
      std::vector<BranchSetting> settings(2);
      settings[0] = {.position_fraction = position, .imposed_pa = 9e4};
      const double f = equal_percentage_opening(50.0, position).fraction;
      const double share = 1.0 / std::sqrt(1.0 - authority + authority / (f * f));
      CHECK(solved(network, settings).flows[0] == Approx(10.0 * share).epsilon(square_law_tolerance));
    }
  }
}

TEST_CASE("a pipe of another exponent takes the pressure of its power", "[flow_network]") {
  for (const double k : {1.0, 1.75, 1.852, 2.0}) {
    const FlowNetwork network(2,
                              {{.from = 0, .to = 1, .resistance_pa_s2_per_kg2 = 300.0, .exponent = k}, {1, 0, 1e-9}});
    for (const double pressure_pa : {2e4, -2e4, 300.0}) {
      std::vector<BranchSetting> settings(2);
      settings[0].imposed_pa = pressure_pa;
      const double flow = std::pow(std::abs(pressure_pa) / 300.0, 1.0 / k);
      CHECK(solved(network, settings).flows[0] == Approx(std::copysign(flow, pressure_pa)).epsilon(2e-5));
    }
  }
}

TEST_CASE("a flow that is imposed goes where it can, and is refused where it cannot", "[flow_network]") {
  const FlowNetwork network(3, {{.from = 0, .to = 1, .resistance_pa_s2_per_kg2 = 0.0, .is_imposed = true},
                                {1, 2, 500.0},
                                valve(2, 0, 20.0, 80.0)});
  std::vector<BranchSetting> settings(3);
  settings[0].imposed_kg_per_s = 3.0;
  const Solution solution = solved(network, settings);
  CHECK(solution.flows[2] == Approx(3.0).epsilon(1e-13));
  CHECK(solution.scratch.pressure_pa[1] == Approx(9.0 * 600.0).epsilon(1e-5));
  settings[2].position_fraction = 0.0;
  CHECK_FALSE(tried(network, settings).report.converged);
}

namespace {

/// Racks that differ, each behind its own valve, between two headers with three pumps.
FlowNetwork racks_of_their_own(std::size_t racks, std::vector<BranchSetting>& settings) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  std::vector<FlowBranch> branches(3, pump(0, 1, 400.0 / double(racks * racks), true));
  for (FlowBranch& branch : branches) branch.pump.quadratic_pa_s2_per_kg2 /= double(racks * racks);
  settings.assign(3, {.speed_fraction = 0.8});
  for (std::size_t rack = 0; rack < racks; ++rack) {
    branches.push_back(valve(1, 2 + rack, 0.0, 2e4));
    settings.push_back({.position_fraction = share(random) < 0.05 ? 0.0 : 0.3 + 0.7 * share(random)});
    branches.push_back({2 + rack, 0, 5e4 * (0.8 + 0.4 * share(random))});
    settings.push_back({});
  }
  return FlowNetwork(2 + racks, branches);
}

}  // namespace

TEST_CASE("a thousand racks and more of their own take few iterations and no memory", "[flow_network]") {
  std::vector<BranchSetting> settings;
  FlowNetwork network = racks_of_their_own(1600, settings);
  network.start_from(settings);
  Solution solution = solved(network, settings);
  for (BranchSetting& setting : settings) setting.speed_fraction *= 0.97;
  const wattloop::tests::AllocationCount count;
  const FlowReport cold = network.solve(settings, solution.scratch, solution.flows);
  const UnusualFlows unusual = network.unusual(solution.flows, solution.scratch);
  settings[5].position_fraction = 0.5;
  const FlowReport warm = network.solve_warm(settings, solution.scratch, solution.flows);
  CHECK(count.allocations() == 0);
  REQUIRE(cold.converged);
  REQUIRE(warm.converged);
  CHECK(cold.iterations <= 3);
  CHECK(warm.iterations <= 5);  // a valve moved far
  CHECK(unusual.still_nodes > 40);
}

TEST_CASE("networks with valves closed at random are solved from any start", "[flow_network]") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    const std::size_t nodes = 2 + seed % 25;
    std::vector<FlowBranch> branches;
    std::vector<BranchSetting> settings;
    for (std::size_t i = 0; i < 2 * nodes; ++i) {
      const std::size_t from = random() % nodes, to = (from + 1 + random() % (nodes - 1)) % nodes;
      const double resistance = std::pow(10.0, 1.0 + 4.0 * share(random));
      branches.push_back(share(random) < 0.3 ? pump(from, to, resistance, share(random) < 0.5)
                                             : valve(from, to, 0.0, resistance));
      const double position = share(random) < 0.5 ? 0.0 : std::pow(10.0, -8.0 * share(random));
      settings.push_back({.speed_fraction = share(random) < 0.3 ? 0.0 : share(random), .position_fraction = position});
    }
    const FlowNetwork network(nodes, branches);
    INFO("seed " << seed);
    Solution cold = solved(network, settings);
    CHECK(cold.report.iterations < 60);
    double largest = 1e-2;  // of a pump alone it is at least 2 kg/s
    for (const double flow : cold.flows) largest = std::max(largest, std::abs(flow));
    std::vector<double> net(nodes), warm(branches.size());
    for (std::size_t i = 0; i < branches.size(); ++i) {
      net[branches[i].from] -= cold.flows[i];
      net[branches[i].to] += cold.flows[i];
    }
    for (const double imbalance : net) CHECK(std::abs(imbalance) < 1e-13 * largest);
    for (double& pressure_pa : cold.scratch.pressure_pa) pressure_pa = 1e6 * (share(random) - 0.5);
    REQUIRE(network.solve_warm(settings, cold.scratch, warm).converged);
    for (std::size_t i = 0; i < warm.size(); ++i) CHECK(std::abs(warm[i] - cold.flows[i]) <= 1e-9 * largest);
  }
}

TEST_CASE("a flow network that cannot be is refused when it is built", "[flow_network]") {
  CHECK_THROWS_AS(FlowNetwork(2, {{0, 2, 1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(FlowNetwork(2, {{1, 1, 1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(FlowNetwork(2, {{0, 1, 0.0}}), std::invalid_argument);
  CHECK_THROWS_AS(FlowNetwork(2, {{.from = 0, .to = 1, .resistance_pa_s2_per_kg2 = 1.0, .exponent = 2.5}}),
                  std::invalid_argument);
  CHECK_THROWS_AS(FlowNetwork(2, {{.from = 0, .to = 1, .resistance_pa_s2_per_kg2 = 1.0, .pump = {1e5, 10.0, 0.0}}}),
                  std::invalid_argument);
}
