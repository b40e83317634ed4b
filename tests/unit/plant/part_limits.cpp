// What is reported of parts that go beyond a limit, how long and how far, and where a run ends. One rack whose doors get warmer water, a
// loop that boils, electrical rooms without air handlers.
#include "twin/actions/power/part_limits.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "physics/units/node_rack.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "twin/run/figures/limit_report.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double allowed_k = 303.15;
constexpr const char* inlet = "inlet_air_temperature";

struct Run {
  explicit Run(Scenario from, bool is_multirate = true)
      : scenario(std::move(from)), run_method(is_multirate ? by_multirate() : by_monolithic()) {
    simulation.start();
  }

  /// Of that quantity, if one is given.
  std::vector<EventRecord> found(std::string_view kind, std::string_view target = {},
                                 std::string_view quantity = {}) const {
    std::vector<EventRecord> list;
    for (const EventRecord& event : simulation.events()) {
      const bool is_requested = (target.empty() || event.target == target) && event.detail.starts_with(quantity);
      if (event.kind == kind && is_requested) list.push_back(event);
    }
    return list;
  }
  std::vector<LimitRecord> records(std::string_view quantity = {}) const {
    std::vector<LimitRecord> all = limit_records(simulation.finished());
    std::erase_if(all,
                  [&](const LimitRecord& record) { return !std::string_view(record.quantity).starts_with(quantity); });
    return all;
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  RunMethod run_method;
  tests::ConstantWork work{560.0, 6900.0};
  tests::WorkRun simulation{scenario, plant, work, run_method};
};

/// Watches the air before the first rack, second by second.
class InletWatch final : public Observer {
 public:
  explicit InletWatch(const Plant& plant) : racks_(parts_of<physics::NodeRack>(plant)) {}
  void observe(const PlantState& state, const Evaluation& evaluation) override {
    const double inlet_k = racks_.now(0, [&](std::size_t signal) { return evaluation.signals[signal]; }).inlet_air_k;
    highest_k = std::max(highest_k, inlet_k);
    if (inlet_k > allowed_k) first_s = std::min(first_s, state.time_s);
    if (inlet_k > allowed_k) last_s = state.time_s;
  }

  double highest_k = 0.0, first_s = 1e9, last_s = 0.0;

 private:
  const PartSetOf<physics::NodeRack>& racks_;
};

/// Doors give the room 34 degC from 20 s on, and 20 degC again from 320 s on.
Scenario warm_doors() {
  Scenario scenario = tests::one_rack_scenario();
  scenario.duration_s = 1500.0;
  scenario.events = {
      tests::set_event({.at_s = 20.0, .targets = {"rear_doors.supply_temperature"}, .to_si = 307.15, .for_s = 300.0})};
  return scenario;
}

std::string failure_of(Scenario scenario) {
  try {
    Run run(std::move(scenario));
    run.simulation.run(1e9, {});
  } catch (const SolverError& error) {
    return error.what();
  }
  return "no failure";
}

}  // namespace

TEST_CASE("air before nodes beyond what their maker allows is reported with begin, end, worst and length", "[limits]") {
  for (const bool is_multirate : {true, false}) {
    Run run(warm_doors(), is_multirate);
    InletWatch watch(run.plant);
    run.simulation.run(1500.0, {&watch});
    REQUIRE(watch.highest_k > allowed_k + 1.0);
    const auto begins = run.found("limit_exceeded", "row_1.rack_1", inlet),
               ends = run.found("limit_cleared", "row_1.rack_1", inlet);
    REQUIRE(begins.size() == 1);
    REQUIRE(ends.size() == 1);
    CHECK(begins.front().time_s == Approx(watch.first_s).margin(1.0));
    CHECK(ends.front().time_s == Approx(watch.last_s).margin(1.0));
    CHECK(begins.front().detail.find("hotter than the maker of the nodes allows: 30 degC") != std::string::npos);
    const std::vector<LimitRecord> records = run.records(inlet);
    REQUIRE(records.size() == 1);
    CHECK(records.front().part == "row_1.rack_1");
    CHECK(records.front().quantity == "inlet_air_temperature");
    CHECK(records.front().limit == allowed_k);
    CHECK(records.front().worst == Approx(watch.highest_k).margin(0.05));
    CHECK(records.front().first_time_s == begins.front().time_s);
    CHECK(records.front().duration_s == Approx(watch.last_s - watch.first_s).margin(2.0));
  }
}

TEST_CASE("what comes back for less than a minute is reported once", "[limits]") {
  Scenario scenario = warm_doors();
  scenario.events = {
      tests::set_event({.at_s = 20.0, .targets = {"rear_doors.supply_temperature"}, .to_si = 313.15, .for_s = 300.0}),
      tests::set_event({.at_s = 345.0, .targets = {"rear_doors.supply_temperature"}, .to_si = 313.15, .for_s = 300.0})};
  Run run(std::move(scenario));
  run.simulation.run(640.0, {});
  CHECK(run.found("limit_exceeded", "row_1.rack_1", inlet).size() == 1);
}

TEST_CASE("each time that a part goes beyond is reported with its own values, the record keeps the worst of all",
          "[limits]") {
  Scenario scenario = warm_doors();
  scenario.duration_s = 2400.0;
  scenario.events = {
      tests::set_event({.at_s = 20.0, .targets = {"rear_doors.supply_temperature"}, .to_si = 309.15, .for_s = 300.0}),
      tests::set_event(
          {.at_s = 1200.0, .targets = {"rear_doors.supply_temperature"}, .to_si = 303.15, .for_s = 400.0})};
  Run run(std::move(scenario));
  InletWatch first(run.plant), second(run.plant);
  run.simulation.run(1190.0, {&first});
  run.simulation.run(2400.0, {&second});
  REQUIRE(first.highest_k > second.highest_k + 2.0);
  const auto begins = run.found("limit_exceeded", "row_1.rack_1", inlet),
             ends = run.found("limit_cleared", "row_1.rack_1", inlet);
  REQUIRE(begins.size() == 2);
  REQUIRE(ends.size() == 2);
  const auto reported_c = [](const EventRecord& event, const std::string& before) {
    return std::stod(event.detail.substr(event.detail.find(before) + before.size()));
  };
  CHECK(reported_c(begins[1], "inlet_air_temperature ") == Approx(30.0).margin(0.3));
  CHECK(reported_c(ends[0], "at worst ") == Approx(first.highest_k - 273.15).margin(0.05));
  CHECK(reported_c(ends[1], "at worst ") == Approx(second.highest_k - 273.15).margin(0.05));
  CHECK(ends[1].detail.find(" after " + std::to_string(static_cast<int>((ends[1].time_s - begins[1].time_s) / 60.0))) !=
        std::string::npos);
  const std::vector<LimitRecord> records = run.records(inlet);
  REQUIRE(records.size() == 1);
  CHECK(records.front().worst == Approx(first.highest_k).margin(0.05));
  CHECK(records.front().worst_time_s > 60.0);
  CHECK(records.front().worst_time_s < 330.0);
}

TEST_CASE("racks that go beyond at one instant are reported together, and each has a record", "[limits]") {
  Scenario scenario = warm_doors();
  scenario.racks.front().count = 3;
  scenario.cooling.rooms.front().volume_m3 = 180.0;
  scenario.cooling.loops.front().cdu.rated_heat_w = 400e3;
  scenario.cooling.loops.front().pump.quadratic_pa_s2_per_m6 = -1e9;
  Run run(std::move(scenario));
  run.simulation.run(300.0, {});
  const auto reported = run.found("limit_exceeded", {}, inlet);
  for (const EventRecord& event : reported) UNSCOPED_INFO(event.target << ": " << event.detail);
  REQUIRE(reported.size() == 1);
  CHECK(reported.front().detail.find("; and 2 more of 3 racks") != std::string::npos);
  CHECK(run.records(inlet).size() == 3);
}

TEST_CASE("a rating that is exceeded is reported without being declared as a limit", "[limits]") {
  Scenario scenario = tests::one_rack_scenario();
  scenario.cooling.loops.front().cdu.rated_heat_w = 20e3;
  Run run(std::move(scenario));
  run.simulation.run(60.0, {});
  const auto reported = run.found("limit_exceeded", "cdu_1");
  REQUIRE(reported.size() == 1);
  CHECK(reported.front().detail.find("over its rating: 20 kW") != std::string::npos);
}

TEST_CASE("nothing is reported of a hall within its limits", "[limits]") {
  Run run(tests::one_rack_scenario());
  run.simulation.run(120.0, {});
  CHECK(run.found("limit_exceeded").empty());
  CHECK(run.records().empty());
}

TEST_CASE("coolant that boils ends the run, and what was beyond is reported", "[limits]") {
  Scenario scenario = tests::one_rack_scenario();
  scenario.duration_s = 3600.0;
  scenario.racks.front().hardware.protection.is_enabled = false;
  scenario.events = {tests::set_event({.at_s = 10.0, .targets = {"facility.supply_temperature"}, .to_si = 372.15})};
  Run run(std::move(scenario));
  std::string failure;
  try {
    run.simulation.run(3600.0, {});
  } catch (const SolverError& error) {
    failure = error.what();
  }
  CHECK(failure.find("the models are no longer valid: loop_1: ") != std::string::npos);
  CHECK(failure.find("it boils: 101 degC") != std::string::npos);
  REQUIRE(!run.found("limit_exceeded", "loop_1").empty());
  CHECK(run.found("limit_exceeded", "loop_1").front().detail.find("known properties: 70") != std::string::npos);
}

TEST_CASE("a steady start that protection would not have let come about is refused", "[limits]") {
  Scenario hot = tests::one_rack_scenario();
  hot.cooling.loops.front().supply_k = hot.cooling.water.front().supply_k = 360.15;
  CHECK(failure_of(hot).find("dies reach ") != std::string::npos);
  CHECK(failure_of(hot).find("firmware switches nodes off at 95 degC") != std::string::npos);
  Scenario warm = tests::one_rack_scenario();
  warm.cooling.doors.front().supply_k = 323.15;
  CHECK(failure_of(warm).find("air before racks reaches ") != std::string::npos);
  warm.power.ups.rated_air_k = 300.15;
  warm.power.ups.shutdown_air_k = 305.15;
  CHECK(failure_of(warm).find("air around ups_a is at ") != std::string::npos);
  hot.racks.front().hardware.protection.is_enabled = false;
  hot.duration_s = 60.0;
  CHECK(failure_of(hot) == "no failure");
  hot.cooling.loops.front().supply_k = hot.cooling.water.front().supply_k = 376.15;
  CHECK(failure_of(hot).find("is not possible: loop_1: supply_temperature") != std::string::npos);
}

TEST_CASE("a checkpoint keeps what limits have counted", "[limits]") {
  Run whole(warm_doors()), first(warm_doors()), second(warm_doors());
  whole.simulation.run(1500.0, {});
  first.simulation.run(600.0, {});
  second.simulation.resume(first.simulation.checkpoint());
  second.simulation.run(1500.0, {});
  CHECK(second.records() == whole.records());
  CHECK(second.simulation.events() == whole.simulation.events());
}

TEST_CASE("motors without UPS lose their supply while a transfer switch goes over, and start again after their delay",
          "[limits][switching]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.power.generators.is_given = false;
  scenario.events = {tests::event(22.0, EventSpec::Kind::open, {"utility_a"})};
  Run run(std::move(scenario));
  run.simulation.run(22.0, {});
  const auto runs = [&](const char* motor) {
    const auto at = std::ranges::find(run.plant.motors, std::string(motor), &MotorPart::name);
    REQUIRE(at != run.plant.motors.end());
    return run.simulation.state().equipment.is_running[static_cast<std::size_t>(at - run.plant.motors.begin())] != 0;
  };
  CHECK(!runs("tower_1"));      // on side a
  CHECK(runs("tower_2"));       // on side b: nothing happened there
  CHECK(runs("cdu_1.pump_a"));  // on a UPS, whose battery carries
  run.simulation.run(200.0, {});
  const auto started = run.found("start", "tower_1");
  REQUIRE(started.size() == 1);
  CHECK(started.front().time_s == 45.0);  // 20 s later, at the next tick of staging
}
