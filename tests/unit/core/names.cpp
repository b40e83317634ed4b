// Racks, nodes and GPUs are names wherever something is named, in any number: one resolver of names serves events and maps of measurements.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/comparison/telemetry_map.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/run/recording/series_recorder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::twin;

namespace {

const std::filesystem::path hall_10k = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/h100_10k.yaml";

/// What the reference hall records, and what it says of a map.
class Hall {
 public:
  TelemetryMap read(const std::string& series) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "map.yaml";
    std::ofstream(file) << "time: { column: t, unit: s }\nseries:\n" << series;
    problems = {};
    return read_telemetry_map(read_document(file, problems), tables_, problems);
  }

  Problems problems;

 private:
  const Scenario scenario_ = read_scenario(hall_10k, {});
  const Plant plant_ = build_plant(scenario_);
  const std::vector<TableSpec> tables_ = recorded_specs(plant_, scenario_.record);
};

/// What is wrong with one event in the reference hall: "message | hint".
std::vector<std::string> mistakes_of(const std::string& event) {
  std::vector<std::string> texts;
  try {
    const Scenario scenario = read_scenario(hall_10k, {"events=[{at: 1 s, " + event + "}]"});
    Problems problems;
    schedule_events(scenario, build_plant(scenario), problems);
    problems.throw_if_any("it");
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) texts.push_back(problem.message + " | " + problem.hint);
  }
  return texts;
}

}  // namespace

TEST_CASE("a star in a map of measurements stands for the same text in both names", "[names][compare]") {
  Hall hall;
  const TelemetryMap map = hall.read(
      "  - { column: 'R*-* kW', recorded: 'row_*.rack_*.it_power', unit: kW }\n"
      "  - { column: 'die *', recorded: 'gpus/row_2.rack_3.node_4.gpu_*.die_temperature', unit: degC }\n"
      "  - { column: '*', recorded: facility.power, unit: kW }\n");
  for (const Problem& problem : hall.problems.all()) UNSCOPED_INFO(problem.message);
  REQUIRE(hall.problems.empty());
  REQUIRE(map.series.size() == 160 + 8 + 1);
  CHECK(map.series[0].column == "R1-1 kW");
  CHECK(map.series[22].column == "R2-3 kW");
  CHECK(map.series[22].recorded == "row_2.rack_3.it_power");
  CHECK(map.series[22].series.item == 22);
  CHECK(map.series[160 + 4].column == "die 5");
  CHECK(map.series[160 + 4].series.item == (22 * 8 + 3) * 8 + 4);
  CHECK(map.series[168].column == "*");  // a column may be called that
  hall.read("  - { column: 'all racks', recorded: 'row_*.rack_*.it_power', unit: kW }\n");
  REQUIRE(hall.problems.size() == 1);
  CHECK(hall.problems.all().front().message ==
        "'row_*.rack_*.it_power' matches 160 series, but 'all racks' does not match so many");
}

// 26 s on two cores while every name of the hall was compared with every wrong one, printed or not: three thousand names as these.
TEST_CASE("of many wrong names in a map only those are compared with all others that are printed", "[names][compare]") {
  Hall hall;
  std::string series;
  for (int k = 0; k < 300; ++k)
    series += fmt::format("  - {{ column: c{0}, recorded: row_1.rack_1.node_1.gpu_{0}.die_temperature, unit: degC }}\n",
                          k + 9);
  hall.read(series);
  REQUIRE(hall.problems.size() == 300);
  for (std::size_t k = 0; k < 300; ++k) CHECK(hall.problems.all()[k].hint.empty() == (k >= most_reported_problems));
  CHECK(hall.problems.all().front().hint == "did you mean 'row_1.rack_1.node_1.gpu_1'?");
}

TEST_CASE("racks, nodes and GPUs are known to events, whatever does not happen to them", "[names][events]") {
  using Texts = std::vector<std::string>;
  for (const std::string event : {"fail: row_1.rack_3.node_2.gpu_5", "restore: row_1.rack_3.node_2",
                                  "fail: row_1.rack_3.node_*", "slow: row_1.rack_3.node_2.gpu_*, to: 80 %"})
    CHECK(mistakes_of(event) == Texts{});
  CHECK(mistakes_of("slow: row_1.rack_3.node_2.gpu_9, to: 80 %") ==
        Texts{"this hall has no GPU 'row_1.rack_3.node_2.gpu_9' | did you mean 'row_1.rack_3.node_2.gpu_1'?"});
  CHECK(mistakes_of("stick: row_1.rack_3.node_2.gpu_5").size() == 1);
  CHECK(mistakes_of("open: row_1.rack_3.node_2") ==
        Texts{"'row_1.rack_3.node_2' cannot be opened or closed: it is not a source, a branch of the power tree or a "
              "rack of this hall | 'row_1.rack_3.node_2' is a node: this event does not exist for that kind of part"});
  for (const std::string node : {"node_2", "node_*"}) {
    CHECK(
        mistakes_of("fail: row_1.rack_3." + node + ".fans") ==
        Texts{
            "this hall has no component 'row_1.rack_3." + node +
            ".fans' that can fail | all nodes of a rack share its air and its fan speed: write 'row_1.rack_3.fans', "
            "the fans of all its nodes; to let the fans of a single node fail, write a rack of one node, `nodes: 1`"});
  }
  CHECK(mistakes_of("open: cdu_1") ==
        Texts{"'cdu_1' cannot be opened or closed: it is not a source, a branch of the power tree or a rack of this "
              "hall | possible events there: stick: cdu_1.valve, clog: cdu_1, fail: cdu_1"});
  const std::string alone =
      "has no effect in a hall without a queue of jobs | write jobs: { queue: [...] } instead of `workload`";
  CHECK(mistakes_of("drain: row_1.rack_3.node_2") == Texts{"drain " + alone});
  CHECK(mistakes_of("resume: cdu_1") == Texts{"resume " + alone,
                                              "'cdu_1' cannot be drained: it is not a node or rack of this hall | "
                                              "possible events there: stick: cdu_1.valve, clog: cdu_1, fail: cdu_1"});
  CHECK(mistakes_of("drain: row_1.rack_3.node_2, to: 50 %").size() == 1);
  CHECK(mistakes_of("clog: row_1.rack_21.coolant, to: 50 %") ==
        Texts{"this hall has no 'row_1.rack_21.coolant' with a passage | did you mean 'row_1.rack_1.coolant'?"});
}
