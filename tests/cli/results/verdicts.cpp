// The verdict on a run: one word on the terminal, in --json, in the report and in the title of its pictures.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
using Json = nlohmann::json;

namespace {

/// Runs it with these changes, and looks for the word where each of the four has it.
void demand_verdict(const std::string& word, const std::vector<std::string>& changes) {
  INFO(word);
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::vector<std::string> run{"run", one_rack, "-q", "-o", "x.h5"};
  for (const std::string& change : changes) run.insert(run.end(), {"--set", change});
  const Outcome terminal = folder.run(run);
  INFO(terminal.errors << terminal.output);
  REQUIRE(terminal.exit_code == 0);
  CHECK_THAT(terminal.output, Contains("\n  " + word + " "));
  const Outcome again = folder.run({"summary", "x.h5", "--json"});
  CHECK(Json::parse(again.output).at("verdict").at("value") == word);
  REQUIRE(folder.run({"report", "x.h5", "-o", "x.html"}).exit_code == 0);
  CHECK_THAT(file_text(folder / "x.html"), Contains(">" + word + "</b>"));
  REQUIRE(folder.run({"diagram", "cooling", "x.h5", "-o", "x.svg"}).exit_code == 0);
  CHECK_THAT(file_text(folder / "x.svg"), Contains(word + ": One rack"));
}

}  // namespace

TEST_CASE("terminal, JSON, report and picture have the same verdict", "[cli][verdict]") {
  demand_verdict("MET", {"duration=30 s"});
  demand_verdict("BEYOND LIMITS", {"duration=60 s", "power.ups.with.rated_power=50 kW"});
  demand_verdict("SLOWED", {"duration=60 s", "hall.cooling.loops.supply_temperature=58 degC",
                            "hall.cooling.loops.pump_speed=50 %", "hall.cooling.facility.supply_temperature=45 degC"});
  demand_verdict("LOST",
                 {"duration=60 s", "events=[{ at: 5 s, open: utility_a }, { at: 5 s, fail: [ups_a, ups_a.bypass] }]"});
}

TEST_CASE("a set-point that an event sets and the plant does not reach is reported", "[cli][verdict]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome run = folder.run({"run", one_rack, "-q", "-o", "x.h5", "--set", "duration=30 s", "--event",
                                  "at: 10 s, set: loop_1.supply_temperature, to: 5 degC", "--full"});
  INFO(run.errors << run.output);
  REQUIRE(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("  not reached    ") && Contains(": 5 degC asked, "));
  REQUIRE(folder.run({"report", "x.h5", "-o", "x.html"}).exit_code == 0);
  CHECK_THAT(file_text(folder / "x.html"), Contains("Set-points that were not reached") && Contains(" asked, "));
  const Outcome reached = folder.run({"run", one_rack, "-q", "-o", "y.h5", "--set", "duration=30 s", "--full"});
  CHECK_THAT(reached.output, !Contains("not reached"));
}
