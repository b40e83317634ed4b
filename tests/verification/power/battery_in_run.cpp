// A battery in a run: emptied at constant load at its closed form, recharged along its closed form, its energy accounted for.
//
//   time to empty        t = E / (P + loss(P)),     E = (P_r + loss(P_r)) t_battery
//   recharge             dE/dt = P_c min(1, (1 - s) / taper):  a ramp, then an exponential towards full
#include <algorithm>
#include <cmath>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;

namespace {

constexpr double node_w = 6900.0;

/// One side; no motor behind the UPS but CDU pumps, whose power is read from the run.
Scenario one_side() {
  Scenario scenario = tests::two_sided_scenario();
  scenario.power.topology = "single";
  scenario.power.generators.is_enabled = false;
  scenario.racks.front().hardware.protection.is_enabled = false;
  return scenario;
}

/// 0.7 %, 0.8 % and 1.6 % of 150 kW, as declared in tests/support/halls/one_rack.cpp.
double ups_loss_w(double output_w) {
  const double load = output_w / 150e3;
  return 150e3 * (0.007 + 0.008 * load + 0.016 * load * load);
}

double pdu_loss_w(double output_w) {
  const double load = output_w / 120e3;
  return 120e3 * (0.002 + 0.01 * load * load);
}

}  // namespace

TEST_CASE("a battery at constant load is empty at its closed form, and then the hall is dark", "[verification]") {
  Scenario scenario = one_side();
  scenario.events = {tests::event(10.0, Kind::open, {"utility_a"})};
  const Plant plant = build_plant(scenario);
  const tests::ConstantWork work(560.0, node_w);
  tests::WorkRun simulation(scenario, plant, work, by_monolithic());
  simulation.start();
  simulation.run(20.0, {});
  const double pumps_w = simulation.evaluation().sinks[tests::meter_of_use(plant, "cdu_pump")];
  CHECK(pumps_w > 0.0);
  const double output_w = 10 * node_w + 2 * pdu_loss_w(5 * node_w) + pumps_w;
  const double energy_j = (150e3 + ups_loss_w(150e3)) * 60.0;
  const double expected_s = energy_j / (output_w + ups_loss_w(output_w));
  simulation.run(600.0, {});
  const double empty_s = tests::event_time_s(simulation.events(), "battery_empty") - 10.0;
  tests::report_verification({"UPS battery at constant load, in a run", "closed form", "time to empty", empty_s,
                              expected_s, 0.001 * expected_s, "s"});
  CHECK(std::abs(empty_s - expected_s) < 0.001 * expected_s);
  CHECK(simulation.evaluation().power.served_w == 0.0);
  for (const double state : simulation.state().states) CHECK(std::isfinite(state));
  const EnergyBalance balance = energy_balance(plant, simulation.state(), simulation.initial_energy());
  CHECK(std::abs(balance.residual_ratio()) < 1e-6);
}

TEST_CASE("a battery recharges along its closed form, and discharge and recharge lose no energy", "[verification]") {
  Scenario scenario = one_side();
  scenario.duration_s = 1800.0;
  scenario.power.ups.recharge_fraction = 0.2;
  scenario.events = {tests::event(10.0, Kind::open, {"utility_a"}, 30.0)};
  const Plant plant = build_plant(scenario);
  const tests::ConstantWork work(560.0, node_w);
  tests::WorkRun simulation(scenario, plant, work, by_monolithic());
  const auto charge = [&] { return simulation.state().states[plant.batteries.front().charge_state]; };
  simulation.start();
  simulation.run(40.0, {});
  const double start = charge();
  CHECK(start < 0.95);
  CHECK(start > 0.5);
  const double energy_j = (150e3 + ups_loss_w(150e3)) * 60.0;
  const double per_s = 0.2 * 150e3 / energy_j;
  const double full_power_s = (1.0 - electrical::recharge_taper_fraction - start) / per_s;
  for (const double after_s : {0.5 * full_power_s, full_power_s, full_power_s + 30.0, 1700.0}) {
    simulation.run(40.0 + after_s, {});
    const double tapering_s = std::max(after_s - full_power_s, 0.0);
    const double expected =
        1.0 -
        electrical::recharge_taper_fraction * std::exp(-tapering_s * per_s / electrical::recharge_taper_fraction) -
        std::max(full_power_s - after_s, 0.0) * per_s;
    INFO("after " << after_s << " s");
    CHECK(std::abs(charge() - expected) < 1e-4);
    if (after_s == full_power_s + 30.0) {
      tests::report_verification({"UPS battery recharged after 30 s on battery, 30 s into the taper", "closed form",
                                  "state of charge", charge(), expected, 1e-4, "1"});
    }
    const EnergyBalance balance = energy_balance(plant, simulation.state(), simulation.initial_energy());
    CHECK(std::abs(balance.residual_ratio()) < 1e-6);
  }
}
