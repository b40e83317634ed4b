// An operator's power limit of GPUs: exactly that power where more is asked for, for as long as it is set, and nothing at all where it asks for
// no less than the hardware allows. Leakage counts.
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/run/meters/energy_parts.hpp"

using namespace wattloop;

namespace {

using Run = tests::ScenarioRun;
constexpr double gpus = 64.0;

std::vector<std::string> limited(const std::string& event) {
  return {"workload={kind: constant}", "duration=10 min", "events=[" + event + "]"};
}

double gpu_w(const Run& run) { return twin::gpu_power_w(run.evaluation().racks); }

}  // namespace

TEST_CASE("GPUs draw what their limit lets them, and as before when it is over", "[verification][power_limit]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    Run run("one_rack", limited("{at: 2 min, set: racks.gpu_power_limit, to: 400 W, for: 3 min}"), integrator);
    run.until(60.0);
    const double before_w = gpu_w(run), nodes_before_w = run.use_w("node");
    REQUIRE(before_w > gpus * 600.0);
    run.until(240.0);
    CHECK_THAT(gpu_w(run), Catch::Matchers::WithinRel(gpus * 400.0, 1e-12));
    // What the rest of the nodes draws stays, and supplies lose less: at least the watts of GPUs are gone, at most a tenth more.
    const double gone_w = before_w - gpu_w(run);
    CHECK(nodes_before_w - run.use_w("node") >= gone_w);
    CHECK(nodes_before_w - run.use_w("node") < 1.1 * gone_w);
    run.until(420.0);
    CHECK_THAT(gpu_w(run), Catch::Matchers::WithinRel(before_w, 1e-3));  // leakage of warmer and colder dies
    run.to_end();
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("a limit below idle leaves idle power, one above what is asked nothing to do",
          "[verification][power_limit]") {
  Run idle("one_rack", limited("{at: 0 s, set: racks.gpu_power_limit, to: 0 W}"), Run::By::multirate);
  idle.until(60.0);
  CHECK_THAT(gpu_w(idle),
             Catch::Matchers::WithinRel(gpus * idle.scenario.racks.front().hardware.split.gpu_idle_w, 1e-12));
  Run free("one_rack", limited(""), Run::By::multirate),
      high("one_rack", limited("{at: 0 s, set: racks.gpu_power_limit, to: 700 W}"), Run::By::multirate);
  free.to_end();
  high.to_end();
  CHECK(free.state().states == high.state().states);
}

// A training job whose GPUs ask for their 700 W all the time, on coolant of 50 degC. By hand, where leakage comes on top: a die is
// 50 degC + 0.0352 K/W (700 W + 1.4 W/K (T - 55 degC)), 75.6 degC, and draws 728.8 W. Under the limit it draws 700 W at 74.6 degC, of which
// 27.5 W leak more than at 55 degC: 672.5 W are left for the work.
namespace {

const std::vector<std::string> hot_work{
    "workload={kind: training, compute_gpu_power: 700 W, communication_gpu_power: 700 W, checkpoint_gpu_power: 700 W, "
    "gpu_noise: 0 W, "
    "node_noise: 0 W, gpu_spread: 0 W, evaluation_time: 0 s, checkpoint_time: 0 s, start_ramp: 0 s}",
    "hall.racks.gpu_spread=none", "hall.cooling.loops.supply_temperature=50 degC",
    "hall.cooling.facility.supply_temperature=40 degC", "duration=10 min"};

std::vector<std::string> hot_and(const std::string& more) {
  std::vector<std::string> all = hot_work;
  all.push_back(more);
  return all;
}

}  // namespace

TEST_CASE("load and leakage together stay within the power limit, from the start on", "[verification][power_limit]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    Run run("one_rack", hot_work, integrator);
    CHECK_THAT(gpu_w(run), Catch::Matchers::WithinRel(gpus * 700.0, 1e-5));
    run.to_end();
    CHECK_THAT(gpu_w(run), Catch::Matchers::WithinRel(gpus * 700.0, 1e-5));
    const twin::UnitGroup& units = *run.plant.groups[run.plant.it.groups.front().gpu_units];
    const double idle_w = run.scenario.racks.front().hardware.split.gpu_idle_w;
    const double leaked_w = 1.4 * (run.die_k(0) - 328.15);
    CHECK(leaked_w > 20.0);
    CHECK_THAT(run.state().inputs[units.first_load - run.plant.map.input(0)],
               Catch::Matchers::WithinAbs(700.0 - leaked_w, 1e-2));
    CHECK_THAT(run.state().work.capped_clock_fraction.front(),
               Catch::Matchers::WithinAbs(std::sqrt((700.0 - leaked_w - idle_w) / (700.0 - idle_w)), 1e-4));
    CHECK_THAT(run.state().work.capped_gpu_s, Catch::Matchers::WithinRel(gpus * 600.0, 1e-9));
    CHECK(run.state().work.throttled_gpu_s == 0.0);
    if (integrator == Run::By::multirate)
      tests::report_verification({"H100 on coolant of 50 degC that asks for 700 W", "closed form",
                                  "power, leakage included", gpu_w(run) / gpus, 700.0, 0.01, "W"});
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("a power limit that is lifted lets GPUs draw what they ask for", "[verification][power_limit]") {
  Run slow("one_rack", hot_and("events=[{at: 2 min, set: racks.gpu_power_limit, to: 500 W, for: 3 min}]"),
           Run::By::monolithic),
      quick("one_rack", hot_and("events=[{at: 2 min, set: racks.gpu_power_limit, to: 500 W, for: 3 min}]"),
            Run::By::multirate);
  for (const double until_s : {121.0, 130.0, 240.0, 301.0, 420.0}) {
    slow.until(until_s);
    quick.until(until_s);
    for (std::size_t gpu = 0; gpu < 64; ++gpu) CHECK(std::abs(slow.die_k(gpu) - quick.die_k(gpu)) < 0.02);
    // Clocks of jobs may be off by 0.05 %: half a millisecond of the second in which communication, which no limit lowers, begins.
    CHECK_THAT(gpu_w(quick), Catch::Matchers::WithinRel(gpu_w(slow), 2e-4));
    if (until_s == 240.0) CHECK_THAT(gpu_w(quick), Catch::Matchers::WithinRel(gpus * 500.0, 1e-4));
  }
  CHECK_THAT(gpu_w(quick), Catch::Matchers::WithinRel(gpus * 700.0, 1e-4));
}

TEST_CASE("a limit with every GPU at full clock counts no capped time", "[verification][power_limit]") {
  Run run("one_rack", {"duration=2 min"}, Run::By::multirate);
  run.to_end();
  CHECK(run.state().work.capped_gpu_s == 0.0);
}

TEST_CASE("hours under a power limit are run in windows that skip seconds, with the watts of every second",
          "[verification][power_limit]") {
  const std::vector<std::string> evening{"workload={kind: training, sample_interval: 15 min}",
                                         "duration=3 h",
                                         "record.facility=15 min",
                                         "record.racks=15 min",
                                         "record.gpus.every=1 h",
                                         "events=[{at: 30 min, set: racks.gpu_power_limit, to: 500 W, for: 2 h}]"};
  Run slow("one_rack", evening, Run::By::monolithic), quick("one_rack", evening, Run::By::multirate);
  for (const double until_s : {3600.0, 7200.0, 10800.0}) {
    slow.until(until_s);
    quick.until(until_s);
    CHECK_THAT(gpu_w(quick), Catch::Matchers::WithinRel(gpu_w(slow), 5e-4));
    for (std::size_t gpu = 0; gpu < 64; ++gpu) CHECK(std::abs(slow.die_k(gpu) - quick.die_k(gpu)) < 0.05);
    const twin::JobFigures ours = job_figures(quick.jobs(), quick.state());
    const twin::JobFigures theirs = job_figures(slow.jobs(), slow.state());
    CHECK_THAT(ours.gained_s, Catch::Matchers::WithinRel(theirs.gained_s, 1e-4));
    CHECK_THAT(ours.lost.slowed_s, Catch::Matchers::WithinAbs(theirs.lost.slowed_s, 1e-4 * until_s));
    CHECK(std::abs(ours.steps - theirs.steps) <= 1.0);
    CHECK_THAT(quick.used_j("node"), Catch::Matchers::WithinRel(slow.used_j("node"), 1.5e-5));
  }
  CHECK_THAT(quick.used_j("node"), Catch::Matchers::WithinRel(slow.used_j("node"), 1e-5));  // of the run
  CHECK(quick.state().work.capped_gpu_s > 0.9 * gpus * 7200.0);
  CHECK_THAT(quick.state().work.capped_gpu_s, Catch::Matchers::WithinRel(slow.state().work.capped_gpu_s, 1e-3));
  CHECK(quick.solver().windows < 1000);  // seconds would be 10,800
  CHECK(std::abs(quick.energy_residual()) < 1e-9);
}
