// `wattloop import feeder`: tables of buses and branches become a scenario that runs, and every inconsistency is named.
#include <filesystem>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

void write_lists(const WorkFolder& folder, const std::string& buses, const std::string& branches) {
  std::filesystem::create_directories(folder / "lists");
  folder.write("lists/buses.csv", buses);
  folder.write("lists/branches.csv", branches);
}

}  // namespace

TEST_CASE("tables of a feeder become a scenario that check takes", "[cli][import]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  write_lists(folder, "bus,base_kV,is_source,load_kW,load_kvar,zone\n1,20,1,,,n\nMill,20,0,300,100,n\n3,20,0,0,-50,s\n",
              "from,to,r_ohm,x_ohm,closed,rated_A\n1,Mill,0.4,0.3,1,250\nMill,3,0.5,0.4,1,\n1,3,0.6,0.4,0,\n");
  const Outcome outcome = folder.run({"import", "feeder", "lists", "-o", "feeder.yaml"});
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.output == "feeder.yaml: 3 buses, 3 branches; wattloop run feeder.yaml\n");
  CHECK_THAT(outcome.errors, Contains("note: buses.csv: column 'zone' is not read"));
  CHECK_THAT(outcome.errors, Contains("note: bus 3: its load has only reactive power; 1 W of active power is added"));
  const std::string text = file_text(folder / "feeder.yaml");
  CHECK_THAT(
      text,
      Contains(
          "line_1_Mill: { between: [bus_1, Mill], resistance: 0.4 ohm, reactance: 0.3 ohm, rated_current: 250 A }"));
  CHECK_THAT(text,
             Contains("line_1_3: { between: [bus_1, bus_3], resistance: 0.6 ohm, reactance: 0.4 ohm, open: true }"));
  CHECK_THAT(text, Contains("load_Mill: { bus: Mill, power: 300000 W, reactive_power: 100000 VA }"));
  CHECK(folder.run({"check", "feeder.yaml"}).exit_code == 0);
  const Outcome again = folder.run({"import", "feeder", "lists", "-o", "feeder.yaml", "-q"});
  CHECK(again.exit_code == 0);  // its own file
  CHECK(again.errors.empty());
}

TEST_CASE("every inconsistency of tables of a feeder is named, and nothing is written", "[cli][import]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  write_lists(folder, "bus,base_kV,is_source,load_kW\n1,20,0,\n2,twenty,0,-5\n2,20,maybe,\n",
              "from,to,r_ohm,x_ohm\n1,22,0.4,0.3\n2,2,,0.3\n");
  const Outcome outcome = folder.run({"import", "feeder", "lists", "-o", "feeder.yaml"});
  CHECK(outcome.exit_code == 1);
  for (const char* message : {"lists/buses.csv:3:3: base_kV: 'twenty' is no number", "load_kW: '-5' is too small",
                              "lists/buses.csv:4:1: '2' is listed twice, as bus_2", "is_source: 'maybe'",
                              "lists/branches.csv:2:3: there is no bus '22'", "known: 1, 2",
                              "lists/branches.csv:3:3: from bus bus_2 to itself", "a branch without a resistance"})
    CHECK_THAT(outcome.errors, Contains(message));
  CHECK_FALSE(std::filesystem::exists(folder / "feeder.yaml"));
  write_lists(folder, "bus,base_kV,is_source\n1,20,0\n", "from,to,r_ohm\n");
  const Outcome without = folder.run({"import", "feeder", "lists", "-o", "feeder.yaml"});
  CHECK(without.exit_code == 1);
  CHECK_THAT(without.errors, Contains("needs a column 'x_ohm'"));
  CHECK(folder.run({"import", "feeder", "nowhere"}).exit_code == 1);
}

TEST_CASE("what contradicts the rest of a feeder is named where its table says it", "[cli][import]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto reported = [&](const std::string& buses, const std::string& branches) {
    write_lists(folder, buses, branches);
    const Outcome outcome = folder.run({"import", "feeder", "lists", "-o", "feeder.yaml"});
    CHECK(outcome.exit_code == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "feeder.yaml"));
    return outcome.errors;
  };
  CHECK_THAT(reported("bus,base_kV,is_source\n1,10,1\n2,20,0\n3,10,0\n",
                      "from,to,r_ohm,x_ohm,name\n1,2,0.4,0.3,c1\n1,3,0.4,0.3,c1\n"),
             Contains("lists/branches.csv:2:3: c1 joins bus_1 of 10 kV and bus_2 of 20 kV") &&
                 Contains("lists/branches.csv:3:13: 'c1' is listed twice"));
  CHECK_THAT(reported("bus,base_kV,is_source\n1,10,1\n2,10,0\n3,10,0\n4,10,0\n",
                      "from,to,r_ohm,x_ohm\n1,2,0.4,0.3\n3,4,0.4,0.3\n"),
             Contains("lists/buses.csv:4:1: no branch leads from a source to bus_3") &&
                 Contains("lists/buses.csv:5:1: no branch leads from a source to bus_4"));
  CHECK_THAT(reported("bus,base_kV,is_source\n1,12660,0\nhall_supply,10,0\n",
                      "from,to,r_ohm,x_ohm,name\n1,hall_supply,0.4,0.3,hall_supply\n"),
             Contains("base_kV: '12660' is too large") && Contains("no bus is a source") &&
                 Contains("'hall_supply' is the name of the hall's own bus") &&
                 Contains("'hall_supply' is a bus, too"));
  write_lists(folder, "bus,base_kV,is_source\nnull,10,1\ntrue,10,0\n", "from,to,r_ohm,x_ohm\nnull,true,0.4,0.3\n");
  REQUIRE(folder.run({"import", "feeder", "lists", "-o", "feeder.yaml"}).exit_code == 0);
  CHECK(folder.run({"check", "feeder.yaml"}).exit_code == 0);
}

TEST_CASE("a feeder whose voltage collapses ends with exit code 2 and names the bus", "[cli][import]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  write_lists(folder, "bus,base_kV,is_source,load_kW,load_kvar\n1,1,1,,\n2,1,0,3000,1200\n",
              "from,to,r_ohm,x_ohm,name\n1,2,0.02,0.2,one\n1,2,0.02,0.2,other\n");
  REQUIRE(folder.run({"import", "feeder", "lists", "-o", "feeder.yaml"}).exit_code == 0);
  CHECK(folder.run({"run", "feeder.yaml", "-o", "held.h5", "--set", "duration=1 min"}).exit_code == 0);
  const Outcome outcome = folder.run({"run", "feeder.yaml", "-o", "collapsed.h5", "--set", "duration=3 min", "--event",
                                      "at: 1 min, set: load_bus_2.power, to: 3.4 MW, over: 30 s"});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.errors,
             Contains("the loads are more than the lines can carry: the voltage of bus bus_2 collapses"));
}

TEST_CASE("curves of devices on a path are drawn of a scenario, and names of no device are refused", "[cli][diagram]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string ring = WATTLOOP_SOURCE_DIR "/scenarios/one_line/ring.yaml";
  const Outcome drawn =
      folder.run({"diagram", "time-current", ring, "--path", "cable_1, transformer_a", "-o", "curves.svg"});
  INFO(drawn.errors);
  REQUIRE(drawn.exit_code == 0);
  CHECK(drawn.output == "curves.svg: time over current of cable_1, transformer_a\n");
  const std::string svg = file_text(folder / "curves.svg");
  for (const char* text : {">cable_1: ", ">transformer_a: ", ">smallest ", ">largest ", "current at 400 V, kA"})
    CHECK_THAT(svg, Contains(text));
  const Outcome wrong = folder.run({"diagram", "time-current", ring, "--path", "cable_9,ups_a", "-o", "other.svg"});
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.errors, Contains("there is no 'cable_9'"));
  CHECK_THAT(wrong.errors, Contains("ups_a has no inverse-time curve"));
  CHECK(folder.run({"diagram", "time-current", ring, "--at", "end"}).exit_code == 1);
}
