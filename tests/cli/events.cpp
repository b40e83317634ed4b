// `wattloop events`: the events of a results file as a table and as JSON, all of them or some kinds.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

void run(const WorkFolder& folder, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"run", one_rack, "--set", "duration=100 s", "-o", "x.h5", "-q"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  REQUIRE(folder.run(arguments).exit_code == 0);
}

}  // namespace

TEST_CASE("events prints what the results file holds, in order, as a table and as JSON", "[cli][events]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run(folder, {"--event", "at: 10 s, fail: cdu_1.pump_a, for: 80 s", "--event",
               "at: 20 s, set: loop_1.supply_temperature, to: 30 degC"});
  const Outcome table = folder.run({"events", "x.h5"});
  CHECK(table.exit_code == 0);
  CHECK(table.errors.empty());
  CHECK(table.output ==
        "time        kind     target                     detail\n"
        "10 s        fail     cdu_1.pump_a               scenario\n"
        "10 s        start    cdu_1.pump_b               staging of cdu_1\n"
        "20 s        set      loop_1.supply_temperature  from 32 degC to 30 degC\n"
        "1 min 30 s  restore  cdu_1.pump_a               the end of a temporary fail\n");
  const auto events = wattloop::twin::ResultsReader(folder / "x.h5").events();
  const nlohmann::json json = nlohmann::json::parse(folder.run({"events", "x.h5", "--json"}).output);
  REQUIRE(json.size() == events.size());
  CHECK(events.size() == 4);
  for (std::size_t k = 0; k < events.size(); ++k) {
    CHECK(json[k].at("time_s") == events[k].time_s);
    CHECK(json[k].at("kind") == events[k].kind);
    CHECK(json[k].at("target") == events[k].target);
    CHECK(json[k].at("detail") == events[k].detail);
  }
}

TEST_CASE("events shows the kinds asked for and says which did not happen", "[cli][events]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run(folder, {"--event", "at: 10 s, fail: cdu_1.pump_a, for: 20 s"});
  const auto kinds_of = [](const Outcome& outcome) {
    std::vector<std::string> kinds;
    for (const auto& event : nlohmann::json::parse(outcome.output)) kinds.push_back(event.at("kind"));
    return kinds;
  };
  CHECK(kinds_of(folder.run({"events", "x.h5", "--json", "--kind", "fail", "--kind", "restore"})) ==
        std::vector<std::string>{"fail", "restore"});
  const Outcome absent = folder.run({"events", "x.h5", "--json", "--kind", "fial", "--kind", "tripped"});
  CHECK(absent.exit_code == 0);
  CHECK(kinds_of(absent).empty());
  CHECK(absent.errors ==
        "note: no event 'fial' in this run; did you mean 'fail'?\nnote: no event 'tripped' in this run\n");
  CHECK(folder.run({"events", "x.h5", "--kind", "tripped"}).output.empty());
}

TEST_CASE("events of a run in which nothing happened, and of what is no results file", "[cli][events]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run(folder, {});
  const Outcome nothing = folder.run({"events", "x.h5"});
  CHECK(nothing.exit_code == 0);
  CHECK(nothing.output.empty());
  CHECK(nothing.errors == "note: nothing happened in this run\n");
  CHECK(folder.run({"events", "x.h5", "--json"}).output == "[]\n");
  CHECK(folder.run({"events", one_rack}).exit_code == 4);
  CHECK(folder.run({"events", "none.h5"}).exit_code == 4);
  CHECK(folder.run({"events"}).exit_code == 1);
}

TEST_CASE("nodes that heat switches off together are one line of the table, and each by itself elsewhere",
          "[cli][events]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run(folder, {"--event", "at: 10 s, fail: [cdu_1.pump_a, cdu_1.pump_b]"});
  const auto events = wattloop::twin::ResultsReader(folder / "x.h5").events();
  const auto shutdowns =
      static_cast<std::size_t>(std::ranges::count(events, "thermal_shutdown", &wattloop::twin::EventRecord::kind));
  const auto first = std::ranges::find(events, "thermal_shutdown", &wattloop::twin::EventRecord::kind);
  REQUIRE(shutdowns == 8);  // all nodes of the rack
  const auto lines_with = [](const std::string& text, const std::string& word) {
    std::size_t lines = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++lines;
    return lines;
  };
  const std::string table = folder.run({"events", "x.h5"}).output;
  CHECK(lines_with(table, "thermal_shutdown") == 1);
  CHECK_THAT(table, Contains("  8 nodes of row_1.rack_1  ") && Contains(", first " + first->target));
  CHECK(lines_with(table, "fail ") == 2);
  CHECK(lines_with(folder.run({"events", "x.h5", "--kind", "thermal_shutdown"}).output, "thermal_shutdown") == 8);
  CHECK(lines_with(folder.run({"events", "x.h5", "--json"}).output, "thermal_shutdown") == 8);
}
