// Case: halls whose power is drawn, scenarios/one_line/; its README has the answers.
//
// Expected values and where they come from:
//   times    of the tie and of restarts: the rules of the scenario and of the library, by hand
//   charge   2 s of the load of the UPS from its battery: P (1 + loss) / energy, with P from the run
//   clock    of B200 on one cord: the law of the power limit, docs/models/gpu_protection.md, as the run reports it
#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;
using By = ScenarioRun::By;
using Times = std::vector<double>;

namespace {

/// So that powers before and after can be compared.
const std::string constant_work = "workload={ kind: constant }";

double output_w(const ScenarioRun& run, const char* branch) {
  return run.evaluation().power.branch_output_w[*electrical::find_branch(run.plant.power_tree, branch)];
}

bool was_any(const ScenarioRun& run, const char* kind) { return !run.times_s(kind).empty(); }

}  // namespace

TEST_CASE("a transformer that is lost in main-tie-main reaches no node", "[case]") {
  ScenarioRun run("one_line/main_tie_main", {constant_work}, By::multirate);
  run.until(599.0);
  const double ups_w = output_w(run, "ups_a"), side_b_w = output_w(run, "transformer_b");
  const double side_a_w = output_w(run, "transformer_a");
  run.until(603.0);
  CHECK(run.times_s("on_battery", "ups_a") == Times{600.0});
  CHECK(run.times_s("off_battery", "ups_a") == Times{602.0});
  const BatteryPart& battery = run.plant.batteries.front();
  CHECK(1.0 - run.charge("ups_a") == Approx(2.0 * 1.04 * ups_w / battery.energy_j).epsilon(0.05));
  run.until(1200.0);
  CHECK(output_w(run, "transformer_b") == Approx(side_a_w + side_b_w).epsilon(0.02));
  run.to_end();
  CHECK(run.times_s("transfer", "tie") == Times{602.0, 2400.0});
  CHECK_FALSE(was_any(run, "lost_power"));
  CHECK_FALSE(was_any(run, "job_slowed"));
  CHECK(run.energy_residual() < 1e-9);
}

TEST_CASE("a cable of a ring main is taken out and nothing is without power", "[case]") {
  ScenarioRun run("one_line/ring", {constant_work}, By::multirate);
  run.until(1799.0);
  const double side_a_w = output_w(run, "cable_1"), side_b_w = output_w(run, "cable_3");
  CHECK(output_w(run, "cable_2") == 0.0);
  run.until(1900.0);
  CHECK(output_w(run, "cable_1") == 0.0);
  CHECK(output_w(run, "cable_2") == Approx(side_a_w).epsilon(0.02));
  CHECK(output_w(run, "cable_3") == Approx(side_a_w + side_b_w).epsilon(0.02));
  run.to_end();
  CHECK(output_w(run, "cable_2") == 0.0);
  for (const char* kind : {"lost_power", "on_battery", "transfer", "start", "stop"}) CHECK_FALSE(was_any(run, kind));
}

TEST_CASE("a cable of a ring main that fails is replaced after 30 s", "[case]") {
  ScenarioRun run("one_line/ring", {"events=[{ at: 10 min, fail: cable_1 }]", "duration=15 min"}, By::multirate);
  run.to_end();
  CHECK(run.times_s("on_battery", "ups_a") == Times{600.0});
  CHECK(run.times_s("off_battery", "ups_a") == Times{630.0});
  CHECK(output_w(run, "cable_2") > 0.0);
  CHECK_FALSE(was_any(run, "lost_power"));
}

TEST_CASE("B200 nodes on one cord cap their power and stay on", "[case]") {
  ScenarioRun run("one_line/b200_cord_lost", {}, By::multirate);
  run.to_end();
  CHECK(run.times_s("job_slowed") == Times{600.0});
  CHECK(run.times_s("job_full_speed") == Times{1200.0});
  const auto slowed = std::ranges::find(run.events(), "job_slowed", &EventRecord::kind);
  CHECK(slowed->detail.find("power limit: clock 74.6 %") != std::string::npos);
  CHECK_FALSE(was_any(run, "lost_power"));
  CHECK_FALSE(was_any(run, "node_off"));
}
