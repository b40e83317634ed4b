// `wattloop search`: limits found against the grid of all values and closed forms, early exit, resume, mistakes at their place.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios/";

/// Either pump of the CDU lost, and none, of one rack.
std::string supply_text(const std::string& range, const std::string& search, const std::string& more = "") {
  return "title: One rack\nbase: " + scenarios + "one_rack.yaml\nset: { duration: 30 s }\n" +
         "changes: { supply: { path: hall.cooling.loops.supply_temperature, " + range + " } }\n" +
         "combine: [ supply, { each_part: { of: \"cdu_1.pump_*\", at: 5 s, or_none: true } } ]\n" +
         "keep: [ peak_die_temperature: degC, pue ]\nlimits: [ \"peak_die_temperature <= 65 degC\" ]\n" + search + more;
}

Json found(const WorkFolder& folder, const std::string& name, const std::string& text, int exit_code = 0) {
  folder.write(name + ".yaml", text);
  const Outcome outcome = folder.run({"search", name + ".yaml", "-o", name, "--json", "-q"});
  INFO(outcome.errors << outcome.output);
  REQUIRE(outcome.exit_code == exit_code);
  return Json::parse(outcome.output);
}

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

}  // namespace

TEST_CASE("the highest supply temperature is that of the grid of all values", "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("grid.yaml", supply_text("range: { from: 30 degC, to: 50 degC, steps: 21 }", ""));
  REQUIRE(folder.run({"study", "grid.yaml", "-o", "grid", "--json", "-q", "--threads", "2"}).exit_code == 3);
  double highest = 0.0;
  const std::string table = file_text(folder / "grid/study.csv");
  for (int k = 0; k <= 20; ++k) {
    const double supply = 30.0 + 1.0 * k;
    std::size_t held = 0, place = 0;
    while ((place = table.find(fmt::format(",{:g},", supply), place)) != std::string::npos) {
      const std::string line = table.substr(place, table.find('\n', place) - place);
      held += line.find(",held,") != std::string::npos ? 1 : 0;
      ++place;
    }
    if (held == 3) highest = supply;
  }
  REQUIRE((highest > 30.0 && highest < 50.0));
  const Json steps =
      found(folder, "steps",
            supply_text("range: { from: 30 degC, to: 50 degC }", "search: { largest: supply, step: 1 K }\n"));
  CHECK(steps.at("outcome") == "found");
  CHECK(steps.at("answer").at("value").get<double>() == Approx(highest));
  CHECK(steps.at("monotone") == true);
  const Json fine =
      found(folder, "fine",
            supply_text("range: { from: 86 degF, to: 122 degF }", "search: { largest: supply, tolerance: 0.06 K }\n"));
  const double at_c = (fine.at("answer").at("value").get<double>() - 32.0) / 1.8;
  CHECK((at_c >= highest - 0.06 && at_c < highest + 1.0));
  std::size_t runs = 0;
  for (const Json& trial : fine.at("trials")) {
    runs += trial.at("runs").get<std::size_t>();
    if (trial.at("holds") == false) CHECK(trial.at("runs") < 3);  // the first violation ends a family
  }
  CHECK(lines_of(file_text(folder / "fine/study.csv")) == runs + 1);
}

TEST_CASE("values of a list are searched in their order", "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Json json =
      found(folder, "list",
            supply_text("values: [30 degC, 31 degC, 33 degC, 48 degC, 49 degC]", "search: { largest: supply }\n"));
  CHECK(json.at("answer") == "33 degC");
}

TEST_CASE("the shortest battery is what the load takes until the feed is back", "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Json json =
      found(folder, "minutes",
            "base: " + scenarios +
                "audit/n.yaml\n"
                "changes: { minutes: { path: power.ups.with.battery_time, range: { from: 10 s, to: 170 s } } }\n"
                "events: [ { at: 60 s, open: utility_a, for: 2 min } ]\n"
                "keep: [ lost_gpu_time, lowest_state_of_charge ]\nlimits: [ \"lost_gpu_time <= 0 s\" ]\n"
                "search: { smallest: minutes, tolerance: 0.5 s }\n");
  // `check` says that the UPS carries 61.92 kW at nameplate; its battery is measured at its rating of 100 kW.
  CHECK(json.at("answer").at("value").get<double>() == Approx(120.0 * 0.6192).margin(0.5 + 0.01 * 74.3));
}

TEST_CASE("ends that both hold, both fail, and the wrong word are reported", "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string seek = "search: { largest: supply, tolerance: 1 K }\n";
  const Json all = found(folder, "all", supply_text("range: { from: 30 degC, to: 32 degC }", seek));
  CHECK(all.at("outcome") == "all_hold");
  CHECK(all.at("answer").at("value") == 32.0);
  CHECK(found(folder, "none", supply_text("range: { from: 48 degC, to: 50 degC }", seek), 3).at("outcome") ==
        "none_holds");
  CHECK(found(folder, "reversed",
              supply_text("range: { from: 30 degC, to: 50 degC }", "search: { smallest: supply, tolerance: 1 K }\n"), 3)
            .at("outcome") == "reversed");
  const Outcome reported = folder.run({"search", "none.yaml", "-o", "none"});
  CHECK_THAT(reported.output, Contains("limits hold at neither end of supply: at 48 degC\n  run 1, part = none: "
                                       "peak_die_temperature <= 65 degC violated"));
}

TEST_CASE("a value whose runs have no answer neither reached its set-points nor violated a limit", "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("hot.yaml",
               "title: Upper values have no answer\nbase: " + one_rack +
                   "\nset: { duration: 10 s }\nchanges: { water: { path: hall.cooling.loops.supply_temperature, range: "
                   "{ from: 40 degC, to: 69 degC } } }\nkeep: [ peak_die_temperature: degC ]\n"
                   "limits: [ throttled_gpu_time <= 0 s ]\nsearch: { largest: water, tolerance: 15 K }\n");
  const Outcome search = folder.run({"search", "hot.yaml", "-o", "hot"});
  INFO(search.output << search.errors);
  const std::string trials = search.output.substr(search.output.find("\nTrials\n"));
  const std::size_t hottest = trials.find("69 degC");
  REQUIRE(hottest != std::string::npos);
  const std::string line = trials.substr(hottest, trials.find('\n', hottest) - hottest);
  CHECK_THAT(line, Contains("no answer") && !Contains("reached") && !Contains("violated"));
}

TEST_CASE("a search that is cut off goes on to the same answer, without running again what is kept", "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string text =
      supply_text("range: { from: 30 degC, to: 50 degC }", "search: { largest: supply, tolerance: 0.25 K }\n");
  const Json whole = found(folder, "s", text);
  const std::string journal = file_text(folder / "s/study-1-of-1.journal"), table = file_text(folder / "s/study.csv");
  folder.write("s/study-1-of-1.journal", journal.substr(0, journal.size() / 2));
  const Outcome again = folder.run({"search", "s.yaml", "-o", "s", "--json"});
  CHECK_THAT(again.errors, Contains(" runs are already done"));
  CHECK(Json::parse(again.output) == whole);
  CHECK(file_text(folder / "s/study.csv") == table);
  CHECK(file_text(folder / "s/study-1-of-1.journal") == journal);
}

TEST_CASE("an optimum, a tornado and Sobol indices of a rack are what its figures say", "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string head =
      "base: " + scenarios + "one_rack.yaml\nset: { duration: 20 s }\nkeep: [ peak_die_temperature: degC, pue ]\n" +
      "changes:\n  supply: { path: hall.cooling.loops.supply_temperature, range: { from: 30 degC, to: 40 degC } }\n";
  const Json coolest =
      found(folder, "coolest", head + "search: { minimise: peak_die_temperature, over: supply, tolerance: 0.5 K }\n");
  CHECK(coolest.at("answer").at("value") == 30.0);
  CHECK(coolest.at("at_end") == true);
  const std::string both = head + "  speed: { path: hall.cooling.loops.pump_speed, range: { from: 74 %, to: 76 % } }\n";
  const Json tornado = found(folder, "tornado", both + "search: { tornado: [speed, supply] }\n").at("figures").at(0);
  CHECK(tornado.at("changes").at(0).at("change") == "supply");
  CHECK(tornado.at("changes").at(0).at("from") == "30 degC");
  const double swing =
      tornado.at("changes").at(0).at("at_to").get<double>() - tornado.at("changes").at(0).at("at_from").get<double>();
  CHECK(swing == Approx(10.5).margin(1.0));  // dies follow their coolant, and leak a little more
  CHECK(tornado.at("in_base").get<double>() > tornado.at("changes").at(0).at("at_from").get<double>());
  const Json sobol =
      found(folder, "sobol", both + "search: { sobol: [supply, speed], samples: 16 }\n").at("figures").at(0);
  CHECK(sobol.at("figure") == "peak_die_temperature");
  CHECK(sobol.at("changes").at(0).at("total").get<double>() >
        10.0 * sobol.at("changes").at(1).at("total").get<double>());
  CHECK(lines_of(file_text(folder / "sobol/study.csv")) == 1 + 16 * 4);
}

TEST_CASE("mistakes of a search have their place, before anything runs", "[cli][search][mistakes]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string range = "range: { from: 30 degC, to: 50 degC }";
  const auto reported = [&](const std::string& text, const std::string& what) {
    folder.write("s.yaml", text);
    const Outcome outcome = folder.run({"search", "s.yaml", "-o", "s"});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.errors, Contains(what));
    CHECK_FALSE(fs::exists(folder / "s"));
  };
  const auto seek = [&](const std::string& search, const std::string& what) {
    reported(supply_text(range, search), what);
  };
  seek("", "the study has no search");
  seek("search: { largest: suply, tolerance: 1 K }\n", "s.yaml:8:20: there is no change 'suply'");
  seek("search: { largst: supply, tolerance: 1 K }\n", "search seeks nothing");
  seek("search: { largest: supply }\n", "search has no tolerance");
  seek("search: { largest: supply, tolerance: 1 kW }\n", "tolerance: ");
  seek("search: { largest: supply, tolerance: 30 K }\n", "the tolerance is larger than the range");
  seek("search: { largest: supply, step: 3 K }\n", "steps of 3 K do not end at the end of the range");
  seek("search: { largest: supply, tolerance: 1 K, of: 3 }\n", "search has no parameter 'of'");
  seek("search: { minimise: pu, over: supply, tolerance: 1 K }\n", "'pu' is not a figure under `keep`");
  seek("search: { sobol: [supply] }\n", "`combine` has no effect with this kind of search");
  reported(
      supply_text("range: { from: 30 degC, to: 50 degC, steps: 3 }", "search: { largest: supply, tolerance: 1 K }\n"),
      "the range of 'supply' has steps");
  reported(supply_text("range: { from: 30 degC, to: 500 degC }", "search: { largest: supply, tolerance: 1 K }\n"),
           "supply_temperature");
}

TEST_CASE("what is to be searched is no study to be run", "[cli][search][mistakes]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run({"study", scenarios + "studies/ups_minutes.yaml", "-o", "s"});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.errors, Contains("the study has a section `search`") && Contains("= run it with wattloop search"));
}

TEST_CASE("a front of two figures is written beside the table", "[cli][study][pareto]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml",
               "base: " + scenarios +
                   "one_rack.yaml\nset: { duration: 20 s }\n"
                   "changes:\n  supply: { path: hall.cooling.loops.supply_temperature, values: [30 degC, 35 degC] }\n"
                   "  speed: { path: hall.cooling.loops.pump_speed, values: [65 %, 75 %, 85 %] }\n"
                   "keep: [ peak_die_temperature: degC, pue ]\n");
  const Outcome outcome = folder.run({"study", "s.yaml", "-o", "s", "-q", "--pareto", "peak_die_temperature,pue"});
  INFO(outcome.errors << outcome.output);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(
      outcome.output,
      Contains(
          "4 of 6 runs are on the front"));  // at 30 degC faster pumps cool and cost; at 35 degC slow ones cost least
  const std::string front = file_text(folder / "s/study_pareto.csv");
  CHECK(lines_of(front) == 5);
  CHECK_THAT(front,
             Contains("\n3,30,85,") && Contains("\n2,30,75,") && Contains("\n1,30,65,") && Contains("\n4,35,65,"));
  CHECK(folder.run({"study", "s.yaml", "-o", "s", "-q", "--pareto", "peak_die_temperature,max:pue"}).exit_code == 0);
  CHECK(lines_of(file_text(folder / "s/study_pareto.csv")) == 2);
  const Outcome wrong = folder.run({"study", "s.yaml", "-o", "s", "-q", "--pareto", "peak_die_temperature,pui"});
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.errors,
             Contains("--pareto peak_die_temperature,pui: the table has no figure 'pui'\n      = did you mean 'pue'?"));
}

TEST_CASE("the report and the summary of a search say its answer", "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml",
               supply_text("range: { from: 30 degC, to: 50 degC }", "search: { largest: supply, step: 1 K }\n"));
  const Outcome search = folder.run({"search", "s.yaml", "-o", "s", "-q"});
  REQUIRE(search.exit_code == 0);
  const std::size_t begin = search.output.find("largest supply with which all limits hold: ");
  REQUIRE(begin != std::string::npos);
  const std::string answer = search.output.substr(begin, search.output.find('\n', begin) - begin);
  REQUIRE(folder.run({"report", "s", "-o", "s.html"}).exit_code == 0);
  CHECK_THAT(file_text(folder / "s.html"), Contains("<h2 id='to_answer'>Answer</h2>") && Contains(answer));
  CHECK_THAT(folder.run({"summary", "s"}).output, Contains(answer + "\n"));
  folder.write("grid.yaml", supply_text("range: { from: 30 degC, to: 31 degC, steps: 2 }", ""));
  folder.run({"study", "grid.yaml", "-o", "grid", "-q"});
  REQUIRE(folder.run({"report", "grid", "-o", "grid.html"}).exit_code == 0);
  CHECK_THAT(file_text(folder / "grid.html"), !Contains("<h2 id='to_answer'>Answer</h2>"));
}

TEST_CASE("a set-point that was sought and not reached is in the answer, with the warnings of check and the limits",
          "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", "title: Cold water\nbase: " + scenarios +
                             "one_rack.yaml\nset: { duration: 30 s }\n"
                             "changes: { supply: { path: hall.cooling.loops.supply_temperature, "
                             "range: { from: 10 degC, to: 40 degC } } }\n"
                             "keep: [ pue ]\nlimits: [ \"peak_die_temperature <= 90 degC\" ]\n"
                             "search: { smallest: supply, step: 5 K }\n");
  const Outcome text = folder.run({"search", "s.yaml", "-o", "s", "-q"});
  INFO(text.errors << text.output);
  REQUIRE(text.exit_code == 0);
  CHECK_THAT(text.output, Contains("at 10 degC:\n  NOT REACHED  ") && Contains(": 10 degC asked, ") &&
                              Contains("  check has ") && Contains("set-points"));
  CHECK_THAT(file_text(folder / "s/study.csv"),
             Contains("unreached_settings,exceeded_limits") && Contains(": 10 degC asked, "));
  const Outcome json = folder.run({"search", "s.yaml", "-o", "s", "-q", "--json"});
  const Json trial = Json::parse(json.output).at("trials").at(1);  // at 10 degC
  CHECK_THAT(trial.at("unreached_settings").get<std::string>(), Contains(" reached"));
  CHECK(trial.at("check_warnings").get<int>() >= 0);
}

TEST_CASE("a study says which runs did not reach a set-point", "[cli][search]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("v.yaml", "title: Cold water\nbase: " + scenarios +
                             "one_rack.yaml\nset: { duration: 30 s }\n"
                             "changes: { supply: { path: hall.cooling.loops.supply_temperature, "
                             "values: [10 degC, 32 degC] } }\nkeep: [ pue ]\n");
  const Outcome text = folder.run({"study", "v.yaml", "-o", "v", "-q"});
  INFO(text.errors << text.output);
  REQUIRE(text.exit_code == 0);
  CHECK_THAT(text.output, Contains("A set-point was not reached in 1 of 2 runs\n    run 1: supply = 10 degC"));
}
