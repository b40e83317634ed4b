// A rack whose leakage outgrows what a tenth of its coolant carries away, with nothing to protect it: runs of both integrators end
// with exit code 2 where coolant has left all that the equations hold for, and say what and when; earlier results stay as they are.
//
// At full flow a die gives 28 W/K to the coolant that enters (hardware/h100_sxm5_cold_plate.yaml), more than its leakage of
// 12 W/K takes: the start is steady. At a tenth the stream itself carries off no more than 0.1 x 55.8 W/K.

#include <algorithm>
#include <filesystem>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

const std::string runaway = "extends: " WATTLOOP_SOURCE_DIR R"(/scenarios/one_rack.yaml
duration: 1 h
hall:
  racks:
    with:
      protection: { enabled: false }
      units: { gpu: { with: { leakage_slope: 12 W/K } } }
events:
  - { at: 60 s, set: loop_1.pump_speed, to: 10 % }
)";

}  // namespace

// A die behind a bad interface, with nothing to protect it, is above 200 degC for four minutes only, from one look at single units
// to the next. Its rack's hottest die is reported all the time.
TEST_CASE("a die that is too hot between two looks at single units ends the run", "[cli][runaway]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("trace.csv", "t_s,node\n0,2400\n120,9000\n240,9000\n360,2400\n480,2400\n");
  folder.write("own.yaml", "extends: " WATTLOOP_SOURCE_DIR R"(/scenarios/one_rack.yaml
duration: 9 min
workload: { kind: replay, trace: trace.csv, meaning: node_ac, after_end: hold }
hall:
  racks:
    with:
      protection: { enabled: false }
      units: { gpu: { with: { die_to_plate_conductance: 3.4 W/K } } }
)");
  const std::string integrator = GENERATE(as<std::string>{}, "multirate", "monolithic");
  const Outcome outcome = folder.run({"run", "own.yaml", "--quiet", "--no-results", "--integrator", integrator});
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.errors, Contains("\nsolver failure: row_1.rack_1.node_") && Contains(".die_temperature is 2") &&
                                 Contains(" outside -60 degC to 200 degC: the models are not valid there\n"));
}

TEST_CASE("a thermal runaway ends the program with exit code 2 and says what and when", "[cli][runaway]") {
  const std::string integrator = GENERATE(as<std::string>{}, "multirate", "monolithic");
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", runaway);
  const Outcome outcome = folder.run({"run", "own.yaml", "--quiet", "--integrator", integrator});
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.output.empty());
  CHECK_THAT(outcome.errors, Contains("\nsolver failure: row_1.rack_1.") &&
                                 Contains(integrator == "multirate" ? " at 2 min 53 s" : " at 2 min 52 s") &&
                                 Contains(" s, outside -60 degC to 200 degC: the models are not valid there\n"));
  CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 2);
  const std::filesystem::path file = folder.partial_results();
  CHECK_THAT(outcome.errors,
             Contains("; the values recorded until then are in results/" + file.filename().string() + "\n"));
  {
    const wattloop::twin::ResultsReader partial(file);
    CHECK(partial.times_s("facility").back() > 60.0);
    CHECK(partial.times_s("facility").back() < 3600.0);
    REQUIRE(partial.events().size() >= 1);
    CHECK(partial.events().front().kind == "set");
  }
  std::filesystem::remove(file);
  CHECK(folder.keeps_earlier_results());
}
