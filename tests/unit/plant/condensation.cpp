// Water too cold for the air of its room: reported before a run and once in it, with both figures. Margin 2 K [motivair_rear_door];
// dew points of the design days in physics/weather/weather.cpp, 20.92 and 9.70 degC.
#include "tests/support/catch.hpp"

#include <algorithm>
#include <filesystem>

#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/weather/condensation_warnings.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Texts = std::vector<std::string>;

const std::filesystem::path scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios";
const tests::ConstantWork steady_work(500.0, 8000.0);

Texts warnings_of(const Scenario& scenario) { return condensation_warnings(scenario, make_outdoors(scenario)); }

std::vector<EventRecord> condensation_events(const Scenario& scenario, bool is_multirate) {
  const Plant plant = build_plant(scenario);
  tests::WorkRun simulation(scenario, plant, steady_work, is_multirate ? by_multirate() : by_monolithic());
  simulation.start();
  simulation.run(scenario.duration_s, {});
  std::vector<EventRecord> found;
  std::ranges::copy_if(simulation.events(), std::back_inserter(found),
                       [](const EventRecord& event) { return event.kind == "condensation"; });
  return found;
}

}  // namespace

TEST_CASE("no shipped scenario has water too cold for its air, not on a summer day either", "[condensation]") {
  static_cast<void>(wattloop::tests::reference_data());  // one of them replays a trace
  for (const char* name : {"one_rack.yaml", "one_rack_gpt3.yaml", "h100_10k.yaml", "pump_failure/no_failure.yaml"}) {
    INFO(name);
    CHECK(warnings_of(read_scenario(scenarios / name, {})).empty());
  }
  CHECK(warnings_of(read_scenario(scenarios / "h100_10k.yaml", {"weather.design_day=summer"})).empty());
}

TEST_CASE("without humidity control a room is as humid as the air outside, and water of 20 degC too cold in summer",
          "[condensation]") {
  const auto hall = scenarios / "h100_10k.yaml";
  const Texts uncontrolled{"weather.design_day=summer", "hall.cooling.room.humidity=null"};
  CHECK(warnings_of(read_scenario(hall, uncontrolled)) ==
        Texts{"doors and air handlers of the hall may drip: water of 20.00 degC is less than 2 K above the dew point "
              "of 20.92 "
              "degC, the dew point of the outdoor air, because the room has no humidity control"});
  CHECK(warnings_of(read_scenario(hall, {"hall.cooling.room.humidity=null"})).empty());  // a mild day
}

TEST_CASE("the margin is 2 K above the dew point that humidity control holds", "[condensation]") {
  Scenario scenario = tests::small_hall_scenario();
  scenario.cooling.rooms.front().humidity = {.is_given = true, .dew_point_k = 291.15};  // 18 degC, water of 20
  CHECK(warnings_of(scenario).empty());
  scenario.cooling.doors.front().supply_k = 293.1;
  CHECK(warnings_of(scenario) == Texts{"doors and air handlers of the hall may drip: water of 19.95 degC is less than "
                                       "2 K above the dew point of 18.00 degC"});
  scenario.power.rooms.room.humidity = {.is_given = true, .dew_point_k = 293.15};
  CHECK(warnings_of(scenario).size() == 2);
}

TEST_CASE("a dew point above the air of a room is reported", "[condensation]") {
  Scenario scenario = tests::small_hall_scenario();
  scenario.cooling.rooms.front().humidity = {.is_given = true,
                                             .dew_point_k = scenario.cooling.crahs.front().air_k + 1.0};
  const Texts reported = warnings_of(scenario);
  REQUIRE(reported.size() == 2);
  CHECK(reported.front().find("in the hall is above the set-point of its air") != std::string::npos);
}

TEST_CASE("water that becomes too cold in a run is reported once for each room, with its time", "[condensation]") {
  Scenario scenario = tests::small_hall_scenario();
  scenario.duration_s = 900.0;
  scenario.cooling.chilled_water.clear();  // water at a given temperature
  scenario.cooling.rooms.front().humidity = {.is_given = true, .dew_point_k = 288.15};
  scenario.power.rooms.room.humidity = {.is_given = true, .dew_point_k = 283.15};
  scenario.events = {
      tests::set_event({.at_s = 130.0, .targets = {"rear_doors.supply_temperature"}, .to_si = 289.15, .for_s = 100.0}),
      tests::set_event({.at_s = 400.0, .targets = {"rear_doors.supply_temperature"}, .to_si = 289.15})};
  for (const bool is_multirate : {false, true}) {
    const std::vector<EventRecord> found = condensation_events(scenario, is_multirate);
    REQUIRE(found.size() == 1);
    CHECK(found.front().time_s == 180.0);  // the next look at the weather
    CHECK(found.front().target == "room_1");
    CHECK(found.front().detail == "water of 16.00 degC is less than 2 K above the dew point of 15.00 degC");
  }
}

TEST_CASE("liquid that would freeze in dry coolers that are off is reported before a run", "[condensation]") {
  const std::filesystem::path hall = scenarios / "halls/nvl72_dry_coolers.yaml";
  const auto notes = [&](const std::string& day, const std::string& coolant) {
    return make_outdoors(
               read_scenario(hall, {"weather.design_day=" + day, "hall.cooling.water.dry.coolant=" + coolant}))
        .notes;
  };
  CHECK(notes("winter", "water") == Texts{"the outdoor air falls to -10.1 degC, and water freezes at 0 degC: drain or "
                                          "heat any of cooler_1 to cooler_11 while it is off for long"});
  CHECK(notes("winter", "pg25").size() == 1);  // by a tenth of a kelvin
  CHECK(notes("summer", "water").empty());
}
