// An operator's power limit of GPUs: exactly that power where more is asked for, for as long as it is set, and nothing at all where it asks for
// no less than the hardware allows.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/run/energy_parts.hpp"

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
