// `wattloop compare`: two runs that part at an event, limits on both, mistakes; and a run beside measurements.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

void run(const WorkFolder& folder, const std::string& output, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run", one_rack, "--set", "duration=2 min", "-o", output, "-q"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  REQUIRE(folder.run(arguments).exit_code == 0);
}

std::size_t longest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
  return longest;
}

}  // namespace

TEST_CASE("compare reports what was changed, when runs part, and which events differ", "[cli][compare]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run(folder, "a.h5");
  run(folder, "b.h5", {"--event", "at: 40 s, fail: cdu_1.pump_a", "--set", "hall.cooling.room.volume=70 m3"});
  const Outcome text = folder.run({"compare", "a.h5", "b.h5"});
  CHECK(text.exit_code == 0);
  CHECK(text.errors.empty());
  CHECK(longest_line(text.output) <= 90);
  CHECK_THAT(text.output, Contains("hall.cooling.room.volume") && Contains("70 m3") &&
                              Contains("fail cdu_1.pump_a: only in B, 40 s"));
  CHECK(longest_line(folder.run({"compare", "a.h5", "b.h5", "--all", "--lines", "0"}).output) <= 90);

  const nlohmann::json json =
      nlohmann::json::parse(folder.run({"compare", "a.h5", "b.h5", "--tolerance", "0.2 %", "--json"}).output);
  const nlohmann::json& b = json.at("files").at(1);
  REQUIRE(b.at("divergences").size() > 3);
  const double first_s = b["divergences"][0]["first"]["time_s"];
  CHECK(first_s >= 40.0);
  CHECK(first_s <= 45.0);
  CHECK(b.at("events").at(0).at("kind") == "fail");
  CHECK(b["events"][0]["a"].is_null());
  CHECK(b["events"][0]["b"]["time_s"] == 40.0);
  for (const auto& figure : json.at("figures")) {
    if (figure.at("name") != "facility_energy") continue;
    const double in_a = figure["values"][0], in_b = figure["values"][1];
    CHECK(figure["differences"][0] == in_b - in_a);
    CHECK(in_a == wattloop::twin::ResultsReader(folder / "a.h5").summary_number("facility_energy").value());
  }
  const Outcome same = folder.run({"compare", "a.h5", "a.h5", "--tolerance", "0"});
  CHECK_THAT(same.output, Contains("no difference") && Contains("none in "));
  CHECK_THAT(same.output, !Contains("n/a"));
}

TEST_CASE("compare judges limits on every file, and reports all mistakes at once", "[cli][compare]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run(folder, "a.h5");
  run(folder, "b.h5", {"--set", "hall.cooling.loops.supply_temperature=44 degC"});
  const std::vector<std::string> judged{"compare", "a.h5", "b.h5", "a.h5", "--limit", "peak_die_temperature <= 60 degC",
                                        "--json"};
  const Outcome violated = folder.run(judged);
  CHECK(violated.exit_code == 3);
  const nlohmann::json files = nlohmann::json::parse(violated.output).at("files");
  CHECK(files.at(0).at("verdicts").at(0).at("held") == true);
  CHECK(files.at(1).at("verdicts").at(0).at("held") == false);
  CHECK(folder.run({"compare", "a.h5", "b.h5", "--limit", "peak_die_temperature <= 90 degC"}).exit_code == 0);
  const Outcome wrong = folder.run({"compare", "a.h5", "b.h5", "--limit", "pu <= 1", "--tolerance", "3 mol"});
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.errors, Contains("no 'pu'") && Contains("--tolerance '3 mol'") && Contains("2 problems"));
  CHECK(folder.run({"compare", "a.h5"}).exit_code == 1);
  CHECK(folder.run({"compare", "a.h5", one_rack}).exit_code == 4);
}

TEST_CASE("measurements made from a run score it as their planted error says", "[cli][compare]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run(folder, "a.h5");
  const wattloop::twin::ResultsReader results(folder / "a.h5");
  const auto power_w = results.series("facility", "power");
  // Means of 10 s, 3 % above those of the run; clocks an hour ahead; one hole.
  std::string csv = "clock,P hall\n";
  for (std::size_t end = 10; end <= 120; end += 10) {
    double sum_w = 0.0;
    for (std::size_t second = end - 9; second <= end; ++second) sum_w += static_cast<double>(power_w[second]);
    csv += fmt::format("{},{}\n", 3600 + end, end == 60 ? "" : fmt::format("{:.9f}", 1.03 * sum_w / 10.0 / 1e3));
  }
  folder.write("t.csv", csv);
  folder.write("map.yaml",
               "time: { column: clock, unit: s, offset: -1 h, stamp: end }\n"
               "series:\n  - { column: P hall, recorded: facility.power, unit: kW }\n");
  const std::vector<std::string> command{"compare",  "a.h5", "--measured", "t.csv", "--map",
                                         "map.yaml", "-o",   "o.csv",      "--json"};
  const Outcome outcome = folder.run(command);
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  const nlohmann::json one = nlohmann::json::parse(outcome.output).at(0);
  CHECK(one.at("points") == 11);  // of 12 one is missing
  // Every interval is off by 0.03 / 1.03 of what is measured: bias n / (n - 1) of that.
  CHECK(one.at("nmbe").get<double>() == Approx(0.03 / 1.03 * 11.0 / 10.0).epsilon(1e-6));
  CHECK(one.at("cv_rmse").get<double>() == Approx(0.03 / 1.03 * std::sqrt(11.0 / 10.0)).epsilon(1e-3));
  CHECK(one.at("worst").size() == 3);
  CHECK_THAT(file_text(folder / "o.csv"), Contains("20,30,facility.power,kW,") || Contains("\n20.0,30.0,"));
  CHECK(folder.run(command).exit_code == 0);  // over its own overlay
  folder.write("late.yaml",
               "time: { column: clock, unit: s }\n"
               "series:\n  - { column: P hall, recorded: facility.power, unit: kW }\n");
  const Outcome late = folder.run({"compare", "a.h5", "--measured", "t.csv", "--map", "late.yaml"});
  CHECK(late.exit_code == 1);
  CHECK_THAT(late.errors, Contains("facility.power: measured from 1 h") && Contains(", recorded from 1 s to 2 min") &&
                              Contains("no common time"));
  folder.write("o.csv", "mine\n");
  CHECK(folder.run(command).exit_code == 1);
  CHECK(file_text(folder / "o.csv") == "mine\n");
}

TEST_CASE("mistakes in a map and in measurements are reported at once, with line and nearest name", "[cli][compare]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run(folder, "a.h5");
  folder.write("t.csv", "clock,P\n0,1\n10,x\n5,2\n20\n");
  folder.write("map.yaml",
               "time: { column: clok, unit: kW }\nseries:\n"
               "  - { column: P, recorded: facility.powr, unit: kW }\n"
               "  - { column: Q, recorded: cdu_7.flow, unit: kg/s }\n"
               "  - { column: P, recorded: facility.power, unit: degC, scale: 2 }\n");
  const Outcome outcome = folder.run({"compare", "a.h5", "--measured", "t.csv", "--map", "map.yaml"});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.errors, Contains("map.yaml:1:") && Contains("'clok'") && Contains("did you mean 'clock'?"));
  CHECK_THAT(outcome.errors, Contains("map.yaml:3:") && Contains("did you mean 'power'?"));
  CHECK_THAT(outcome.errors, Contains("no 'cdu_7'") && Contains("has no column 'Q'"));
  CHECK_THAT(outcome.errors, Contains("has no parameter 'scale'") && Contains("unit: "));
  CHECK_THAT(outcome.errors, Contains("t.csv:5:3: 1 cell, but the first line names 2 columns"));
  folder.write("map.yaml", "time: { column: clock }\nseries: [{ column: P, recorded: facility.power, unit: kW }]\n");
  const Outcome cells = folder.run({"compare", "a.h5", "--measured", "t.csv", "--map", "map.yaml"});
  CHECK_THAT(cells.errors,
             Contains("t.csv:3:4: 'x' is no number") && Contains("t.csv:4:1: time '5' does not come after '10'"));
  CHECK(folder.run({"compare", "a.h5", "--measured", "t.csv"}).exit_code == 1);
}
