// Groups of racks and technology loops by name: what stands where, what hangs on what, and what of it cannot be meant.
#include "tests/support/catch.hpp"

#include <map>

#include "core/text/problem.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path beside_scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "own.yaml";

/// A hall of two kinds of loop on two waters, with that instead of its racks and cooling where it is given.
std::string hall(const std::string& racks, const std::string& cooling = R"(
    loops:
      warm: { cdus: 2, hardware: cdu_1370kw, supply_temperature: 32 degC, volume: 3 m3, on: facility }
      hot: { count: 2, cdus: 1, hardware: cdu_121kw, supply_temperature: 40 degC, volume: 300 L, on: dry }
    facility: { supply_temperature: 24 degC }
    water: { dry: { supply_temperature: 34 degC } }
    rear_doors: { hardware: rdhx_35kw, supply_temperature: 20 degC })") {
  return "format: 1\nduration: 10 min\nworkload: { kind: constant }\nhall:\n  racks:\n" + racks +
         "  cooling:" + cooling +
         R"(
    room: { volume: 900 m3 }
power:
  transformers: { count: 1, hardware: transformer_2500kva }
  ups: { modules: 1, hardware: ups_1500kw }
  pdus: { count: 2, hardware: pdu_1mva }
)";
}

const std::string two_groups = R"(
    a: { count: 5, rows: [3, 2], nodes: 8, hardware: hgx_h100_liquid, on: { coolant: warm } }
    b: { count: 4, rows: 2, nodes: 1, hardware: hgx_h100_liquid, on: { coolant: hot, door: none } }
)";

Scenario read(const std::string& text) { return read_scenario_text(text, beside_scenarios); }

/// What is wrong with it: "line: message | hint".
std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> texts;
  try {
    build_plant(read(text));
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems())
      texts.push_back(std::to_string(problem.place.line) + ": " + problem.message + " | " + problem.hint);
  }
  return texts;
}

void check_reported(const std::string& racks, const std::string& reported) {
  INFO(racks);
  const std::vector<std::string> problems = problems_of(hall(racks));
  CHECK(std::count(problems.begin(), problems.end(), reported) == 1);
  if (std::count(problems.begin(), problems.end(), reported) != 1) {
    for (const std::string& problem : problems) UNSCOPED_INFO(problem);
    CHECK(problems.empty());
  }
}

}  // namespace

TEST_CASE("groups of racks stand in rows of their own and hang on the loops that they name", "[groups]") {
  const Scenario scenario = read(hall(two_groups));
  const RackPlan plan = plan_racks(scenario);
  std::vector<std::string> loops, racks;
  for (const PlannedLoop& loop : plan.loops) loops.push_back(loop.name);
  CHECK(loops == std::vector<std::string>{"warm", "hot_1", "hot_2"});
  for (const PlannedRack& rack : plan.racks) racks.push_back(rack.name + " " + loops[*rack.loop]);
  CHECK(racks == std::vector<std::string>{"row_1.rack_1 warm", "row_1.rack_2 warm", "row_1.rack_3 warm",
                                          "row_2.rack_1 warm", "row_2.rack_2 warm", "row_3.rack_1 hot_1",
                                          "row_3.rack_2 hot_1", "row_4.rack_1 hot_2", "row_4.rack_2 hot_2"});
  CHECK(plan.racks[4].doors);
  CHECK_FALSE(plan.racks[5].doors);
}

TEST_CASE("nodes and GPUs of groups are counted through the hall, group by group", "[groups]") {
  const Plant plant = build_plant(read(hall(two_groups)));
  REQUIRE(plant.it.groups.size() == 2);
  CHECK(plant.it.node_count() == 5 * 8 + 4);
  CHECK(plant.it.gpu_count() == 8 * (5 * 8 + 4));
  CHECK(plant.it.racks[5].first_node == 40);
  CHECK(plant.it.racks[6].first_gpu == 8 * 41);
  CHECK(gpu_name(plant, 0) == "row_1.rack_1.node_1.gpu_1");
  CHECK(gpu_name(plant, 8 * 40 - 1) == "row_2.rack_2.node_8.gpu_8");
  CHECK(gpu_name(plant, 8 * 40) == "row_3.rack_1.node_1.gpu_1");
  CHECK(plant.layout.name(die_slot(plant, 8 * 43 + 7)) == "row_4.rack_2.node_1.gpu_8.die_temperature");
  CHECK(plant.doors.size() == 5);
  std::map<std::string, std::string> cdu_on;
  for (const NamedPart& part : plant.named) {
    if (part.kind == "CDU") cdu_on[part.name] = part.hangs_on.at(0) + " " + part.hangs_on.at(1);
  }
  CHECK(cdu_on ==
        std::map<std::string, std::string>{
            {"cdu_1", "warm facility"}, {"cdu_2", "warm facility"}, {"cdu_3", "hot_1 dry"}, {"cdu_4", "hot_2 dry"}});
}

TEST_CASE("what an extended file says of one group is taken back for groups by name", "[groups]") {
  const std::string own =
      "extends: h100_10k.yaml\nformat: 1\nduration: 1 min\nhall:\n  racks: { count: null, rows: null, nodes: "
      "null, hardware: null, a: { count: 8, rows: 2, nodes: 8, hardware: hgx_h100_liquid } }\n";
  const Scenario scenario = read(own);
  REQUIRE(scenario.racks.size() == 1);
  CHECK(scenario.racks.front().name == "a");
  CHECK(scenario.racks.front().count == 8);
}

TEST_CASE("work of a group is held to what work may be", "[groups]") {
  check_reported(
      "    a: { count: 4, nodes: 8, hardware: hgx_h100_liquid, on: { coolant: warm }, workload: { kind: training, "
      "noise_interval: 1 ns } }\n    b: { count: 4, nodes: 1, hardware: hgx_h100_liquid, on: { coolant: hot } }\n",
      "6: noise_interval is too short: a sample of 1 s contains 1e+09 noise intervals | write a longer interval: a "
      "sample may "
      "contain at most 1e+06 intervals");
}

TEST_CASE("what racks hang on is reported where it cannot be meant", "[groups]") {
  const std::string rest = "    b: { count: 4, nodes: 1, hardware: hgx_h100_liquid, on: { coolant: hot } }\n";
  const auto a = [&](const std::string& keys) {
    return "    a: { nodes: 8, hardware: hgx_h100_liquid, " + keys + " }\n" + rest;
  };
  check_reported(a("count: 4, on: { coolant: wram }"), "6: there is no technology loop 'wram' | did you mean 'warm'?");
  check_reported(a("count: 4"),
                 "6: the hall has 2 technology loops, and no key connects the racks of a to one of them | write on: { "
                 "coolant: warm }, or on: { coolant: hot }");
  check_reported(a("count: 4, on: { coolant: warm, door: rear_dors }"),
                 "6: there is no door 'rear_dors' | did you mean 'rear_doors'?");
  check_reported(a("count: 4, rows: [2, 3], on: { coolant: warm }"),
                 "6: rows hold 5 racks, but there are 4 | a list gives the racks of each row; count is in column 54");
  check_reported(
      a("count: 4, rows: 5, on: { coolant: warm }"),
      "6: there are more rows (5) than racks (4) | every row needs at least one rack; count is in column 54");
  check_reported(
      rest,
      "9: no racks are connected to warm | write `on: { coolant: warm }` under a group of racks, or delete the loop");
  check_reported(a("count: 4, on: { coolant: warm, room: hall }"),
                 "6: there is no room 'hall' | the hall has one room: delete the key `room`");
  check_reported(a("count: 4, on: { coolant: warm, power: c }"), "6: there is no power block 'c' | known: a");
}

TEST_CASE("what loops and air hang on is reported where it cannot be meant", "[groups]") {
  const std::string racks = "    count: 4\n    nodes: 8\n    hardware: hgx_h100_liquid\n";
  const auto reported = [&](const std::string& cooling, const std::string& text) {
    const std::vector<std::string> problems = problems_of(hall(racks, "\n" + cooling));
    INFO(cooling);
    for (const std::string& problem : problems) UNSCOPED_INFO(problem);
    CHECK(std::count(problems.begin(), problems.end(), text) == 1);
  };
  const std::string doors = "    rear_doors: { hardware: rdhx_35kw, supply_temperature: 20 degC }";
  const auto loops = [](const std::string& keys) {
    return "    loops: { hardware: cdu_1370kw, supply_temperature: 32 degC, volume: 3 m3" + keys + " }\n";
  };
  const std::string facility = "    facility: { supply_temperature: 24 degC }\n";
  const std::string dry = "    water: { dry: { supply_temperature: 30 degC } }\n";
  reported(facility + doors, "6: the racks have no technology loop | this hall has no technology loop");
  reported(loops("") + doors, "10: the technology loops have no water system | this hall has no water system");
  reported(loops("") + facility + dry + doors,
           "10: the hall has 2 water systems, and no key connects the technology loops to one of them | write on: "
           "facility, or on: dry");
  reported(loops(", on: dyr") + facility + dry + doors, "10: there is no water system 'dyr' | did you mean 'dry'?");
  reported(
      loops(", on: facility") + facility + dry + doors,
      "12: nothing is connected to the water of dry | write `on: dry` under technology loops, or delete this water");
  reported(loops(", on: dry") + facility +
               "    water: { towers: { supply_temperature: 30 degC }, dry: { supply_temperature: 30 degC } }\n" + doors,
           "12: the hall has a 'towers' already | choose a name that is not used yet");
  const auto named = [](const std::string& name, const std::string& keys) {
    return "    loops: { " + name + ": { hardware: cdu_1370kw, supply_temperature: 32 degC, volume: 3 m3" + keys +
           " } }\n";
  };
  reported(named("cdu_1", "") + facility + doors,
           "10: the hall has a 'cdu_1' already | choose a name that is not used yet");
  reported(named("warm", ", count: 5") + facility + doors,
           "10: there are more loops (5) than racks (4) | every loop needs at least one rack: give fewer loops");
  reported(
      "    loops: { hot: { count: 2, hardware: cdu_1370kw, supply_temperature: 32 degC, volume: 3 m3 }, hot_1: { "
      "hardware: "
      "cdu_1370kw, supply_temperature: 32 degC, volume: 3 m3 } }\n" +
          facility + doors,
      "10: the hall has a 'hot_1' already | in column 19; choose a name that is not used yet");
  reported(loops("") + facility.substr(0, facility.size() - 1),
           "6: nothing cools the air of the racks | hall.cooling needs crahs or rear_doors");
  reported(loops("") + facility + "    crahs: { count: 2, hardware: crah_252kw }",
           "10: air handlers have no water | hall.cooling needs chilled_water, or rear_doors");
}
