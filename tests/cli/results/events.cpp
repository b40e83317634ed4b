// `wattloop events`: the events of a results file as a table and as JSON, all of them or some kinds.
#include <algorithm>
#include <regex>

#include <nlohmann/json.hpp>

#include "core/units/units.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

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

TEST_CASE("the terminal, events and the report choose by consequence, count the rest, and have one hottest die",
          "[cli][events]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  REQUIRE(folder
              .run({"new", "--gpus", "256", "--hardware", "hgx_h100_liquid", "--cooling", "dry_coolers", "--redundancy",
                    "N+1", "-o", "hall.yaml"})
              .exit_code == 0);
  folder.write("many.yaml",
               "extends: hall.yaml\nduration: 1 h\nworkload: { kind: constant }\nevents:\n"
               "  - { at: 5 min, fail: cdu_1, for: 2 min }\n  - { at: 12 min, fail: cdu_1, for: 2 min }\n"
               "  - { at: 20 min, open: utility_a, for: 5 min }\n"
               "record: { facility: 15 s, racks: 20 min, gpus: null }\n");
  const Outcome ran = folder.run({"run", "many.yaml", "-q", "-o", "x.h5"});
  INFO(ran.errors << ran.output);
  REQUIRE(ran.exit_code == 0);
  CHECK_THAT(ran.output, Contains("  20 min         utility feed a opened\n") && Contains("UPS a on battery"));
  CHECK_THAT(ran.output, Contains("  backup power   generators ") && Contains("lowest state of charge "));
  const wattloop::twin::ResultsReader results(folder / "x.h5");
  std::smatch more;
  REQUIRE(std::regex_search(ran.output, more, std::regex("  and ([0-9]+) more +wattloop events x.h5\n")));
  CHECK(std::stoul(more[1]) < results.events().size());
  REQUIRE(folder.run({"report", "x.h5", "-o", "x.html"}).exit_code == 0);
  const std::string page = file_text(folder / "x.html");
  const std::string head = page.substr(page.find("<p class='verdict'"), 1500);
  CHECK_THAT(head, Contains("utility feed a opened") && Contains(" more events, listed under What happened."));
  // The hottest die of the run lies between records of racks, 20 min apart.
  const double peak_k = results.summary_number("peak_die_temperature").value();
  const std::string peak = wattloop::format_quantity(peak_k, "K"),
                    at = wattloop::format_quantity(results.summary_number("peak_die_time").value(), "s");
  CHECK_THAT(page, Contains(", at " + at + "</td><td>" + peak));  // key figures
  CHECK_THAT(page, Contains("<th scope='col'>when</th></tr></thead>\n<tr><td>") &&
                       Contains("<td>" + peak + "</td><td>at " + at + "</td>"));
  CHECK_THAT(page, Contains("The hottest die of the run: " + peak + " at " + at));
  CHECK_THAT(page, Contains("At worst: at ") && Contains("<td>recorded at "));
  const std::string table = page.substr(page.find("<th scope='col'>hottest die</th><th scope='col'>when</th>"));
  std::smatch first;
  REQUIRE(std::regex_search(table, first, std::regex("<td>[^<]*</td><td>([^<]*)</td>")));
  CHECK(first[1] == peak);
}

TEST_CASE("an event after the first day has its date in the list, on the terminal and in the report", "[cli][events]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome ran =
      folder.run({"run", one_rack, "-q", "-o", "x.h5", "--set", "duration=3 d", "--set", "workload={kind: constant}",
                  "--set", "start=2026-07-15T06:00:00", "--set", "record={facility: 1 h, racks: 1 h, gpus: null}",
                  "--event", "at: 50 h, fail: cdu_1.pump_a"});
  INFO(ran.errors);
  REQUIRE(ran.exit_code == 0);
  CHECK_THAT(ran.output, Contains("\n  2026-07-17T08:00 CDU 1, pump a failed"));
  CHECK_THAT(folder.run({"events", "x.h5"}).output, Contains("\n2026-07-17T08:00  fail "));
  REQUIRE(folder.run({"report", "x.h5", "-o", "x.html"}).exit_code == 0);
  CHECK_THAT(file_text(folder / "x.html"),
             Contains("At 2026-07-17T08:00 CDU 1, pump a failed") && Contains(">2026-07-17T08:00</a>"));
}
