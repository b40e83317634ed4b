// Modules of a UPS that fail on battery, with a battery each or one for all: what is left lasts as long as its closed form says, a
// battery that goes out with its module keeps its charge, and no energy is lost on the way.
//
//   k of n in service    loss = P_r (a k/n + b L + c L^2 n/k),  L = P / P_r of all
//   time to empty        t = E k/n / (P + loss),   or E / (P + loss) where the battery is shared
//   recharge             its derivative against differences of the rate
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/integration/core/jacobian.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;

namespace {

constexpr double node_w = 6900.0;
constexpr double rated_w = 150e3;  ///< of three modules

double ups_loss_w(double output_w, double in_service_share) {
  const double load = output_w / rated_w;
  return rated_w * (0.007 * in_service_share + 0.008 * load + 0.016 * load * load / in_service_share);
}

double full_j() { return (rated_w + ups_loss_w(rated_w, 1.0)) * 60.0; }

EventSpec out(double at_s, int module, double for_s = 0.0) {
  return tests::event(at_s, Kind::fail, {fmt::format("ups_a.module_{}", module)}, for_s);
}
EventSpec back(double at_s, int module) {
  return tests::event(at_s, Kind::restore, {fmt::format("ups_a.module_{}", module)});
}
/// The feed is lost.
EventSpec dark(double at_s, double for_s = 0.0) { return tests::event(at_s, Kind::open, {"utility_a"}, for_s); }

/// One side of ten racks behind three modules.
Scenario three_modules(std::vector<EventSpec> events, std::string batteries = "per_module") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.power.topology = "single";
  scenario.power.generators.is_enabled = false;
  scenario.power.ups.rated_w = rated_w / 3.0;
  scenario.power.ups_modules = 3;
  scenario.power.ups_batteries = std::move(batteries);
  scenario.racks.front().hardware.protection.is_enabled = false;
  scenario.duration_s = 1800.0;
  scenario.events = std::move(events);
  return scenario;
}

struct Run {
  explicit Run(Scenario from, bool is_multirate = true) : scenario(std::move(from)) {
    run_method = is_multirate ? by_multirate() : by_monolithic();
    simulation = std::make_unique<tests::WorkRun>(scenario, plant, work, run_method);
    simulation->start();
  }
  void until(double time_s) { simulation->run(time_s, {}); }
  double charge() const { return simulation->state().states[plant.batteries.front().charge_state]; }
  /// What the UPS gives.
  double output_w() const {
    return simulation->evaluation().power.branch_output_w[*electrical::find_branch(plant.power_tree, "ups_a")];
  }
  /// What the batteries lose with so many modules in service at what the UPS gives now, over what all three hold.
  double lost_per_s(int in_service) const { return (output_w() + ups_loss_w(output_w(), in_service / 3.0)) / full_j(); }
  double empty_s() const { return tests::event_time_s(simulation->events(), "battery_empty"); }
  double residual() const {
    return std::abs(energy_balance(plant, simulation->state(), simulation->initial_energy()).residual_ratio());
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  tests::ConstantWork work{560.0, node_w};
  RunMethod run_method;
  std::unique_ptr<tests::WorkRun> simulation;
};

}  // namespace

TEST_CASE("with a module out its battery is out, too, unless all share one", "[verification]") {
  const bool is_multirate = GENERATE(false, true);
  const bool is_shared = GENERATE(false, true);
  Run run(three_modules({out(5.0, 2), dark(10.0)}, is_shared ? "shared" : "per_module"), is_multirate);
  run.until(12.0);
  CHECK(run.output_w() > 10 * node_w);
  const double expected_s = (is_shared ? 1.0 : 2.0 / 3.0) / run.lost_per_s(2);
  run.until(600.0);
  const double empty_s = run.empty_s() - 10.0;
  if (!is_multirate) {
    tests::report_verification({is_shared ? "UPS of three modules and one battery, a module out"
                                          : "UPS of three modules with a battery each, a module out",
                                "closed form", "time to empty", empty_s, expected_s, 0.001 * expected_s, "s"});
  }
  CHECK(std::abs(empty_s - expected_s) < 0.001 * expected_s);
  CHECK(run.residual() < 1e-6);
}

TEST_CASE("a battery keeps its charge while its module is out, and gives it when it is back", "[verification]") {
  Run run(three_modules({dark(10.0, 50.0), out(20.0, 2), back(30.0, 2)}), GENERATE(false, true));
  run.until(19.0);
  const double with_all = run.lost_per_s(3), with_two = run.lost_per_s(2);
  run.until(25.0);
  CHECK(run.charge() == Approx(2.0 / 3.0 * (1.0 - 10.0 * with_all) - 5.0 * with_two).epsilon(2e-4));
  CHECK(run.residual() < 1e-6);
  run.until(40.0);
  CHECK(run.charge() == Approx(1.0 - 20.0 * with_all - 10.0 * with_two).epsilon(2e-4));
  CHECK(run.residual() < 1e-6);
}

TEST_CASE("chargers fill the batteries of the modules in service, and the others when these are back",
          "[verification]") {
  Scenario scenario = three_modules({dark(10.0, 20.0), out(31.0, 2), back(1400.0, 2)});
  scenario.power.ups.recharge_fraction = 0.3;
  Run run(std::move(scenario), GENERATE(false, true));
  run.until(30.99);
  const double before = run.charge();
  CHECK(before < 0.95);
  run.until(1390.0);
  CHECK(run.charge() == Approx(2.0 / 3.0).epsilon(1e-6));  // two full ones
  CHECK(run.residual() < 1e-6);
  run.until(1400.01);
  CHECK(run.charge() == Approx(2.0 / 3.0 + before / 3.0).epsilon(2e-4));  // chargers give 5e-5 in that time
  run.until(1800.0);
  CHECK(run.charge() == Approx(1.0).epsilon(1e-5));
  CHECK(run.residual() < 1e-6);
}

// Chargers give all they can up to 95 % of what is in service, then less the more it holds: of two modules, between 0.633 and 0.667.
TEST_CASE("how recharge with a module out follows the charge is what differences say", "[verification]") {
  const auto [charge, tapers] = GENERATE(table<double, bool>({{0.62, false}, {0.64, true}, {0.66, true}}));
  Run run(three_modules({out(5.0, 2)}));
  run.until(10.0);
  const std::size_t slot = run.plant.batteries.front().charge_state;
  std::vector<double> states = run.simulation->state().states, rates(states.size());
  Evaluation evaluation(run.plant);
  std::ranges::copy(run.simulation->state().inputs, evaluation.inputs().begin());
  const auto rate_at = [&](double value) {
    states[slot] = value;
    evaluate(run.plant, run.simulation->state().switches, states, evaluation, rates);
    return rates[slot];
  };
  constexpr double step = 1e-5;
  const double expected_per_s = (rate_at(charge + step) - rate_at(charge - step)) / (2.0 * step);
  CHECK((expected_per_s < 0.0) == tapers);
  CHECK(rate_at(charge) > 0.0);
  Jacobian jacobian(run.plant);
  jacobian.assemble(evaluation);
  const auto column = static_cast<std::int64_t>(slot);
  INFO("at a charge of " << charge);
  CHECK(jacobian.values()[static_cast<std::size_t>(jacobian.diagonal(column))] ==
        Approx(expected_per_s).epsilon(1e-6).margin(1e-12));
}

TEST_CASE("a UPS without any module in service is dead, not empty", "[verification]") {
  Run run(three_modules({out(5.0, 1, 20.0), out(5.0, 2, 20.0), out(5.0, 3, 20.0)}));
  run.until(10.0);
  CHECK(run.output_w() == 0.0);
  CHECK(run.charge() == 0.0);
  CHECK(std::isnan(run.empty_s()));
  run.until(30.0);
  CHECK(run.charge() == Approx(1.0).epsilon(1e-9));
  CHECK(run.residual() < 1e-6);
}

TEST_CASE("modules that go one after the other come back each with its own charge", "[verification]") {
  Run run(three_modules({out(5.0, 1), dark(10.0), out(20.0, 2), back(25.0, 1)}));
  run.until(12.0);
  const double with_two = run.lost_per_s(2), with_one = run.lost_per_s(1);
  run.until(24.0);
  const double third = 0.5 * (2.0 / 3.0 - 10.0 * with_two);  // of two modules alike, at 20 s
  CHECK(run.charge() == Approx(third - 4.0 * with_one).epsilon(2e-4));
  run.until(26.0);
  CHECK(run.charge() == Approx(1.0 / 3.0 + third - 5.0 * with_one - with_two).epsilon(2e-4));
  CHECK(run.residual() < 1e-6);
}

TEST_CASE("modules that change places at one instant change batteries", "[verification]") {
  Run run(three_modules({out(5.0, 1), dark(10.0), back(20.0, 1), out(20.0, 2)}));
  run.until(19.999);
  const double before = run.charge();
  CHECK(before < 0.6);
  run.until(20.001);
  CHECK(run.charge() == Approx(1.0 / 3.0 + 0.5 * before).epsilon(2e-4));
  CHECK(run.residual() < 1e-6);
}
