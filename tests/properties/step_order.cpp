// The order in which things act at one instant, by what ties show: the table "What acts at an instant" of
// docs/step_contract.md, line by line.

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// A run that is asked after every stop.
struct Stage {
  Stage(const Scenario& from, const workload::Workload& work, bool is_multirate = true)
      : scenario(from),
        plant(build_plant(scenario)),
        run_method(is_multirate ? by_multirate() : by_monolithic()),
        simulation(scenario, plant, work, run_method) {
    simulation.start();
  }

  double command(std::size_t motor) const { return simulation.state().inputs[plant.motors[motor].command_input]; }
  std::size_t cdu_pump(std::size_t pump) const {
    return tests::motor_named(plant, pump == 0 ? "cdu_1.pump_a" : "cdu_1.pump_b");
  }
  double speed_setting() const { return simulation.state().inputs[tests::input_named(plant, "loop_1.pump_speed")]; }
  double gpu_load_w(std::size_t gpu) const {
    return simulation.state()
        .inputs[plant.groups[plant.it.groups.front().gpu_units]->first_load - plant.map.input(0) + gpu];
  }

  /// Kinds of what was reported for an instant, in order, repeated ones once.
  std::vector<std::string> kinds_at(double time_s) const {
    std::vector<std::string> kinds;
    for (const EventRecord& event : simulation.events()) {
      if (event.time_s == time_s && (kinds.empty() || kinds.back() != event.kind)) kinds.push_back(event.kind);
    }
    return kinds;
  }

  double first_s(const std::string& kind, const std::string& target = {}) const {
    for (const EventRecord& event : simulation.events()) {
      if (event.kind == kind && (target.empty() || event.target == target)) return event.time_s;
    }
    return -1.0;
  }

  const Scenario scenario;
  const Plant plant;
  const RunMethod run_method;
  tests::WorkRun simulation;
};

/// Full work from 100 to 300 s, idle before and after.
class StepWork final : public workload::Workload {
 public:
  double next_change_s(double t_s) const override {
    return t_s < 100.0 ? 100.0 : t_s < 300.0 ? 300.0 : std::numeric_limits<double>::infinity();
  }
  void sample(double t_s, workload::NodeRange, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const bool is_full = t_s >= 100.0 && t_s < 300.0;
    std::ranges::fill(gpu_w, is_full ? 700.0 : 72.0);
    std::ranges::fill(node_ac_w, is_full ? 10200.0 : 2300.0);
  }
};

EventSpec set_speed(double at_s, double to) {
  return tests::set_event({.at_s = at_s, .targets = {"loop_1.pump_speed"}, .to_si = to});
}

}  // namespace

TEST_CASE("scenario events of one instant act in the order of the file, before all that looks at what they do",
          "[order]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.racks.front().hardware.protection.throttle_k = 300.0;  // dies throttle from the start
  scenario.racks.front().hardware.protection.slowdown_k = 400.0;
  scenario.racks.front().hardware.protection.shutdown_k = 420.0;
  scenario.events = {set_speed(0.0, 0.5), set_speed(0.0, 0.6),
                     tests::event(0.0, EventSpec::Kind::fail, {"cdu_1.pump_a"}),
                     tests::event(0.0, EventSpec::Kind::open, {"utility_a"})};
  const tests::ConstantWork work(600.0, 7000.0);
  const Stage stage(scenario, work);
  // 1 scenario; 5 firmware; 6 switching; 9 staging.
  const std::vector<std::string> kinds = stage.kinds_at(0.0);
  REQUIRE(kinds.size() > 5);
  CHECK(std::vector<std::string>(kinds.begin(), kinds.begin() + 4) ==
        std::vector<std::string>{"set", "fail", "open", "first_throttle"});
  const auto position = [&](const char* kind) { return std::find(kinds.begin(), kinds.end(), kind) - kinds.begin(); };
  CHECK(position("first_throttle") < position("generator_start"));
  CHECK(position("generator_start") < position("start"));
  CHECK(position("start") < std::ssize(kinds));
  CHECK(stage.speed_setting() == 0.6);             // the second in the file
  CHECK(stage.command(stage.cdu_pump(0)) == 0.0);  // 1 before 9: it failed,
  CHECK(stage.command(stage.cdu_pump(1)) == 0.6);  // is replaced, at the speed just set
  CHECK(stage.simulation.state().work.clock_fraction[0] < 1.0);
  CHECK(stage.gpu_load_w(0) < 600.0);  // 5 before 7
}

TEST_CASE("what is due at a multiple of five seconds acts there, what comes a second later waits", "[order]") {
  const tests::ConstantWork work(600.0, 7000.0);
  for (const bool is_multirate : {true, false}) {
    for (const double late_s : {0.0, 1.0}) {
      Scenario scenario = tests::one_rack_scenario();
      scenario.events = {tests::event(20.0 + late_s, EventSpec::Kind::fail, {"cdu_1.pump_a"}),
                         set_speed(40.0 + late_s, 0.7)};
      Stage stage(scenario, work, is_multirate);
      stage.simulation.run(20.0 + late_s, {});
      CHECK(stage.command(stage.cdu_pump(0)) == 0.0);  // at once
      CHECK(stage.command(stage.cdu_pump(1)) == (late_s == 0.0 ? 1.0 : 0.0));
      stage.simulation.run(40.0 + late_s, {});
      CHECK(stage.first_s("start", "cdu_1.pump_b") == (late_s == 0.0 ? 20.0 : 25.0));
      CHECK(stage.speed_setting() == 0.7);
      CHECK(stage.command(stage.cdu_pump(1)) == (late_s == 0.0 ? 0.7 : 1.0));
      stage.simulation.run(45.0, {});
      CHECK(stage.command(stage.cdu_pump(1)) == 0.7);
    }
  }
}

TEST_CASE("work of the sample that begins is throttled, and dropped with its bus, in the same instant", "[order]") {
  Scenario scenario = tests::one_rack_scenario();
  scenario.racks.front().hardware.protection.throttle_k = 300.0;
  scenario.racks.front().hardware.protection.slowdown_k = 301.0;  // half the clock all the time
  scenario.racks.front().hardware.protection.shutdown_k = 420.0;
  scenario.racks.front().hardware.boot_time_s = 0.0;
  scenario.events = {tests::event(24.0, EventSpec::Kind::open, {"pdu_1"}, 8.0)};
  const tests::SquareWork work(16.0);  // node 0 at 600 W from 0, 16, 32 s, at 200 W from 8, 24 s
  Stage stage(scenario, work);
  const auto throttled_w = [](double asked_w) { return 72.0 + (asked_w - 72.0) * 0.25; };
  for (const double now_s : {8.0, 16.0}) {
    stage.simulation.run(now_s, {});
    CHECK(stage.gpu_load_w(0) == Approx(throttled_w(now_s == 8.0 ? 200.0 : 600.0)).epsilon(1e-12));  // 4, 5 before 7
  }
  stage.simulation.run(24.0, {});
  CHECK(stage.gpu_load_w(0) == 0.0);  // 1, 6 before 7
  CHECK(stage.first_s("lost_power") == 24.0);
  stage.simulation.run(32.0, {});
  CHECK(stage.gpu_load_w(0) == Approx(throttled_w(600.0)).epsilon(1e-12));
}

TEST_CASE("a chiller put on duty starts, one taken off stops in the same instant", "[order]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 900.0;
  scenario.cooling.chilled_water.front().chillers.stage_up_fraction = 0.65;
  scenario.cooling.chilled_water.front().chillers.stage_down_fraction = 0.64;
  const StepWork work;
  Stage stage(scenario, work);
  stage.simulation.run(900.0, {});
  std::map<double, std::set<std::string>> kinds;
  for (const EventRecord& event : stage.simulation.events()) {
    if (event.target == "chillers" || event.target.starts_with("chiller_")) kinds[event.time_s].insert(event.kind);
  }
  std::size_t starts = 0, stops = 0;
  for (const auto& [time_s, at_once] : kinds) {
    if (!at_once.contains("stage")) continue;
    INFO("at " << time_s << " s");
    CHECK((at_once.contains("start") || at_once.contains("stop")));  // 8 before 9
    starts += at_once.count("start");
    stops += at_once.count("stop");
  }
  CHECK(starts > 0);
  CHECK(stops > 0);
}

TEST_CASE("chillers are staged at the same ticks where no one asks for the seconds between", "[order][calm]") {
  std::vector<std::pair<double, std::string>> events[2];
  for (const bool is_coarse : {false, true}) {
    Scenario scenario = tests::two_sided_scenario();
    scenario.duration_s = 900.0;
    scenario.cooling.chilled_water.front().chillers.stage_up_fraction = 0.65;
    scenario.cooling.chilled_water.front().chillers.stage_down_fraction = 0.64;
    const double interval_s = is_coarse ? 60.0 : 1.0;
    scenario.record.facility_s = scenario.record.racks_s = scenario.record.gpus_s = interval_s;
    const StepWork work;
    Stage stage(scenario, work);
    stage.simulation.run(900.0, {});
    for (const EventRecord& event : stage.simulation.events())
      events[is_coarse ? 1 : 0].emplace_back(event.time_s, event.kind);
    if (is_coarse) CHECK(stage.simulation.solver_statistics().windows < 40);  // of 45 multiples of 20 s
  }
  REQUIRE(std::ranges::count(events[0], "stage", &std::pair<double, std::string>::second) >= 2);
  REQUIRE(events[0].size() == events[1].size());
  for (std::size_t e = 0; e < events[0].size(); ++e) {
    CHECK(events[0][e].second == events[1][e].second);
    CHECK(std::abs(events[0][e].first - events[1][e].first) <= control_interval_s);
  }
}

TEST_CASE("a pump that fails between control ticks is replaced at the next one, however long windows may be",
          "[order][calm]") {
  for (const double interval_s : {1.0, 60.0}) {
    Scenario scenario = tests::two_sided_scenario();
    scenario.duration_s = 300.0;
    scenario.record.facility_s = scenario.record.racks_s = scenario.record.gpus_s = interval_s;
    scenario.events = {tests::event(121.0, EventSpec::Kind::fail, {"cdu_1.pump_a"})};
    const StepWork work;
    Stage stage(scenario, work);
    stage.simulation.run(300.0, {});
    INFO("records every " << interval_s << " s");
    CHECK(stage.first_s("start", "cdu_1.pump_b") == 125.0);
  }
}

TEST_CASE("chillers are staged within long windows as at the ends of short ones", "[order][calm]") {
  std::vector<std::pair<double, std::string>> events[2];
  std::int64_t windows[2];
  for (const bool are_long : {false, true}) {
    Scenario scenario = tests::two_sided_scenario();
    scenario.duration_s = 900.0;
    scenario.cooling.chilled_water.front().chillers.stage_up_fraction = 0.65;
    scenario.cooling.chilled_water.front().chillers.stage_down_fraction = 0.64;
    const StepWork work;
    const Plant plant = build_plant(scenario);
    tests::WorkRun simulation(scenario, plant, work, by_multirate({.calm_window_s = are_long ? 20.0 : 5.0}));
    simulation.start();
    simulation.run(900.0, {});
    for (const EventRecord& event : simulation.events())
      events[are_long ? 1 : 0].emplace_back(event.time_s, event.kind);
    windows[are_long ? 1 : 0] = simulation.solver_statistics().windows;
  }
  CHECK(windows[0] >= 180);
  CHECK(windows[1] < windows[0] / 2);
  REQUIRE(std::ranges::count(events[0], "stage", &std::pair<double, std::string>::second) >= 2);
  CHECK(events[1] == events[0]);
}
