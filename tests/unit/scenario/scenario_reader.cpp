// What a scenario file says arrives in SI units; what is wrong with it is said all at once, with its place
// and a remedy.
#include "tests/support/catch.hpp"

#include <filesystem>
#include <fstream>

#include "core/text/problem.hpp"
#include "physics/units/cold_plate.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios";

/// Writes NAME below the folder.
std::filesystem::path write(const tests::TemporaryFolder& folder, const std::string& name, const std::string& text) {
  const std::filesystem::path file = folder.path() / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file;
}

/// Problems of one_rack.yaml with overrides, each as "message | hint".
std::vector<std::string> problems_of(const std::vector<std::string>& overrides) {
  std::vector<std::string> texts;
  try {
    read_scenario(scenarios / "one_rack.yaml", overrides);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) texts.push_back(problem.message + " | " + problem.hint);
  }
  return texts;
}

/// Full text of what is wrong with a file beside the scenarios of the source tree.
std::string error_of_text(const std::string& text) {
  try {
    read_scenario_text(text, scenarios / "bad.yaml");
  } catch (const InputError& error) {
    std::string what = error.what();
    for (std::size_t at = 0; (at = what.find(scenarios.string() + "/")) != std::string::npos;) {
      what.erase(at, scenarios.string().size() + 1);
    }
    return what;
  }
  return "no problem";
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("one_rack.yaml reads into SI units", "[scenario]") {
  const Scenario scenario = read_scenario(scenarios / "one_rack.yaml");
  CHECK(scenario.name == "one_rack");
  CHECK(scenario.duration_s == 3600.0);
  CHECK(scenario.initial == InitialState::settled);
  CHECK(scenario.workload.noun() == "training");
  CHECK(scenario.racks.front().nodes == 8);
  CHECK(scenario.racks.front().hardware.name == "hgx_h100_liquid");
  CHECK(scenario.racks.front().hardware.nameplate_w == 10200.0);
  CHECK(scenario.racks.front().hardware.coolant_pressure_drop_pa == 80e3);
  CHECK(scenario.racks.front().hardware.rack_liquid_volume_per_node_m3 == Approx(2e-3));
  CHECK(scenario.racks.front().hardware.protection.throttle_k == Approx(360.15));
  CHECK(scenario.racks.front().hardware.psu.efficiency_at_50_fraction == Approx(0.96));
  CHECK(scenario.cooling.loops.front().supply_k == Approx(305.15));
  CHECK(scenario.cooling.loops.front().volume_m3 == Approx(0.06));
  CHECK(scenario.cooling.loops.front().pump_speed_fraction == Approx(0.75));
  CHECK(scenario.cooling.loops.front().pumps_per_cdu == 2);
  CHECK(scenario.cooling.loops.front().cdu_name == "cdu_121kw");
  CHECK(scenario.cooling.loops.front().cdu.design_conductance_w_per_k == Approx(30250.0));
  CHECK(scenario.cooling.loops.front().pump.quadratic_pa_s2_per_m6 == Approx(-2.847 * 3.6e9));
  CHECK(scenario.cooling.water.front().supply_k == Approx(297.15));
  CHECK(scenario.cooling.doors.front().supply_k == Approx(293.15));
  CHECK(scenario.power.transformer.rated_va == Approx(630e3));
  CHECK(scenario.power.ups_name == "ups_97");
  CHECK(scenario.power.ups.battery_time_s == 300.0);
  CHECK(scenario.record.gpus_s == 15.0);
  CHECK(scenario.record.gpu_fields == Texts{"die_temperature", "power", "clock_fraction"});
}

TEST_CASE("one_rack_gpt3.yaml replays the measured run on the rack it extends", "[scenario]") {
  const std::string data = tests::reference_data();
  const Scenario scenario = read_scenario(scenarios / "one_rack_gpt3.yaml");
  const auto* replay = scenario.workload.get<workload::ReplayParams>();
  REQUIRE(replay != nullptr);
  CHECK(replay->trace == data + "/power/mlperf_smc_h100/gpt3_64node_run0_ac.csv");
  CHECK(scenario.workload.contains_leakage());
  CHECK(scenario.duration_s == 3412.0);
  CHECK(scenario.cooling.loops.front().supply_k == Approx(298.15));
  CHECK(scenario.cooling.water.front().supply_k == Approx(291.15));
  CHECK(scenario.cooling.loops.front().cdu_name == "cdu_121kw");
  CHECK(scenario.record.facility_s == 2.0);
  CHECK(scenario.record.racks_s == 15.0);
}

TEST_CASE("the resolved text of a scenario is the same scenario without library, base and overrides", "[scenario]") {
  const Scenario scenario =
      read_scenario(scenarios / "one_rack.yaml", {"hall.racks.with.units.gpu.with.leakage_slope=3 W/K"});
  const tests::TemporaryFolder folder;
  const Scenario again = read_scenario(write(folder, "elsewhere.yaml", scenario.resolved_text));
  CHECK(again.resolved_text == scenario.resolved_text);
  CHECK(again.cooling.loops.front().cdu_name == "cdu_121kw");
  const auto& plate =
      std::any_cast<const physics::ColdPlate::Params&>(again.racks.front().hardware.units.front().spec.params);
  CHECK(plate.leakage_w_per_k == 3.0);
}

TEST_CASE("single values of a device are changed in the scenario or on the command line", "[scenario]") {
  const Scenario scenario =
      read_scenario(scenarios / "one_rack.yaml", {"hall.racks.with={ nameplate: 9 kW, units: { gpu: { count: "
                                                  "4, with: { die_to_plate_conductance: 45 W/K } } } }",
                                                  "hall.cooling.loops.with.pump.efficiency=60 %"});
  CHECK(scenario.racks.front().hardware.nameplate_w == 9000.0);
  CHECK(scenario.racks.front().hardware.units.front().count == 4);
  const auto& plate =
      std::any_cast<const physics::ColdPlate::Params&>(scenario.racks.front().hardware.units.front().spec.params);
  CHECK(plate.die_to_plate_w_per_k == 45.0);
  CHECK(plate.die_heat_capacity_j_per_k == 60.0);
  CHECK(scenario.cooling.loops.front().pump.efficiency_fraction == Approx(0.6));
}

TEST_CASE("hardware beside the scenario comes before the library", "[scenario]") {
  const tests::TemporaryFolder folder;
  write(folder, "hardware/ups_97.yaml",
        "kind: ups\nrated_power: { value: 55 kW, source: derived }\nconstant_loss: { value: 0, source: derived }\n"
        "linear_loss: { value: 5 %, source: derived }\nquadratic_loss: { value: 0, source: derived }\n");
  const auto file = write(folder, "mine.yaml", "extends: " + (scenarios / "one_rack.yaml").string() + "\n");
  CHECK(read_scenario(file).power.ups.rated_w == 55e3);
}

TEST_CASE("a library value without a source is a problem", "[scenario]") {
  const tests::TemporaryFolder folder;
  write(folder, "hardware/mine.yaml",
        "kind: pdu\nrated_power: 100 kW\nconstant_loss: { value: 0, source: derived }\n"
        "quadratic_loss: { value: 0, source: derived }\n");
  const auto file =
      write(folder, "mine.yaml",
            "extends: " + (scenarios / "one_rack.yaml").string() + "\npower: { pdus: { hardware: mine } }\n");
  CHECK_THROWS_WITH(read_scenario(file),
                    Catch::Contains("hardware/mine.yaml:2:14: rated_power: '100 kW' names no source"));
}

TEST_CASE("a source of the library is a key of the bibliography, or of the library's own", "[scenario]") {
  const tests::TemporaryFolder folder;
  const auto with_source = [&](const std::string& source) {
    write(folder, "hardware/mine.yaml",
          "kind: pdu\nrated_power: { value: 100 kW, source: " + source +
              " }\nconstant_loss: { value: 0, source: derived }\nquadratic_loss: { value: 0, source: derived }\n");
    return write(folder, "mine.yaml",
                 "extends: " + (scenarios / "one_rack.yaml").string() + "\npower: { pdus: { hardware: mine } }\n");
  };
  const std::string place = "hardware/mine.yaml:2:39: ";
  CHECK_THROWS_WITH(read_scenario(with_source("banana")),
                    Catch::Contains(place + "source 'banana' is not a key of the bibliography") &&
                        Catch::Contains("references.bib beside its folder hardware/"));
  CHECK_THROWS_WITH(read_scenario(with_source("incropera2012")), Catch::Contains("did you mean 'incropera2011'?"));
  CHECK_THROWS_WITH(read_scenario(with_source("[derived, banana]")),
                    Catch::Contains("hardware/mine.yaml:2:49: source 'banana' is not a key of the bibliography"));
  CHECK_THROWS_WITH(read_scenario(with_source("[]")), Catch::Contains("names no source"));
  CHECK_THROWS_WITH(read_scenario(with_source("")), Catch::Contains("names no source"));
  CHECK(read_scenario(with_source("engineering_estimate")).power.pdu.rated_w == 100e3);
  CHECK(read_scenario(with_source("[derived, incropera2011]")).power.pdu.rated_w == 100e3);
  write(folder, "references.bib", "@misc{banana,\n  title = {A fruit},\n}\n");
  CHECK(read_scenario(with_source("banana")).power.pdu.rated_w == 100e3);
}

TEST_CASE("null removes what an extended file says, and what is then missing is reported", "[scenario]") {
  const tests::TemporaryFolder folder;
  const auto with = [&](const std::string& text) {
    return write(folder, "mine.yaml", "extends: " + (scenarios / "one_rack.yaml").string() + "\n" + text);
  };
  CHECK(read_scenario(with("title: null\n")).title == "mine");
  CHECK(read_scenario(with("hall: { cooling: { loops: { pump_speed: null } } }\n"))
            .cooling.loops.front()
            .pump_speed_fraction == 1.0);
  const Scenario short_one = read_scenario(with("title: null\nevents: ~\n"), {"hall.cooling.loops.pump_speed=null"});
  CHECK(short_one.cooling.loops.front().pump_speed_fraction == 1.0);
  CHECK(short_one.resolved_text.find("pump_speed") == std::string::npos);
  CHECK_THROWS_WITH(read_scenario(with("duration: null\n")), Catch::Contains("mine.yaml:2:1: duration: no value"));
  const auto plain = write(folder, "plain.yaml", "format: 1\ntitle:\n");  // nothing was said before
  CHECK_THROWS_WITH(read_scenario(plain), Catch::Contains("plain.yaml:2:1: title: no value"));
}

TEST_CASE("events are read in the unit of their setting and sorted by time", "[scenario]") {
  const Scenario scenario =
      read_scenario(scenarios / "one_rack.yaml",
                    {"events=[{ at: 30 min, set: loop_*.supply_temperature, by: +8 K, over: 10 min, for: 15 min }, "
                     "{ at: 60 s, fail: [cdu_1.pump_a, door_1] }, { at: 20 min, set: loop_1.supply_temperature, to: 40 "
                     "degC }]"});
  REQUIRE(scenario.events.size() == 3);
  CHECK(scenario.events[0].at_s == 60.0);
  CHECK(scenario.events[0].kind == EventSpec::Kind::fail);
  CHECK(scenario.events[0].targets == Texts{"cdu_1.pump_a", "door_1"});
  CHECK(scenario.events[1].to_si == Approx(313.15));
  CHECK_FALSE(scenario.events[1].by_si);
  CHECK(scenario.events[2].by_si == Approx(8.0));
  CHECK(scenario.events[2].over_s == 600.0);
  CHECK(scenario.events[2].for_s == 900.0);
}

TEST_CASE("what is recorded of GPUs is named by patterns, too, each once", "[scenario]") {
  const auto fields = [](const std::string& list) {
    return read_scenario(scenarios / "one_rack.yaml", {"record.gpus.fields=" + list}).record.gpu_fields;
  };
  CHECK(fields("['*_temperature', power, die_temperature]") == Texts{"die_temperature", "plate_temperature", "power"});
  CHECK_THROWS_WITH(fields("['*_presure']"), Catch::Contains("'*_presure' cannot be recorded of a GPU"));
}

TEST_CASE("mistakes in a scenario are reported with what was expected", "[scenario][errors]") {
  const auto check = [](const std::string& override_text, const std::string& expected) {
    INFO(override_text);
    CHECK(problems_of({override_text}) == Texts{expected});
  };
  SECTION("values") {
    check("hall.cooling.loops.volume=3 kg",
          "volume: '3 kg' is in kg, expected m3 | Coolant volume in pipes and manifolds of one loop, half in the "
          "supply and half in the return.");
    check("hall.cooling.loops.volume=3", "volume: '3' has no unit, expected m3 | write '3 m3'");
    check("hall.racks.nodes=0", "nodes: '0' is out of range, expected at least 1 | Number of nodes in each rack.");
    check(
        "hall.racks.gpu_spread=non",
        "hall.racks.gpu_spread is 'non', expected none or a map | write { resistance: 7 %, flow: 5 %, leakage: 10 % }");
    check("hall.racks.gpu_spread.flow=40 %",
          "flow is a standard deviation of more than 30 % of the mean | write a smaller spread: with this spread the "
          "lowest values would be nearly 0");
    check("hall.racks.gpu_spread.flo=4 %", "hall.racks.gpu_spread has no parameter 'flo' | did you mean 'flow'?");
    check("hall.racks.count=0", "count: '0' is out of range, expected at least 1 | Number of racks of this kind.");
    check("hall.racks.nodez=8", "hall.racks has no parameter 'nodez' | did you mean 'nodes'?");
    check("hall.racks.rows=2",
          "there are more rows (2) than racks (1) | every row needs at least one rack; count is in one_rack.yaml:14");
    check("hall.cooling.loops.count=2",
          "there are more loops (2) than racks (1) | every loop needs at least one rack: give fewer loops");
    check("format=2", "format 2 is not known | this Wattloop reads format 1");
    check("start=tomorrow", "start: 'tomorrow' is not a time | write local standard time as in 2026-07-15T00:00:00");
    check("record.gpus.fields=[die_temprature]",
          "'die_temprature' cannot be recorded of a GPU | did you mean 'die_temperature'?");
  }
  SECTION("hardware") {
    check("hall.cooling.loops.pumps=2",
          "hall.cooling.loops has no parameter 'pumps' | this key belongs to the cdu: write with: { pumps: ... } "
          "beside `hardware` to change the value");
    check("hall.cooling.loops.hardware=cdu_121kv",
          "the library has no hardware 'cdu_121kv' | did you mean 'cdu_121kw'?");
    check("hall.cooling.loops.hardware=ups_97",
          "'ups_97' is hardware of kind ups, expected cdu | A coolant distribution unit: plate heat "
          "exchanger, valve, pumps.");
    check("hall.cooling.loops.with.pump.eficiency=50 %",
          "cdu.pump has no parameter 'eficiency' | did you mean 'efficiency'?");
    check("hall.cooling.loops.with=3", "with is '3', expected a map of values to change | ");
    check("hall.racks.with.units.gpu.liquid_share=0.5", "liquid_share of all units is 0.77, expected 1 | ");
    check("hall.racks.with.units.gpu.liquid_share=0",
          "unit 'gpu' has no share of the liquid | a cold_plate gives heat to it: set liquid_share");
    check("hall.racks.with.units.gpu.air_share=0.5",
          "unit 'gpu' has a share of air | a cold_plate gives no heat to it: delete air_share");
    check("hall.racks.with.units.gpu.hardware=ups_97",
          "'ups' is no kind of unit | known: cold_plate, node_rest, air_part, immersion_tank, heat_sink");
    check(
        "hall.racks.with.units.gpu.hardware=hgx_h100_rest",
        "unit 'gpu' is a node_rest, which has no die_temperature | expected hardware of a kind with a die: cold_plate, "
        "immersion_tank, heat_sink");
    check("hall.racks.with.units.gpu.with.kind=cold_plat",
          "'cold_plat' is no kind of unit | did you mean 'cold_plate'?");
  }
  SECTION("workload") {
    check("workload.kind=trainng",
          "kind: 'trainng' is unknown, expected one of training, transformer, replay, constant, burn_in | did you mean "
          "'training'?");
    check("workload={ kind: replay }",
          "workload needs 'trace' | a text: CSV file: a column of times, then one column of power for "
          "each node, rack or GPU.");
    check("workload={ kind: replay, trace: /nowhere/none.csv }",
          "trace: '/nowhere/none.csv': no such file | a trace is looked for relative to the file that names it");
  }
  SECTION("events") {
    check("events=[{ at: 2 h, fail: cdu_1 }]", "event after 2 h, but the run ends after 1 h | ");
    check("events=[{ at: 2 min }]",
          "event does nothing | write one of: fail, restore, open, close, set, stick, clog, slow, drain, resume");
    check(
        "events=[{ at: 2 min, fail: cdu_1, restore: cdu_2 }]",
        "event does several things | write one of: fail, restore, open, close, set, stick, clog, slow, drain, resume");
    check("events=[{ fail: cdu_1 }]",
          "event needs 'at' | Time after the start; or a local time, 18:00 or 2026-07-15T18:00: the event is at the "
          "next such time.");
    check("events=[{ at: 2 min, set: loop_1.suply_temperature, by: 8 K }]",
          "'loop_1.suply_temperature' is not a setting | did you mean 'loop_1.supply_temperature'?");
    check("events=[{ at: 1 min, set: supply_temperature, to: 36 degC }]",
          "'supply_temperature' is not a setting | write the component, too: COMPONENT.supply_temperature");
    check("events=[{ at: 2 min, set: loop_1.supply_temperature, by: 8 degC }]",
          "by: '8 degC' is a temperature, expected a difference in K | write '8 K'");
    check("events=[{ at: 2 min, set: loop_1.supply_temperature }]",
          "the event `set` has no value | write one of: to (the new value), by (the change)");
    check("events={ at: 2 min }", "events is a map, expected a list of events | ");
  }
}

TEST_CASE("all mistakes of a scenario are reported at once, in the order of the file", "[scenario][errors]") {
  CHECK(error_of_text(R"(format: 1
extends: one_rack.yaml
duration: 1 h
hall:
  racks: { nodes: 0, count: eight }
  cooling:
    loops: { suply_temperature: 32 degC, volume: 60 kg }
    loops: { count: 2 }
workload: { kind: replay, trace: traces/none.csv }
)") == R"(bad.yaml:5:19: nodes: '0' is out of range, expected at least 1
    5 |   racks: { nodes: 0, count: eight }
      |                   ^
      = Number of nodes in each rack.
bad.yaml:5:29: count: 'eight' is not a whole number
    5 |   racks: { nodes: 0, count: eight }
      |                             ^
      = Number of racks of this kind.
bad.yaml:7:14: hall.cooling.loops has no parameter 'suply_temperature'
    7 |     loops: { suply_temperature: 32 degC, volume: 60 kg }
      |              ^
      = did you mean 'supply_temperature'?
bad.yaml:7:50: volume: '60 kg' is in kg, expected m3
    7 |     loops: { suply_temperature: 32 degC, volume: 60 kg }
      |                                                  ^
      = Coolant volume in pipes and manifolds of one loop, half in the supply and half in the return.
bad.yaml:8:5: duplicate key 'loops'
    8 |     loops: { count: 2 }
      |     ^
      = first given in line 7
bad.yaml:9:34: trace: 'traces/none.csv': no such file
    9 | workload: { kind: replay, trace: traces/none.csv }
      |                                  ^
      = a trace is looked for relative to the file that names it
6 problems in bad.yaml)");
}

TEST_CASE("files that are no scenario are refused as a whole", "[scenario][errors]") {
  CHECK(error_of_text("") == R"(bad.yaml: the file is empty
      = expected keys and values, such as 'duration: 2 h'
1 problem in bad.yaml)");
  CHECK(error_of_text("hall: [1, 2") == R"(bad.yaml:1:12: not valid YAML: end of sequence flow not found
    1 | hall: [1, 2
      |            ^
      = a '[' has no ']'
1 problem in bad.yaml)");
  CHECK(error_of_text("extends: one_rak.yaml\nduration: 2 h\n") ==
        R"(bad.yaml:1:10: 'one_rak.yaml': no such file
    1 | extends: one_rak.yaml
      |          ^
      = did you mean 'one_rack.yaml'?
1 problem in bad.yaml)");
  CHECK_THROWS_WITH(read_scenario(scenarios / "no_rack.yaml"), Catch::Contains("no_rack.yaml: no such file"));

  const tests::TemporaryFolder folder;
  const auto binary = write(folder, "binary.yaml", std::string("\x89HDF\r\n\x1a\n\0\0\0", 11));
  CHECK_THROWS_WITH(read_scenario(binary), Catch::Contains("this is an HDF5 file, expected YAML"));
}

TEST_CASE("a scenario that says next to nothing is answered with what it needs", "[scenario][errors]") {
  Texts messages;
  try {
    read_scenario_text("title: Nothing\n", scenarios / "bad.yaml");
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) messages.push_back(problem.message);
  }
  CHECK(messages == Texts{"scenario needs 'format'", "scenario needs 'duration'", "scenario needs 'hall'",
                          "scenario needs 'power'", "scenario needs 'workload'"});
}

TEST_CASE("runs longer than a day have no more rows than those of a day, unless somebody asks", "[scenario]") {
  const Scenario week =
      read_scenario(scenarios / "h100_10k.yaml", std::vector<std::string>{"duration=6.5 d", "record=null"});
  CHECK(week.record.facility_s == 7.0);
  CHECK(week.record.racks_s == 105.0);
  CHECK(week.record.gpus_s == 420.0);
  const Scenario asked =
      read_scenario(scenarios / "h100_10k.yaml",
                    std::vector<std::string>{"duration=7 d", "record={facility: 5 s, gpus: {every: 1 min}}"});
  CHECK(asked.record.facility_s == 5.0);
  CHECK(asked.record.racks_s == 105.0);
  CHECK(asked.record.gpus_s == 60.0);
  CHECK(read_scenario(scenarios / "h100_10k.yaml", std::vector<std::string>{"record=null"}).record.racks_s == 15.0);
}
