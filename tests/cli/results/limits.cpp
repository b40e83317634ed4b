// `run --limit`: verdicts in text and JSON, their exit code, and mistakes that are reported before anything runs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/units/units.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

Outcome run(const WorkFolder& folder, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"run", one_rack, "--set", "duration=30 s", "-o", "x.h5", "-q"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return folder.run(arguments);
}

}  // namespace

TEST_CASE("limits that hold leave exit code 0, one that is violated makes it 3, and results are whole",
          "[cli][limit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome met = run(folder, {"--limit", "peak_die_temperature <= 80 degC", "--limit", "trips <= 0"});
  CHECK(met.exit_code == 0);
  CHECK_THAT(met.output, Contains("\nVerdicts\n  peak_die_temperature <= 80 degC  ") && Contains(" degC  held, "));
  CHECK_THAT(met.output, !Contains("VIOLATED"));
  const Outcome violated = run(folder, {"--limit", "peak_die_temperature <= 80 degC", "--limit", "pue <= 1"});
  CHECK(violated.exit_code == 3);
  CHECK_THAT(violated.output, Contains("held, ") && Contains("VIOLATED by 0.0") && Contains("results            x.h5"));
  CHECK_FALSE(wattloop::twin::ResultsReader(folder / "x.h5").summary().empty());
  const Outcome unjudged = run(folder, {"--limit", "first_throttle_time >= 1 s"});
  CHECK(unjudged.exit_code == 3);
  CHECK_THAT(unjudged.output, Contains("n/a  VIOLATED: cannot be judged, no GPU throttled"));
  CHECK_THAT(run(folder, {}).output, !Contains("Verdicts"));
}

TEST_CASE("what a limit of an equipment does alone is no violation", "[cli][limit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::vector<std::string> overload{"--set", "power.ups.with.rated_power=50 kW", "--set", "duration=60 s"};
  CHECK(run(folder, overload).exit_code == 0);
  std::vector<std::string> limited = overload;
  limited.insert(limited.end(), {"--limit", "limits_exceeded <= 0"});
  const Outcome outcome = run(folder, limited);
  CHECK(outcome.exit_code == 3);
  CHECK_THAT(outcome.output, Contains("limits_exceeded <= 0             2  VIOLATED by 2"));
}

TEST_CASE("verdicts stand in --json, null and a reason where a figure is not a number", "[cli][limit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = run(folder, {"--json", "--limit", "pue <= 1.0", "--limit", "first_throttle_time > 1 s",
                                       "--limit", "smallest_throttle_margin >= 5 K"});
  CHECK(outcome.exit_code == 3);
  const nlohmann::json json = nlohmann::json::parse(outcome.output);
  const nlohmann::json& verdicts = json.at("verdicts");
  REQUIRE(verdicts.size() == 3);
  CHECK(verdicts[0].at("limit") == "pue <= 1.0");
  CHECK(verdicts[0].at("name") == "pue");
  CHECK(verdicts[0].at("relation") == "<=");
  CHECK(verdicts[0].at("bound") == 1.0);
  CHECK(verdicts[0].at("value") == json.at("pue").at("value"));
  CHECK(verdicts[0].at("held") == false);
  CHECK(verdicts[0].at("margin").get<double>() == Approx(1.0 - json.at("pue").at("value").get<double>()));
  CHECK(verdicts[1].at("value").is_null());
  CHECK(verdicts[1].at("margin").is_null());
  CHECK(verdicts[1].at("reason") == "no GPU throttled");
  CHECK(json.at("first_throttle_time").at("value").is_null());
  CHECK(json.at("first_throttle_time").at("reason") == "no GPU throttled");
  CHECK_FALSE(json.at("pue").contains("reason"));
  CHECK(verdicts[2].at("held") == true);
  CHECK(verdicts[2].at("unit") == "K");
  CHECK(json.at("smallest_throttle_margin").at("unit") == "K");
}

TEST_CASE("mistakes in limits are reported all at once before the run begins, with exit code 1", "[cli][limit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome =
      run(folder, {"--limit", "pux <= 1", "--limit", "peak_die_temperature <= 80 W", "--limit", "pue 1.2", "--limit",
                   "peak_die_gpu <= 1", "--limit", "lowest_state_of_charge >= 20 %"});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.output.empty());
  CHECK(outcome.errors ==
        "--limit 'pux <= 1': the summary of this hall has no 'pux'\n      = did you mean 'pue'?\n"
        "--limit 'peak_die_temperature <= 80 W': peak_die_temperature: '80 W' is in W, expected degC\n"
        "--limit 'pue 1.2': expected KPI <= VALUE UNIT, with <=, >=, < or >\n"
        "--limit 'peak_die_gpu <= 1': 'peak_die_gpu' is a text, not a number\n      = GPU of the hottest die\n"
        "4 problems in the command line\n");
  CHECK_FALSE(std::filesystem::exists(folder / "x.h5"));
}

TEST_CASE("every figure of a run may be limited before it has begun, those of a replay too", "[cli][limit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::vector<std::string> limits;
  run(folder, {});
  for (const auto& value : wattloop::twin::ResultsReader(folder / "x.h5").summary()) {
    if (std::holds_alternative<std::string>(value.value)) continue;
    const std::string unit = value.unit.empty() || value.unit == "1" ? "" : wattloop::unit_in_files(value.unit);
    const bool may_be_negative = value.unit != "K";
    limits.insert(limits.end(),
                  {"--limit", fmt::format("{} >= {} {}", value.name, may_be_negative ? -1e12 : 1.0, unit)});
  }
  CHECK(limits.size() > 80);
  const Outcome outcome = run(folder, limits);
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 3);  // first_throttle_time has no value
  folder.write("trace.csv", "time_s,w\n0,5000\n30,5000\n");
  const Outcome replay = run(
      folder, {"--set", "workload={ kind: replay, trace: " + (folder / "trace.csv").string() + ", meaning: node_ac }",
               "--limit", "clamped_sample_share <= 0"});
  INFO(replay.errors);
  CHECK(replay.exit_code == 0);
}
