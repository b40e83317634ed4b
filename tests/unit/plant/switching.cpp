// What happens after power is lost and when it returns, on a hall with two sides: who carries, who stands, in what order,
// and what the log says.
#include "twin/actions/power/switching.hpp"
#include "tests/support/halls/plant_names.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/run/recording/recorder.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;
using electrical::BranchMode;

namespace {

constexpr double node_w = 6900.0;
constexpr int racks = 10;

/// A run of the two-sided hall that can be stopped anywhere.
struct Run {
  explicit Run(Scenario from) : scenario(std::move(from)) { simulation.start(); }

  void until(double time_s) { simulation.run(time_s, {}); }
  const PlantState& state() const { return simulation.state(); }
  const electrical::PowerFlow& power() const { return simulation.evaluation().power; }
  BranchMode mode(const char* branch) const {
    return state().switches.branch_mode[*electrical::find_branch(plant.power_tree, branch)];
  }
  double branch_w(const char* branch) const {
    return power().branch_output_w[*electrical::find_branch(plant.power_tree, branch)];
  }
  std::size_t source(const char* name) const { return *electrical::find_source(plant.power_tree, name); }
  double charge(std::size_t battery) const { return state().states[plant.batteries[battery].charge_state]; }
  double use_w(std::string_view use) const { return simulation.evaluation().sinks[tests::meter_of_use(plant, use)]; }

  /// Times of the events of that kind and target.
  std::vector<double> times(const std::string& kind, const std::string& target) const {
    std::vector<double> found;
    for (const EventRecord& event : simulation.events()) {
      if (event.kind == kind && event.target == target) found.push_back(event.time_s);
    }
    return found;
  }
  std::string detail(const std::string& kind, const std::string& target) const {
    for (const EventRecord& event : simulation.events()) {
      if (event.kind == kind && event.target == target) return event.detail;
    }
    return "no such event";
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  RunMethod run_method = by_monolithic();
  tests::ConstantWork work{560.0, node_w};
  tests::WorkRun simulation{scenario, plant, work, run_method};
};

Run run_with(std::vector<EventSpec> events) {
  Scenario scenario = tests::two_sided_scenario();
  scenario.events = std::move(events);
  return Run(std::move(scenario));
}

using Times = std::vector<double>;

}  // namespace

TEST_CASE("two sides share the racks, motors hang on one side, every other one on the other", "[switching]") {
  const Run run = run_with({});
  CHECK(run.power().served_w == Approx(run.power().source_total_w - run.power().loss_w).epsilon(1e-12));
  CHECK(run.branch_w("pdu_a_1") == Approx(5 * node_w / 2.0));
  CHECK(run.branch_w("pdu_b_2") == Approx(5 * node_w / 2.0));
  const electrical::PowerTree& tree = run.plant.power_tree;
  for (std::size_t m = 0; m < run.plant.motors.size(); ++m) {
    const MotorPart& motor = run.plant.motors[m];
    INFO(motor.name);
    const std::string side = m % 2 == 0 ? "a" : "b";
    CHECK(tree.load_bus[motor.load][0] == std::find(tree.bus_name.begin(), tree.bus_name.end(),
                                                    (motor.is_on_ups ? "ups_" : "transformer_") + side + ".output") -
                                              tree.bus_name.begin());
    CHECK(run.state().switches.cord_share[motor.load] == std::array{1.0, 0.0});
  }
  CHECK(run.mode("substation_a") == BranchMode::carrying);
}

TEST_CASE("both feeds are gone for 40 s: batteries carry to 10 s, generators to a minute after the feeds",
          "[switching]") {
  Run run = run_with({tests::event(20.0, Kind::open, {"utility_a", "utility_b"}, 40.0)});
  run.until(25.0);
  CHECK(run.mode("ups_a") == BranchMode::on_battery);
  CHECK(run.power().source_total_w == 0.0);
  CHECK(run.use_w("node") == Approx(racks * node_w));
  CHECK(run.use_w("cdu_pump") > 0.0);
  CHECK(run.use_w("tower") == 0.0);
  CHECK(run.use_w("chiller") == 0.0);

  run.until(31.0);
  CHECK(run.mode("ups_a") == BranchMode::carrying);
  CHECK(run.mode("transformer_a") == BranchMode::dead);
  const double generators_w =
      run.power().source_w[run.source("generator_a_1")] + run.power().source_w[run.source("generator_a_2")];
  CHECK(run.power().source_w[run.source("generator_a_1")] == Approx(generators_w / 2.0));
  CHECK(run.power().source_loading_fraction[run.source("generator_a_1")] == Approx(generators_w / 200e3));

  run.until(61.0);  // the feeds are back, the transformers live without load
  CHECK(run.mode("transformer_a") == BranchMode::idle);
  CHECK(run.branch_w("transformer_a") == 0.0);
  run.until(121.0);
  CHECK(run.mode("transformer_a") == BranchMode::carrying);

  CHECK(run.times("on_battery", "ups_a") == Times{20.0});
  CHECK(run.times("generator_start", "generator_b_*") == Times{20.0});
  CHECK(run.times("generator_on_load", "generator_b_*") == Times{30.0});
  CHECK(run.times("off_battery", "ups_b") == Times{30.0});
  CHECK(run.times("generator_stop", "generator_a_*") == Times{120.0});
  CHECK(run.times("transfer", "transformer_a.output") == Times{30.0, 120.0});
  CHECK(run.times("lost_power", "tower") == Times{20.0});
  CHECK(run.times("power_back", "tower") == Times{30.0});
  CHECK(run.times("lost_power", "node").empty());
  CHECK(run.detail("lost_power", "chiller") ==
        "3 of 3: chiller_1, chiller_2, chiller_3; transformer_a.output and transformer_b.output dead");
}

TEST_CASE("a generator that leaves its load is reported as one, and those that go on are counted", "[switching]") {
  Run run = run_with({tests::event(20.0, Kind::open, {"utility_*"}), tests::event(40.0, Kind::fail, {"generator_a_1"}),
                      tests::event(50.0, Kind::restore, {"generator_a_1"})});
  run.until(70.0);
  CHECK(run.times("generator_on_load", "generator_b_*") == Times{30.0});
  CHECK(run.times("generator_off_load", "generator_a_1") == Times{40.0});
  CHECK(run.detail("generator_off_load", "generator_a_1") == "1 of 2 sets go on to carry");
  CHECK(run.times("generator_on_load", "generator_a_*") == Times{30.0, 60.0});
  CHECK(run.times("generator_off_load", "generator_b_1").empty());
}

TEST_CASE("motors of a dead bus draw nothing at once and start after their delay", "[switching]") {
  Run run = run_with({tests::event(20.0, Kind::open, {"utility_*"}, 5.0)});
  run.until(20.0);
  CHECK(run.use_w("tower") == 0.0);
  CHECK(run.use_w("facility_pump") == 0.0);
  run.until(25.0);  // pumps have no delay
  CHECK(run.use_w("facility_pump") > 0.0);
  run.until(60.0);
  CHECK(run.times("start", "tower_1") == Times{45.0});
  CHECK(run.times("start", "chiller_1") == Times{55.0});
  CHECK(run.times("generator_stop", "generator_a_*") == Times{25.0});
  CHECK(run.times("generator_on_load", "generator_a_*").empty());
}

TEST_CASE("one side lost: racks draw all from the other, pumps of that side move over", "[switching]") {
  Run run = run_with({tests::event(5.0, Kind::fail, {"ups_a"}, 30.0)});
  run.until(10.0);
  CHECK(run.mode("ups_a") == BranchMode::dead);  // not on battery: what failed is open
  CHECK(run.branch_w("pdu_b_1") == Approx(5 * node_w));
  CHECK(run.use_w("node") == Approx(racks * node_w));
  CHECK(run.use_w("cdu_pump") > 0.0);
  CHECK(run.times("lost_power", "node").empty());
  CHECK(run.times("transfer", "node") == Times{5.0});
  CHECK(run.detail("transfer", "node") ==
        "to the second bus, 10 of 10: row_1.rack_1, row_1.rack_2, row_1.rack_3 and 7 more");
  run.until(40.0);
  CHECK(run.branch_w("pdu_a_1") == Approx(5 * node_w / 2.0));
  CHECK(run.times("transfer", "node") == Times{5.0, 35.0});
}

TEST_CASE("a generator that failed leaves its load to the others", "[switching]") {
  Run run = run_with({tests::event(5.0, Kind::fail, {"generator_a_2"}), tests::event(10.0, Kind::open, {"utility_a"})});
  run.until(30.0);
  CHECK(run.power().source_w[run.source("generator_a_2")] == 0.0);
  CHECK(run.power().source_loading_fraction[run.source("generator_a_1")] ==
        Approx(run.power().source_w[run.source("generator_a_1")] / 100e3));
  CHECK(run.power().source_w[run.source("utility_b")] > 0.0);
  CHECK(run.times("generator_start", "generator_a_1") == Times{10.0});
  CHECK(run.times("generator_start", "generator_b_*").empty());
}

TEST_CASE("charge, battery power and every generator's loading are recorded", "[switching]") {
  Run run = run_with({tests::event(5.0, Kind::open, {"utility_a"})});
  const auto value = [&](const char* group, const char* column, std::size_t item) {
    for (const RecordedTable& table : power_tables(run.plant, run.scenario.record)) {
      if (table.spec.group != group) continue;
      for (const RecordedColumn& c : table.columns) {
        if (c.spec.name == column) return c.value({run.plant, run.state(), run.simulation.evaluation()}, item);
      }
    }
    return std::nan("");
  };
  run.until(10.0);
  CHECK(value("ups", "state_of_charge", 0) == run.charge(0));
  CHECK(value("ups", "battery_power", 0) ==
        Approx((1.0 - run.charge(0)) * run.plant.batteries[0].energy_j / 5.0).epsilon(1e-4));
  CHECK(value("ups", "state_of_charge", 1) == 1.0);
  CHECK(value("generators", "power", 0) == 0.0);
  run.until(20.0);
  CHECK(value("ups", "battery_power", 0) < 0.0);
  CHECK(value("generators", "power", 0) + value("generators", "power", 1) ==
        Approx(run.power().bus_w[run.plant.standby[0].bus]));
  CHECK(value("generators", "loading", 1) == Approx(value("generators", "power", 1) / 100e3));
}

TEST_CASE("a generator restored during an outage joins after its start time", "[switching]") {
  Run run =
      run_with({tests::event(5.0, Kind::open, {"utility_a"}), tests::event(5.0, Kind::fail, {"generator_a_1"}, 20.0)});
  run.until(30.0);
  CHECK(run.power().source_w[run.source("generator_a_1")] == 0.0);
  const double alone_w = run.power().source_w[run.source("generator_a_2")];
  run.until(36.0);
  CHECK(run.power().source_w[run.source("generator_a_1")] == Approx(run.power().source_w[run.source("generator_a_2")]));
  CHECK(run.power().source_w[run.source("generator_a_2")] < alone_w);
}

TEST_CASE("what failed stays open when it is closed, until it is restored", "[switching]") {
  Run run =
      run_with({tests::event(5.0, Kind::fail, {"transformer_a"}), tests::event(10.0, Kind::close, {"transformer_a"}),
                tests::event(14.0, Kind::restore, {"transformer_a"})});
  run.until(12.0);
  CHECK(run.mode("transformer_a") == BranchMode::dead);
  CHECK(run.detail("close", "transformer_a") == "scenario; failed, stays open");
  run.until(16.0);
  CHECK(run.mode("transformer_a") == BranchMode::carrying);
  CHECK(run.times("generator_stop", "generator_a_*") == Times{14.0});
}

TEST_CASE("a hall without power goes dark, stays finite and comes back", "[switching]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.power.generators.is_enabled = false;
  scenario.duration_s = 1200.0;
  scenario.events = {tests::event(10.0, Kind::open, {"utility_*"}, 590.0)};
  Run run(std::move(scenario));
  run.until(590.0);
  CHECK(run.times("battery_empty", "ups_a").size() == 1);
  CHECK(run.times("lost_power", "node").size() == 1);
  CHECK(run.times("generator_start", "generator_a_*").empty());
  CHECK(run.power().served_w == 0.0);
  CHECK(run.power().loss_w == 0.0);
  for (const double value : run.simulation.evaluation().signals) CHECK(std::isfinite(value));
  for (const double value : run.simulation.evaluation().loads_w()) CHECK(value == 0.0);
  const RackPart& rack = run.plant.it.racks.front();
  CHECK(run.state().inputs[rack.airflow_input] == Approx(0.02 * run.plant.initial_inputs[rack.airflow_input]));

  run.until(1200.0);
  CHECK(run.use_w("node") == Approx(racks * node_w));
  CHECK(run.state().inputs[rack.airflow_input] == run.plant.initial_inputs[rack.airflow_input]);
  CHECK(run.use_w("cdu_pump") > 0.0);
  CHECK(run.use_w("chiller") > 0.0);
  CHECK(run.charge(0) > 0.5);
  const EnergyBalance balance = energy_balance(run.plant, run.state(), run.simulation.initial_energy());
  CHECK(std::abs(balance.residual_ratio()) < 1e-6);
}

TEST_CASE("a battery that is empty ends once, and is ready again as soon as it charges", "[switching]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.power.generators.is_enabled = false;
  scenario.duration_s = 600.0;
  scenario.events = {tests::event(10.0, Kind::open, {"utility_a"}, 390.0),
                     tests::event(420.0, Kind::open, {"utility_a"}, 100.0)};
  Run run(std::move(scenario));
  run.until(395.0);
  CHECK(run.times("battery_empty", "ups_a").size() == 1);
  CHECK(run.charge(0) == 0.0);
  CHECK(run.charge(1) == 1.0);
  run.until(419.0);
  CHECK(run.state().switches.battery_ready[run.plant.batteries[0].branch] == 1);
  CHECK(run.charge(0) == Approx(0.1 * 150e3 * 19.0 / run.plant.batteries[0].energy_j).epsilon(1e-6));
  run.until(521.0);
  CHECK(run.times("battery_empty", "ups_a").size() == 2);
  CHECK(run.times("lost_power", "node").empty());  // side b carries throughout
}

TEST_CASE("the number of chillers on duty follows their load", "[switching]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 600.0;
  scenario.events = {tests::event(300.0, Kind::fail, {"chiller_1"})};
  Run run(std::move(scenario));
  const std::vector<std::string> chillers{"chiller_1", "chiller_2", "chiller_3"};
  const auto is_running = [&](const std::string& chiller) {
    return run.state().equipment.is_running[tests::motor_named(run.plant, chiller)] != 0;
  };
  const auto running = [&] { return static_cast<int>(std::ranges::count_if(chillers, is_running)); };
  const auto chilled_w = [&] {
    const std::vector<double>& signals = run.simulation.evaluation().signals;
    const auto k = [&](const std::string& node) {
      return signals[run.plant.nodes[tests::node_named(run.plant, node)].temperature_signal];
    };
    double heat_w = 0.0;
    for (const std::string& chiller : chillers) {
      const Link& water = tests::link_named(run.plant, chiller + ".chilled_supply");
      heat_w += signals[water.flow_signal] * water.specific_heat_j_per_kg_k *
                (k("chilled_water.return") - k(chiller + ".evaporator"));
    }
    return heat_w;
  };
  const int at_start = running();
  run.until(290.0);
  const int before = running();
  CHECK(before == at_start);  // the start is at the steady load already
  INFO(before << " run at " << chilled_w() << " W");
  CHECK(before < 3);
  CHECK(chilled_w() <= 0.9 * 15e3 * before);
  CHECK(chilled_w() >= 0.75 * 15e3 * (before - 1));
  run.until(400.0);
  CHECK(running() == before);
  CHECK_FALSE(is_running("chiller_1"));
  CHECK(run.times("start", "chiller_3").size() + run.times("start", "chiller_2").size() >= 1);
}
