// The acceptance test of a hall: when racks are tested, how long all-reduces take (measured: 8 H100 of a node, nccl-tests), that a slow GPU and a
// slow link are found, and nothing else is.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/actions/work/burn_in_watch.hpp"
#include "workload/burn_in/burn_in.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Run = tests::ScenarioRun;

AcceptanceTest test_of(std::size_t nodes, const BurnInParams& params = {}) { return {params, nodes, 4, 8}; }

std::vector<std::string> rack_with(const std::string& keys, const std::string& more = "title=x") {
  return {"workload={kind: burn_in, matrix_time: 5 min, sweep_time: 1 min" + keys + "}", "duration=15 min", more};
}

constexpr std::array both{Run::By::monolithic, Run::By::multirate};

}  // namespace

TEST_CASE("racks are tested in turn, groups of nodes after them", "[verification][burn_in]") {
  BurnInParams params;
  params.matrix_time_s = 300.0;
  const AcceptanceTest in_turn = test_of(20, params);  // five racks
  for (std::size_t rack = 0; rack < 5; ++rack)
    CHECK(in_turn.matrix_span(rack).from_s == 300.0 * static_cast<double>(rack));
  CHECK(in_turn.matrix_end_s() == 1500.0);
  std::vector<std::size_t> sizes;
  for (const AcceptanceTest::Sweep& sweep : in_turn.sweeps()) sizes.push_back(sweep.group_nodes);
  CHECK(sizes == std::vector<std::size_t>{1, 2, 2, 4, 8, 16, 20});
  CHECK(in_turn.end_s() == 1500.0 + 7.0 * 60.0);
  params.order = "backward";
  params.racks_at_once = 2;
  params.rack_interval_s = 100.0;  // overlapping
  const AcceptanceTest together = test_of(20, params);
  for (const auto& [rack, from_s] : {std::pair{4, 0.0}, std::pair{3, 0.0}, std::pair{2, 100.0}, std::pair{0, 200.0}})
    CHECK(together.matrix_span(static_cast<std::size_t>(rack)).from_s == from_s);
  CHECK(together.matrix_end_s() == 500.0);
}

TEST_CASE("an all-reduce takes the time that was measured", "[verification][burn_in]") {
  // 4 GiB on 8 H100 of a node: 15,870 us at a bus bandwidth of 473.60 GB/s (nccl-tests, issue 290).
  const std::vector<double> whole(8, 1.0);
  CHECK_THAT(test_of(8).all_reduce_s(0, whole).front(), WithinRel(15870e-6, 1e-4));
  std::vector<double> one_slow(8, 1.0);
  one_slow[5] = 0.4;
  const AcceptanceTest test = test_of(8);
  for (std::size_t sweep = 1; sweep < test.sweeps().size(); ++sweep) {
    const std::vector<double> times_s = test.all_reduce_s(sweep, one_slow), healthy_s = test.all_reduce_s(sweep, whole);
    for (std::size_t node = 0; node < 8; ++node) {
      const std::vector<std::size_t> group = test.group_of(sweep, node);
      const bool is_slow = std::ranges::find(group, 5u) != group.end();
      CHECK_THAT(times_s[node] / healthy_s[node], WithinRel(is_slow ? 2.5 : 1.0, 1e-12));
    }
  }
}

TEST_CASE("pairs in two arrangements name the node with the slow link", "[verification][burn_in]") {
  for (const std::size_t nodes : {3u, 4u, 7u, 8u, 129u}) {
    for (std::size_t slow = 0; slow < nodes; ++slow) {
      std::vector<double> fractions(nodes, 1.0);
      fractions[slow] = 0.5;
      const std::vector<double> ratios = test_of(nodes).node_time_ratios(fractions);
      REQUIRE(ratios.size() == nodes);
      for (std::size_t node = 0; node < nodes; ++node) CHECK(ratios[node] == (node == slow ? 2.0 : 1.0));
    }
  }
  CHECK(test_of(1).node_time_ratios({1.0}).empty());
}

TEST_CASE("a test without anything slow finds nothing", "[verification][burn_in]") {
  for (const Run::By integrator : both) {
    Run run("one_rack", rack_with(""), integrator);
    run.to_end();
    const twin::TestFindings found = twin::test_findings(run.plant, run.jobs().tests(), run.state());
    CHECK(found.has_gpus);
    CHECK(found.has_nodes);
    CHECK(found.gpus.empty());
    CHECK(found.racks.empty());
    CHECK(found.nodes.empty());
    CHECK(found.slowest_gpu.time_ratio > 1.0);  // leakage differs, and all GPUs are at their power limit
    CHECK(found.slowest_gpu.time_ratio < 1.02);
    CHECK(run.times_s("burn_in_outlier").empty());
    CHECK(run.times_s("burn_in_done") == std::vector<double>{300.0 + 5.0 * 60.0});
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("a test finds the slow GPU and the slow link", "[verification][burn_in]") {
  std::vector<double> ratios;
  for (const Run::By integrator : both) {
    Run slow("one_rack",
             rack_with(", slow_links: {row_1.rack_1.node_7: 40 %}",
                       "events=[{at: 0 s, slow: row_1.rack_1.node_3.gpu_5, to: 90 %}]"),
             integrator);
    slow.to_end();
    const twin::TestFindings found = twin::test_findings(slow.plant, slow.jobs().tests(), slow.state());
    REQUIRE(found.gpus.size() == 1);
    CHECK(found.gpus.front().name == "row_1.rack_1.node_3.gpu_5");
    const std::vector<double>& clock_s = slow.state().work.test.clock_s;
    CHECK_THAT(clock_s[2 * 8 + 4], WithinRel(0.9 * 300.0, 1e-12));
    CHECK_THAT(found.gpus.front().time_ratio, WithinRel(1.0 / 0.9, 0.03));
    CHECK(found.gpus.front().time_ratio < 1.0 / 0.9);  // the others are slowed by their power limit
    CHECK(found.racks.empty());
    REQUIRE(found.nodes.size() == 1);
    CHECK(found.nodes.front().name == "row_1.rack_1.node_7");
    CHECK_THAT(found.nodes.front().time_ratio, WithinRel(2.5, 1e-12));
    CHECK(slow.times_s("burn_in_outlier") == std::vector<double>{300.0, 600.0});
    ratios.push_back(found.gpus.front().time_ratio);
  }
  CHECK_THAT(ratios[0], WithinAbs(ratios[1], 1e-4));
}

TEST_CASE("GPUs at their power limit compute as fast as their leakage leaves them", "[verification][burn_in]") {
  Run run("one_rack", rack_with("", "hall.racks.gpu_spread=none"));
  run.until(295.0);
  const twin::UnitGroup& units = *run.plant.groups[run.plant.it.groups.front().gpu_units];
  const double leakage_w = units.leakage_w(0, run.die_k(0));
  CHECK(leakage_w > 1.0);
  const double by_hand = std::sqrt((700.0 - leakage_w - 70.0) / (700.0 - 70.0));
  CHECK_THAT(run.state().work.capped_clock_fraction[0], WithinAbs(by_hand, 2e-4));
}
