// Energy of a run: what the feed delivers equals what leaves for the sky plus what is stored. Both ends are metered
// independently of the stored energy, which is recomputed from the states.

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/integration/steady/steady_state.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("the initial steady state has zero rates", "[steady]") {
  const Scenario scenario = tests::one_rack_scenario();
  const Plant plant = build_plant(scenario);
  const tests::ConstantWork work(560.0, 6900.0);
  tests::WorkRun simulation(scenario, plant, work, by_monolithic());
  simulation.start();
  Evaluation evaluation(plant);
  std::vector<double> rates(plant.map.state_count);
  std::copy(simulation.state().inputs.begin(), simulation.state().inputs.end(), evaluation.inputs().begin());
  evaluate(plant, simulation.state().switches, simulation.state().states, evaluation, rates);
  for (std::size_t slot = 0; slot < rates.size(); ++slot) {
    if (plant.layout.unit(slot) == "J") continue;
    INFO(plant.layout.name(slot) << " = " << simulation.state().states[slot]);
    CHECK(std::abs(rates[slot]) < 1e-9);  // K/s or 1/s: 1 K in 30 years
  }
}

// With its valve shut, a rack whose leakage is linear has a second, unstable steady state far below freezing.
TEST_CASE("the initial steady state is no colder than the coldest water, for any set-point", "[steady]") {
  const Scenario one_rack = read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/one_rack.yaml");
  const Work work = make_work(one_rack);
  for (const double supply_c : {28.0, 32.0, 34.0, 36.0, 38.0, 40.0, 45.0}) {
    for (const double facility_c : {18.0, 24.0, 28.0, 32.0, 34.0, 40.0}) {
      INFO("supply " << supply_c << " degC, facility " << facility_c << " degC");
      Scenario scenario = one_rack;
      scenario.cooling.loops.front().supply_k = 273.15 + supply_c;
      scenario.cooling.water.front().supply_k = 273.15 + facility_c;
      const Plant plant = build_plant(scenario);
      tests::WorkRun simulation(scenario, plant, *work.workload, by_monolithic());
      simulation.start();
      const double coldest_k =
          std::min(scenario.cooling.water.front().supply_k, scenario.cooling.doors.front().supply_k);
      for (std::size_t slot = 0; slot < plant.map.state_count; ++slot) {
        if (plant.layout.unit(slot) != "K") continue;
        INFO(plant.layout.name(slot));
        CHECK(simulation.state().states[slot] > coldest_k - 1e-3);
        CHECK(simulation.state().states[slot] < 400.0);
      }
    }
  }
}

TEST_CASE("what the feed delivers leaves for the sky or is stored", "[conservation]") {
  const Scenario scenario = tests::one_rack_scenario();
  const Plant plant = build_plant(scenario);
  const tests::SquareWork work(20.0);
  tests::WorkRun simulation(scenario, plant, work, by_monolithic());
  simulation.start();
  simulation.run(600.0, {});
  const EnergyBalance balance = energy_balance(plant, simulation.state(), simulation.initial_energy());
  INFO("residual " << balance.residual_ratio() << ", steps " << simulation.solver_statistics().steps);
  CHECK(balance.feed_j > 8 * 4000.0 * 600.0);
  CHECK(std::abs(balance.residual_ratio()) < 1e-6);
}

TEST_CASE("a residual is set against the largest energy that moved, and reported from 1e-6 on", "[conservation]") {
  EnergyBalance on_battery;  // both feeds open: batteries gave 100 J, of which 60 left and 40 warmed water
  on_battery.rejected_j = 60.0;
  on_battery.stored = {.heat_j = 40.0, .battery_j = -100.0};
  CHECK(on_battery.residual_ratio() == 0.0);
  CHECK(on_battery.largest().text == "energy of batteries");
  CHECK_FALSE(residual_event(on_battery, 10.0));
  on_battery.rejected_j = 59.99;
  CHECK(on_battery.residual_ratio() == Approx(1e-4));
  REQUIRE(residual_event(on_battery, 10.0));
  CHECK(residual_event(on_battery, 10.0)->kind == "energy_residual");
  CHECK(residual_event(on_battery, 10.0)->detail.find("1.0e-04 of the energy of batteries") == 0);

  EnergyBalance still;  // nothing moves but the last digits of what is stored
  still.stored.heat_j = 1e-4;
  still.rounding_j = 1e-3;
  CHECK_FALSE(residual_event(still, 10.0));
  still.stored.heat_j = std::nan("");
  CHECK(residual_event(still, 10.0));
}
