// Modules of a UPS that fail on battery, with a battery each or one for all: what is left lasts as long as its closed form says, a
// battery that goes out with its module keeps its charge, and no energy is lost on the way.
//
//   k of n in service    loss = P_r (a k/n + b L + c L^2 n/k),  L = P / P_r of all
//   time to empty        t = E k/n / (P + loss),   or E / (P + loss) where the battery is shared
#include <cmath>
#include <limits>
#include <memory>

#include "tests/support/catch.hpp"
#include "tests/support/one_rack.hpp"
#include "tests/support/plant_names.hpp"
#include "tests/support/two_sides.hpp"
#include "tests/support/verification.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/energy_balance.hpp"
#include "twin/run/simulation.hpp"

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

/// One side of ten racks behind three modules.
Scenario three_modules(std::string batteries) {
  Scenario scenario = tests::two_sided_scenario();
  scenario.power.topology = "single";
  scenario.power.generators.is_enabled = false;
  scenario.power.ups.rated_w = rated_w / 3.0;
  scenario.power.ups_modules = 3;
  scenario.power.ups_batteries = std::move(batteries);
  scenario.racks.front().hardware.protection.is_enabled = false;
  scenario.duration_s = 1800.0;
  return scenario;
}

struct Run {
  Run(Scenario from, bool is_multirate) : scenario(std::move(from)) {
    integrator = is_multirate ? make_multirate_integrator(plant, {}) : make_monolithic_integrator(plant, {});
    simulation = std::make_unique<Simulation>(plant, scenario, work, *integrator);
    simulation->start();
  }
  void until(double time_s) { simulation->run(time_s, {}); }
  double charge() const { return simulation->state().states[plant.batteries.front().charge_state]; }
  double event_s(const std::string& kind) const {
    for (const EventRecord& event : simulation->events()) {
      if (event.kind == kind) return event.time_s;
    }
    return std::numeric_limits<double>::quiet_NaN();
  }
  /// What the UPS gives.
  double output_w() const {
    return simulation->evaluation().power.branch_output_w[*electrical::find_branch(plant.power_tree, "ups_a")];
  }
  double residual() const {
    return std::abs(energy_balance(plant, simulation->state(), simulation->initial_energy()).residual_ratio());
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  tests::ConstantWork work{560.0, node_w};
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Simulation> simulation;
};

}  // namespace

TEST_CASE("with a module out its battery is out, too, unless all share one", "[verification]") {
  const bool is_multirate = GENERATE(false, true);
  const bool is_shared = GENERATE(false, true);
  Scenario scenario = three_modules(is_shared ? "shared" : "per_module");
  scenario.events = {tests::event(5.0, Kind::fail, {"ups_a.module_2"}), tests::event(10.0, Kind::open, {"utility_a"})};
  Run run(std::move(scenario), is_multirate);
  run.until(12.0);
  const double output_w = run.output_w();
  CHECK(output_w > 10 * node_w);
  const double left_j = full_j() * (is_shared ? 1.0 : 2.0 / 3.0);
  const double expected_s = left_j / (output_w + ups_loss_w(output_w, 2.0 / 3.0));
  run.until(600.0);
  const double empty_s = run.event_s("battery_empty") - 10.0;
  if (!is_multirate) {
    tests::report_verification({is_shared ? "UPS of three modules and one battery, a module out"
                                          : "UPS of three modules with a battery each, a module out",
                                "closed form", "time to empty", empty_s, expected_s, 0.001 * expected_s, "s"});
  }
  CHECK(std::abs(empty_s - expected_s) < 0.001 * expected_s);
  CHECK(run.residual() < 1e-6);
}

TEST_CASE("a battery keeps its charge while its module is out, and gives it when it is back", "[verification]") {
  const bool is_multirate = GENERATE(false, true);
  Scenario scenario = three_modules("per_module");
  scenario.events = {tests::event(10.0, Kind::open, {"utility_a"}, 50.0),
                     tests::event(20.0, Kind::fail, {"ups_a.module_2"}),
                     tests::event(30.0, Kind::restore, {"ups_a.module_2"})};
  Run run(std::move(scenario), is_multirate);
  run.until(19.0);
  const double output_w = run.output_w();
  const double with_all = (output_w + ups_loss_w(output_w, 1.0)) / full_j();  // per second
  const double with_two = (output_w + ups_loss_w(output_w, 2.0 / 3.0)) / full_j();
  run.until(25.0);
  CHECK(run.charge() == Approx(2.0 / 3.0 * (1.0 - 10.0 * with_all) - 5.0 * with_two).epsilon(2e-4));
  CHECK(run.residual() < 1e-6);
  run.until(40.0);
  CHECK(run.charge() == Approx(1.0 - 20.0 * with_all - 10.0 * with_two).epsilon(2e-4));
  CHECK(run.residual() < 1e-6);
}

TEST_CASE("chargers fill the batteries of the modules in service, and the others when these are back",
          "[verification]") {
  const bool is_multirate = GENERATE(false, true);
  Scenario scenario = three_modules("per_module");
  scenario.power.ups.recharge_fraction = 0.3;
  scenario.events = {tests::event(10.0, Kind::open, {"utility_a"}, 20.0),
                     tests::event(31.0, Kind::fail, {"ups_a.module_2"}),
                     tests::event(1400.0, Kind::restore, {"ups_a.module_2"})};
  Run run(std::move(scenario), is_multirate);
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

TEST_CASE("a UPS without any module in service is dead, not empty", "[verification]") {
  Scenario scenario = three_modules("per_module");
  scenario.events = {tests::event(5.0, Kind::fail, {"ups_a.module_1", "ups_a.module_2", "ups_a.module_3"}, 20.0)};
  Run run(std::move(scenario), true);
  run.until(10.0);
  CHECK(run.output_w() == 0.0);
  CHECK(run.charge() == 0.0);
  CHECK(std::isnan(run.event_s("battery_empty")));
  run.until(30.0);
  CHECK(run.charge() == Approx(1.0).epsilon(1e-9));
  CHECK(run.residual() < 1e-6);
}
