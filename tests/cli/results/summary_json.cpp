// What a run prints with --json is the summary of its results file, value by value, unit by unit; a time that never came is null.
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/units/units.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop;
using namespace wattloop::tests;

TEST_CASE("run --json prints every figure of the summary that the results file holds", "[cli][figures]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome done = folder.run({"run", WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", "--set", "duration=30 s",
                                   "--event", "at: 10 s, fail: cdu_1.pump_a", "-o", "rack.h5", "--json"});
  REQUIRE(done.exit_code == 0);
  const nlohmann::json json = nlohmann::json::parse(done.output);
  const twin::ResultsReader results(folder / "rack.h5");
  const auto summary = results.summary();
  CHECK(json.size() == summary.size() + 7);  // what follows, and limits
  CHECK(json.at("schema_version") == 1);
  CHECK(json.at("title") == results.provenance_text("title").value());
  CHECK(json.at("scenario_file") == results.provenance_text("scenario_file").value());
  CHECK(json.at("seed") == 1);
  CHECK(json.at("results") == "rack.h5");
  REQUIRE(json.at("events").size() == results.events().size());
  REQUIRE_FALSE(json.at("events").empty());
  CHECK(json.at("events").at(0) ==
        nlohmann::json{{"time_s", 10.0}, {"kind", "fail"}, {"target", "cdu_1.pump_a"}, {"detail", "scenario"}});
  for (const twin::NamedValue& value : summary) {
    INFO(value.name);
    REQUIRE(json.contains(value.name));
    const nlohmann::json& shown = json.at(value.name).at("value");
    CHECK(json.at(value.name).at("unit") == wattloop::unit_in_files(value.unit));
    if (const auto* number = std::get_if<double>(&value.value)) {
      CHECK((std::isnan(*number) ? shown.is_null() : shown == *number));
    } else if (const auto* count = std::get_if<std::int64_t>(&value.value)) {
      CHECK(shown == *count);
    } else {
      CHECK(shown == std::get<std::string>(value.value));
    }
  }
}
