// What a run has instead of its scenario: what is refused while the plan is made, and the weather before the run begins.

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/run_planner.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

TEST_CASE("a slow link of a node that an acceptance test does not have is refused with the nearest", "[run_plan]") {
  const auto begin = [] {
    tests::ScenarioRun(
        "one_rack",
        {"duration=1 min", "events=[]",
         "workload={kind: burn_in, matrix_time: 1 min, sweep_time: 20 s, slow_links: {row_1.rack_1.node_77: 40 %}}"});
  };
  CHECK_THROWS_WITH(begin(), Contains("slow_links: the test has no node 'row_1.rack_1.node_77'") &&
                                 Contains("did you mean 'row_1.rack_1.node_7'"));
}

TEST_CASE("before a run begins, a followed bulb has the value at its begin", "[run_plan][weather]") {
  const tests::TemporaryFolder folder;
  const std::string file = (folder / "wet.csv").string();
  std::ofstream(file) << "time_s,wet_degC\n0,8\n600,14\n1200,14\n";
  const Scenario scenario = read_scenario(
      std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/one_rack.yaml",
      {"duration=20 min", "events=[]", "initial=settled",
       "weather={wet_bulb: {follow: {file: '" + file + "', column: wet_degC, unit: degC, stamp: instant}}}"});
  const Plant plant = build_plant(scenario);
  const Work work = make_work(scenario);
  const RunPlan plan = plan_run(scenario, plant, *work.workload);
  const PlantState state = initial_state(plant);
  const auto wet_degc = [&](const Outdoors& outdoors, double time_s) {
    return weather_now(plant, outdoors, state, time_s).wet_bulb_k - 273.15;
  };
  CHECK(wet_degc(plan.outdoors, 600.0) == Approx(14.0));
  CHECK(wet_degc(plan.outdoors, 0.0) == Approx(8.0));
  for (const double time_s : {-3600.0, -1800.0, -900.0, -300.0, 0.0})
    CHECK(wet_degc(plan.outdoors_before_begin, time_s) == Approx(8.0));
}
