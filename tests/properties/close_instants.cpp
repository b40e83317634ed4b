// Events at instants that differ by rounding alone: whoever integrates comes to the end.
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("800 events within 0.8 s, most of them a rounding apart, end neither integrator", "[monolithic][multirate]") {
  Scenario scenario = tests::one_rack_scenario();
  scenario.duration_s = 2.0;
  for (int k = 0; k < 800; ++k) {
    scenario.events.push_back(tests::set_event({.at_s = 0.1 + 1e-3 * k,
                                                .targets = {"loop_1.supply_temperature"},
                                                .to_si = 303.15 + 0.01 * (k % 7),
                                                .for_s = k % 3 == 0 ? 0.001 : 0.01}));
  }
  const Plant plant = build_plant(scenario);
  const tests::SquareWork work{16.0};
  for (const bool is_multirate : {true, false}) {
    INFO(is_multirate);
    tests::WorkRun simulation{scenario, plant, work, is_multirate ? by_multirate() : by_monolithic()};
    simulation.start();
    REQUIRE_NOTHROW(simulation.run(scenario.duration_s, {}));
    CHECK(simulation.state().time_s == scenario.duration_s);
    const EnergyBalance balance = energy_balance(plant, simulation.state(), simulation.initial_energy());
    CHECK(std::abs(balance.residual_ratio()) < 1e-9);
  }
}
