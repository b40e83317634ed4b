// A rack whose leakage outgrows what a tenth of its coolant carries away, with nothing to protect it: both integrators end
// with exit code 2 and say when, what and how fast; earlier results stay as they are.
//
// At full flow a die gives 28 W/K to the coolant that enters (hardware/h100_sxm5_cold_plate.yaml), more than its leakage of
// 12 W/K takes: the start is steady. At a tenth the stream itself carries off no more than 0.1 x 55.8 W/K.

#include <algorithm>
#include <filesystem>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/results_reader.hpp"

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

TEST_CASE("a thermal runaway ends the program with exit code 2 and says when, what and how fast", "[cli][runaway]") {
  const std::string integrator = GENERATE(as<std::string>{}, "multirate", "monolithic");
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", runaway);
  const Outcome outcome = folder.run({"run", "own.yaml", "--quiet", "--integrator", integrator});
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.output.empty());
  const std::string begin = "solver failure: " + integrator + " integrator gave up at ";
  const std::size_t number = outcome.errors.find(begin);
  REQUIRE(number != std::string::npos);
  const double time_s = std::stod(outcome.errors.substr(number + begin.size()));
  CHECK(time_s > 60.0);
  CHECK(time_s < 3600.0);
  CHECK_THAT(outcome.errors, Contains("thermal runaway"));
  const std::size_t most = outcome.errors.find("moving most: row_1.rack_1.node_");
  REQUIRE(most != std::string::npos);
  CHECK(std::count(outcome.errors.begin() + static_cast<std::ptrdiff_t>(most), outcome.errors.end(), '=') == 3);
  CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 2);
  const std::filesystem::path file = folder.partial_results();
  CHECK_THAT(outcome.errors,
             Contains("; what was recorded until then is in results/" + file.filename().string() + "\n"));
  {
    const wattloop::twin::ResultsReader partial(file);
    CHECK(partial.times_s("facility").back() > 60.0);
    CHECK(partial.times_s("facility").back() <= time_s);
    REQUIRE(partial.events().size() >= 1);
    CHECK(partial.events().front().kind == "set");
  }
  std::filesystem::remove(file);
  CHECK(folder.keeps_earlier_results());
}
