// The static bypass of a UPS: it takes over after an overload, a failure, in hot air and while people open the UPS; the UPS takes the load back by
// itself only where its protection had opened it.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;
using electrical::BranchMode;

namespace {

constexpr double node_w = 6900.0;
constexpr int racks = 10;

struct Run {
  explicit Run(Scenario from, bool is_monolithic = false)
      : scenario(std::move(from)), run_method(is_monolithic ? by_monolithic() : by_multirate()) {
    simulation.start();
  }

  void until(double time_s) { simulation.run(time_s, {}); }
  std::size_t branch(const char* name) const { return *electrical::find_branch(plant.power_tree, name); }
  BranchMode mode(const char* name) const { return simulation.state().switches.branch_mode[branch(name)]; }
  double output_w(const char* name) const { return simulation.evaluation().power.branch_output_w[branch(name)]; }
  double loss_w(const char* name) const { return simulation.evaluation().power.branch_loss_w[branch(name)]; }
  double loading(const char* name) const { return simulation.evaluation().power.branch_loading_fraction[branch(name)]; }
  double nodes_w() const { return simulation.evaluation().sinks[plant.meters.energy[plant.it.node_use]]; }
  std::vector<double> times(const std::string& kind, const std::string& target) const {
    std::vector<double> times_s;
    for (const EventRecord& event : simulation.events())
      if (event.kind == kind && event.target == target) times_s.push_back(event.time_s);
    return times_s;
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  RunMethod run_method;
  tests::ConstantWork work{560.0, node_w};
  tests::WorkRun simulation{scenario, plant, work, run_method};
};

Scenario with_bypass(double ups_w, std::vector<EventSpec> events) {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 900.0;
  scenario.power.ups_bypass = "static";
  scenario.power.ups.rated_w = ups_w;
  scenario.events = std::move(events);
  return scenario;
}

using Times = std::vector<double>;

}  // namespace

TEST_CASE("a UPS that fails leaves its load to its bypass, which loses its share and has no battery", "[bypass]") {
  Run run(with_bypass(
      150e3, {tests::event(5.0, Kind::fail, {"ups_a"}, 60.0), tests::event(30.0, Kind::open, {"utility_a"}, 10.0)}));
  run.until(4.0);
  CHECK(run.mode("ups_a.bypass") == BranchMode::dead);
  const double carried_w = run.output_w("ups_a");
  run.until(20.0);
  CHECK(run.mode("ups_a") == BranchMode::dead);
  CHECK(run.mode("ups_a.bypass") == BranchMode::carrying);
  CHECK(run.output_w("ups_a.bypass") == Approx(carried_w).epsilon(1e-6));
  CHECK(run.loss_w("ups_a.bypass") == Approx(0.005 * run.output_w("ups_a.bypass")).epsilon(1e-12));
  CHECK(run.nodes_w() == Approx(racks * node_w));
  run.until(32.0);  // its feed is lost, too: the other side carries, nothing comes from the battery
  CHECK(run.mode("ups_a.bypass") == BranchMode::dead);
  CHECK(run.output_w("pdu_a_1") == 0.0);
  run.until(80.0);
  CHECK(run.mode("ups_a") == BranchMode::carrying);
  CHECK(run.mode("ups_a.bypass") == BranchMode::dead);
  CHECK(run.times("on_bypass", "ups_a").front() == 5.0);
  CHECK(run.times("off_bypass", "ups_a").back() == 65.0);
}

TEST_CASE("a UPS that people open is on its maintenance bypass until they close it", "[bypass]") {
  Run run(with_bypass(150e3, {tests::event(5.0, Kind::open, {"ups_a"}), tests::event(400.0, Kind::close, {"ups_a"})}));
  run.until(399.0);
  CHECK(run.mode("ups_a.bypass") == BranchMode::carrying);
  run.until(401.0);
  CHECK(run.mode("ups_a") == BranchMode::carrying);
  CHECK(run.times("on_bypass", "ups_a") == Times{5.0});
  CHECK(run.times("off_bypass", "ups_a") == Times{400.0});
}

// Side b carries both sides from 5 s on, 119 % of the rating of its UPS; side a is back at 1,500 s.
TEST_CASE("an overloaded UPS goes to its bypass when it has endured that, and takes the load back when it fits again",
          "[bypass]") {
  for (const bool is_monolithic : {false, true}) {
    Scenario scenario = with_bypass(59e3, {tests::event(5.0, Kind::open, {"ups_a", "ups_a.bypass"}, 1495.0)});
    scenario.duration_s = 1700.0;
    Run run(scenario, is_monolithic);
    run.until(6.0);
    const double loading = run.loading("ups_b"), endures_s = 600.0 * std::pow(0.1, (loading - 1.25) / 0.25);
    REQUIRE(loading > 1.15);
    REQUIRE(loading < 1.25);
    run.until(1400.0);
    CHECK(run.mode("ups_b") == BranchMode::dead);
    CHECK(run.mode("ups_b.bypass") == BranchMode::carrying);
    CHECK(run.nodes_w() == Approx(racks * node_w));
    CHECK(run.times("tripped", "ups_b").size() == 1);
    REQUIRE(run.times("on_bypass", "ups_b").size() == 1);
    const double gone_s = run.times("on_bypass", "ups_b").front();
    CHECK(gone_s == Approx(5.0 + endures_s).margin(2.0));  // pumps and fans move the load a little
    run.until(1700.0);
    CHECK(run.mode("ups_b") == BranchMode::carrying);
    REQUIRE(run.times("off_bypass", "ups_b").size() == 1);
    const double tries = (run.times("off_bypass", "ups_b").front() - gone_s) / 60.0;
    CHECK(tries == Approx(std::round(tries)).margin(1e-6));  // it tries every minute
    CHECK(run.times("off_bypass", "ups_b").front() >= 1500.0);
    CHECK(run.times("off_bypass", "ups_b").front() <= 1560.0);
    CHECK(
        std::abs(energy_balance(run.plant, run.simulation.state(), run.simulation.initial_energy()).residual_ratio()) <
        1e-6);
  }
}

TEST_CASE("165 % of the rating of a UPS last a second", "[bypass]") {
  const Endurance endurance = electrical::Ups::endurance({.rated_w = 1.0});
  CHECK(trip_time_s(endurance, 1.25) == Approx(600.0));
  CHECK(trip_time_s(endurance, 1.5) == Approx(60.0));
  CHECK(trip_time_s(endurance, 1.65) == Approx(1.0));
  CHECK(trip_time_s(endurance, 1.575) == Approx(std::sqrt(60.0)));
}
