// Files that settings follow: how columns become series, and every mistake with what is said of it, all at once.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/actions/events/followed_settings.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/events/followed_by_name.hpp"
#include "twin/ratings/nameplate_hall.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double zero_c = 273.15;
const char* const good = "t_s,heat_kW,supply_degC,share_pct\n0,10,30,50\n60,20,32,60\n120,,34,70\n180,40,31,100\n";

/// One rack of which parts and sequences are what a test says, `FILE` being its measured file.
struct Rack {
  tests::TemporaryFolder folder;

  Scenario read(const std::string& content, std::vector<std::string> overrides) const {
    const std::string path = (folder / "plant.csv").string();
    std::ofstream(path, std::ios::binary) << content;
    for (std::string& text : overrides) {
      for (std::size_t at = text.find("FILE"); at != std::string::npos; at = text.find("FILE", at))
        text.replace(at, 4, path);
    }
    overrides.insert(overrides.begin(), {"duration=3 min", "events=[]"});
    return read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/one_rack.yaml", overrides);
  }

  /// All that is said of what is wrong, in reading and in building.
  std::string problems(const std::string& content, const std::vector<std::string>& overrides) const {
    try {
      const Scenario scenario = read(content, overrides);
      const Plant plant = build_plant(scenario);
      Problems problems;
      followed_settings(scenario, plant, problems);
      problems.throw_if_any("the scenario");
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }
};

std::string heater(const std::string& keys, const std::string& name = "heater") {
  return fmt::format("parts.{}={{kind: imposed_heat, into: loop_1.return, heat: {{follow: {{file: 'FILE', {}}}}}}}",
                     name, keys);
}

std::string sequence(const std::string& setting, const std::string& keys) {
  return fmt::format("sequences.x={{kind: follow, setting: {}, file: 'FILE', {}}}", setting, keys);
}

const FollowedSeries& only_series(const Scenario& scenario) {
  REQUIRE(scenario.followed.size() == 1);
  return scenario.followed.front().series;
}

}  // namespace

TEST_CASE("a column becomes a series of the run, in SI", "[followed]") {
  const Rack rack;
  const Scenario heat =
      rack.read(good, {heater("column: heat_kW, unit: kW, skip: 30 s, after_end: hold, stamp: instant")});
  const FollowedSeries& series = only_series(heat);
  CHECK(heat.followed.front().setting == "heater.heat");
  CHECK(series.stamps_s == std::vector<double>{-30.0, 30.0, 150.0});  // the empty cell is no sample
  CHECK(series.values == std::vector<double>{10e3, 20e3, 40e3});
  CHECK(series.at(0.0) == Approx(15e3));
  CHECK(series.at(90.0) == Approx(30e3));
  CHECK(series.at(170.0) == 40e3);
  CHECK(series.largest(100.0) == Approx(20e3 + 20e3 * 70.0 / 120.0));
  CHECK(heat.parts.front().settings.front().second == Approx(10e3 + 10e3 * 32.5 / 60.0));  // the first five seconds

  const Scenario supply = rack.read(
      good,
      {sequence("loop_1.supply_temperature", "column: supply_degC, unit: degC, scale: 2, offset: -30, between: step")});
  CHECK(only_series(supply).values == std::vector<double>{zero_c + 30, zero_c + 34, zero_c + 38, zero_c + 32});
  CHECK(only_series(supply).at(119.0) == zero_c + 34);
  const Scenario speed = rack.read(good, {sequence("loop_*.pump_speed", "column: share_pct, unit: '%'")});
  CHECK(only_series(speed).values[2] == Approx(0.7));
}

TEST_CASE("times in hours are the instants of the run that they stand for", "[followed]") {
  const Scenario scenario = Rack().read("t_h,heat_kW\n0,1\n0.01,2\n0.07,3\n",
                                        {heater("column: heat_kW, unit: kW, time_unit: h, longest_gap: 1 h")});
  CHECK(only_series(scenario).stamps_s == std::vector<double>{0.0, 36.0, 252.0});
}

TEST_CASE("means are held over cells that end at rows and ticks", "[followed]") {
  const FollowedSeries series{.stamps_s = {0, 7, 20}, .values = {0, 14, 14}, .interval_s = 7};
  CHECK(series.held(0.0).value == Approx(5.0));
  CHECK(series.held(0.0).until_s == 5.0);
  CHECK(series.held(3.0).value == Approx(5.0));
  CHECK(series.held(5.0).value == Approx(12.0));
  CHECK(series.held(5.0).until_s == 7.0);
  CHECK(series.held(7.0).until_s == 20.0);  // level: nothing to do before the next row
  CHECK(std::isinf(series.held(20.0).until_s));
}

TEST_CASE("many parts alike follow columns by their number, of a file that is read and named once", "[followed]") {
  const Rack rack;
  const Scenario scenario = rack.read("t,cdu1,cdu2\n0,1,3\n60,2,4\n120,2,4\n",
                                      {heater("column: 'cdu*', unit: kW", "cdu_heat"), "parts.cdu_heat.count=2",
                                       "parts.cdu_heat.into='loop_1.return'"});
  REQUIRE(scenario.followed.size() == 2);
  CHECK(scenario.followed[1].setting == "cdu_heat_2.heat");
  CHECK(scenario.followed[1].series.values.front() == 3e3);
  CHECK(std::ranges::count(scenario.input_files, "followed", &InputFile::role) == 1);
  const Scenario again = read_scenario_text(scenario.resolved_text, "elsewhere.yaml");
  CHECK(again.followed[1].series.values == scenario.followed[1].series.values);
}

TEST_CASE("a file is looked for where it is named, and found again from anywhere", "[followed]") {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "meter.csv") << good;
  std::ofstream(folder / "own.yaml") << fmt::format(
      "extends: {}/scenarios/one_rack.yaml\nduration: 3 min\nparts:\n  heater: {{ kind: imposed_heat, into: "
      "loop_1.return, heat: {{ follow: "
      "{{ file: meter.csv, column: heat_kW, unit: kW }} }} }}\nsequences:\n  x: {{ kind: follow, setting: "
      "loop_1.supply_temperature, file: "
      "meter.csv, column: supply_degC, unit: degC }}\n",
      WATTLOOP_SOURCE_DIR);
  const Scenario scenario = read_scenario(folder / "own.yaml");
  const Scenario again = read_scenario_text(scenario.resolved_text, "elsewhere/own.yaml");
  REQUIRE(again.followed.size() == 2);
  CHECK(again.followed[0].series.values == scenario.followed[0].series.values);
  const auto input = std::ranges::find(scenario.input_files, "followed", &InputFile::role);
  REQUIRE(input != scenario.input_files.end());
  CHECK(input->name == "meter.csv");
}

TEST_CASE("check takes heat at its largest, and all else as at the begin", "[followed]") {
  const Rack rack;
  const Scenario scenario = rack.read(good, {heater("column: heat_kW, unit: kW"),
                                             sequence("loop_1.supply_temperature", "column: supply_degC, unit: degC")});
  const Plant plant = build_plant(scenario);
  Problems problems;
  const std::vector<FollowedSetting> settings = followed_settings(scenario, plant, problems);
  REQUIRE(settings.size() == 2);
  PlantState state = initial_state(plant);
  follow_worst(settings, scenario.duration_s, state);
  CHECK(state.inputs[settings[1].input] == 40e3);
  CHECK(state.inputs[settings[0].input] == zero_c + 30.0);
  CHECK(followed_notes(settings) ==
        std::vector<std::string>{
            "used with the values of their files at their highest in the run: heater.heat",
            "used with the values of their files at the start of the run: loop_1.supply_temperature",
        });
}

TEST_CASE("what is wrong with what is followed is said, with the nearest that is right", "[followed]") {
  struct Mistake {
    const char* content;
    std::string override_text;
    const char* said;
  };
  const std::string usual = "column: heat_kW, unit: kW";
  const auto [content, override_text, said] = GENERATE_COPY(values<Mistake>({
      {good, heater("column: heat_kV, unit: kW"), "has no column 'heat_kV'"},
      {good, heater("column: heat_kV, unit: kW"), "did you mean 'heat_kW'?"},
      {good, heater("column: heat_kW, unit: degC"), "unit of heater.heat:"},
      {good, heater("column: heat_kW"), "unit"},
      {good, heater("unit: kW"), "column"},
      {good, heater(usual + ", time: t_m"), "has no column 't_m'"},
      {good, heater(usual + ", time_unit: kW"), "unit of times:"},
      {good, heater(usual + ", between: smooth"), "expected one of linear, step"},
      {good, heater(usual + ", skip: 2 min"), "ends 1 min before the run does"},
      {good, heater(usual + ", every: 1 min"), "has no parameter 'every'"},
      {good, sequence("loop_1.supply_temperatur", "column: supply_degC, unit: degC"),
       "did you mean 'supply_temperature'?"},
      {good, sequence("loop_7.supply_temperature", "column: supply_degC, unit: degC"),
       "this hall has no setting 'loop_7.supply_temperature'"},
      {good, sequence("supply_temperature", "column: supply_degC, unit: degC"), "COMPONENT.supply_temperature"},
      {good, sequence("loop_1.supply_temperature", "column: supply_degC, unit: degC, scale: 10"),
       "write values between -40 degC and 100 degC"},
      {good, sequence("loop_1.pump_speed", "column: share_pct, unit: 1"), "out of range, expected 0 to 1"},
      {"t_s,heat_kW\n0,1\n60,2\n50,3\n200,4\n", heater(usual), "time '50' does not come after"},
      {"t_s,heat_kW\n0,1\n60,x\n120,3\n200,4\n", heater(usual), "'x' is not a finite number"},
      {"t_s,heat_kW\n0,1\nlater,2\n", heater(usual), "time 'later' is not a finite number"},
      {"t_s,heat_kW\n0,1\n60,inf\n200,3\n", heater(usual), "'inf' is not a finite number"},
      {"t_s,heat_kW\n0,1\n60,2,3\n200,3\n", heater(usual), "3 cells, but the first line names 2 columns"},
      {"t_s,heat_kW\n0,1\n", heater(usual), "fewer than two rows"},
      {"", heater(usual), "is empty"},
      {"t_s,heat_kW\n0,\n100,nan\n200,\n", heater(usual), "no row has a number"},
      {"t_s,heat_kW\n0,1\n10,2\n20,\n30,NaN\n40,\n50,5\n60,6\n200,6\n", heater(usual + ", longest_gap: 25 s"),
       "has no numbers for 40 s, beginning 10 s after the start of the run"},
      {good, "weather.dry_bulb=20 degC", "expected what it follows"},
      {good, "hall.cooling.loops.supply_temperature={follow: {file: 'FILE', column: supply_degC, unit: degC}}",
       "sequences: { NAME: { kind: follow"},
      {"t_s,a,b\n0,10,20\n60,21,20\n200,10,20\n",
       "weather={wet_bulb: {follow: {file: 'FILE', column: a, unit: degC}}, dry_bulb: {follow: {file: 'FILE', column: "
       "b, unit: "
       "degC}}}",
       "the wet bulb is 1 K above the dry bulb at 60 s"},
  }));
  INFO(override_text);
  CHECK_THAT(Rack().problems(content, {override_text}), Catch::Contains(said));
}

TEST_CASE("a value that a setting may not be is reported at its line of the file", "[followed]") {
  CHECK_THAT(
      Rack().problems("t_s,share\n0,0.5\n60,0.7\n120,1.2\n200,-0.1\n",
                      {sequence("loop_1.pump_speed", "column: share, unit: 1")}),
      Catch::Contains("plant.csv:4:5: share as loop_1.pump_speed") && Catch::Contains("plant.csv:5:5: share as"));
}

TEST_CASE("a setting that follows a file is set by nothing else for good", "[followed]") {
  const Rack rack;
  const std::string followed = sequence("loop_1.supply_temperature", "column: supply_degC, unit: degC");
  CHECK_THAT(rack.problems(good, {followed, "events=[{at: 1 min, set: loop_*.supply_temperature, to: 30 degC}]"}),
             Catch::Contains("follows a file: an event cannot set it permanently"));
  CHECK(rack.problems(good, {followed, "events=[{at: 1 min, set: loop_1.supply_temperature, to: 30 degC, for: 1 min}]"})
            .empty());
  CHECK_THAT(
      rack.problems(good, {followed,
                           "sequences.y={kind: wet_bulb_reset, setting: loop_1.supply_temperature, approach: 5 K, "
                           "lowest: 18 degC, highest: 28 degC}"}),
      Catch::Contains("follows a file, too"));
  CHECK_THAT(
      rack.problems(good, {followed,
                           "sequences.y={kind: follow, setting: loop_*.supply_temperature, file: 'FILE', column: "
                           "supply_degC, unit: degC}"}),
      Catch::Contains("follows another column already"));
}

TEST_CASE("all mistakes about files are reported at once", "[followed]") {
  const std::string said =
      Rack().problems("t_s,heat_kW\n0,1\n60,x\n120,3\n",
                      {heater("column: heat_kW, unit: kW, every: 2 s"), heater("column: cool_kW, unit: kW", "cooler"),
                       sequence("loop_1.supply_temperature", "column: heat_kW, unit: kW"),
                       "weather={wet_bulb: {follow: {file: none.csv, column: a, unit: degC}}}"});
  for (const char* one : {"no parameter 'every'", "no column 'cool_kW'", "'x' is not a finite number",
                          "unit of loop_1.supply_temperature", "none.csv"})
    CHECK_THAT(said, Catch::Contains(one));
}
