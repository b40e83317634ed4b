// Every kind of file that people have, through every reader of tables: what one takes all take, and what one refuses all refuse.
// docs/reading_logs.md lists readers and kinds.
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
using wattloop::twin::ResultsReader;

namespace {

const std::string date_keys = "unit: kW, time_unit: date";

std::string scenario(const std::string& rest, const std::string& start = "2026-07-15T10:00:00") {
  return fmt::format(
      "format: 1\nextends: {}\nstart: {}\nduration: 30 min\n"
      "record: {{ facility: 5 min, racks: 5 min, gpus: {{ every: 10 min }} }}\n{}",
      one_rack, start, rest);
}

std::string follow(const std::string& keys = date_keys) {
  return fmt::format(
      "workload: {{ kind: constant, node_power: 5 kW }}\n"
      "parts: {{ heater: {{ kind: imposed_heat, into: loop_1.return, heat: {{ follow: {{ file: log.csv, column: P, {} "
      "}} }} }} }}\n",
      keys);
}

std::string replay(const std::string& keys = date_keys) {
  return fmt::format("workload: {{ kind: replay, trace: log.csv, meaning: rack, {} }}\n", keys);
}

std::string weather(const std::string& keys = "time_unit: date") {
  return fmt::format(
      "workload: {{ kind: constant, node_power: 5 kW }}\n"
      "weather: {{ design_day: mild, dry_bulb: {{ follow: {{ file: log.csv, column: P, unit: degC, {} }} }} }}\n",
      keys);
}

Outcome run(const WorkFolder& folder, const std::string& text) {
  folder.write("own.yaml", text);
  return folder.run({"run", "own.yaml", "-o", "r.h5", "--force"});
}

/// A folder where `constant.h5` are results to compare with.
void make_results(const WorkFolder& folder) {
  folder.write("constant.yaml", scenario("workload: { kind: constant, node_power: 5 kW }\n"));
  const Outcome outcome = folder.run({"run", "constant.yaml", "-o", "constant.h5"});
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
}

Outcome compare(const WorkFolder& folder, const std::string& time = "unit: date") {
  folder.write("map.yaml", fmt::format("time: {{ column: time, {} }}\nseries: [{{ column: P, recorded: "
                                       "row_1.rack_1.it_power, unit: kW }}]\n",
                                       time));
  return folder.run({"compare", "constant.h5", "--measured", "log.csv", "--map", "map.yaml", "--json"});
}

Outcome calibrate(const WorkFolder& folder) {
  folder.write("fit.yaml",
               "base: constant.yaml\nparameters: { a: { path: hall.cooling.loops.volume, from: 50 L, to: 70 L } }\n"
               "measured: log.csv\nmap: map.yaml\n");
  return folder.run({"calibrate", "fit.yaml"});
}

/// Whoever reads times and numbers of a table is answered so.
void demand_refused(const std::string& log, const std::string& expected) {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  make_results(folder);
  folder.write("log.csv", log);
  std::vector<Outcome> outcomes{run(folder, scenario(follow())), run(folder, scenario(replay())),
                                run(folder, scenario(weather())), compare(folder), calibrate(folder)};
  for (const Outcome& outcome : outcomes) {
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.errors, Contains("log.csv") && Contains(expected) && Contains("1 problem in"));
  }
}

/// Rows of 5 min from 10:00 on; `cell` writes watts, `stamp` times.
using Writer = std::function<std::string(int row)>;
std::string minute_stamp(int row) { return fmt::format("2026-07-15T10:{:02}:00", 5 * row); }
std::string log_of(const Writer& cell, const Writer& stamp = minute_stamp, std::string_view end = "\n",
                   std::string_view separator = ",") {
  std::string text = fmt::format("time{}P{}", separator, end);
  for (int row = 0; row < 8; ++row) text += fmt::format("{}{}{}{}", stamp(row), separator, cell(row), end);
  return text;
}
std::string plain_cell(int row) { return std::to_string(30 + (7 * row) % 9); }

/// What each reader makes of the file: means of five minutes and the error against constant power.
std::vector<std::vector<double>> read_by_all(const WorkFolder& folder, const std::string& log) {
  folder.write("log.csv", log);
  std::vector<std::vector<double>> found;
  const auto add = [&](const std::string& text, const char* table, const char* column) {
    const Outcome outcome = run(folder, text);
    INFO(outcome.errors);
    REQUIRE(outcome.exit_code == 0);
    const std::vector<float> values = ResultsReader(folder / "r.h5").series(table, column, 0);
    found.emplace_back(values.begin(), values.end());
  };
  add(scenario(follow()), "imposed_heats", "heat");
  add(scenario(replay()), "racks", "it_power");
  const Outcome compared = compare(folder);
  INFO(compared.errors);
  REQUIRE(compared.exit_code == 0);
  const nlohmann::json one = nlohmann::json::parse(compared.output).at(0);
  found.push_back({one.at("cv_rmse").get<double>(), one.at("points").get<double>()});
  return found;
}

}  // namespace

TEST_CASE("a log is the same to every reader, however its lines end and its numbers and times are written",
          "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  make_results(folder);
  const auto plain = read_by_all(folder, log_of(plain_cell));
  CHECK(read_by_all(folder, log_of(plain_cell, minute_stamp, "\r")) == plain);
  CHECK(read_by_all(folder, log_of(plain_cell, minute_stamp, "\r\n")) == plain);
  CHECK(read_by_all(folder, log_of(plain_cell, minute_stamp, "\n", ";")) == plain);
  CHECK(read_by_all(folder, log_of([](int row) { return "+" + plain_cell(row); })) == plain);
  CHECK(read_by_all(folder, log_of([](int row) { return "\"" + plain_cell(row) + "\" "; })) == plain);
}

TEST_CASE("words for a missing number are an empty cell to every reader", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  make_results(folder);
  const auto with = [](const std::string& word) {
    return log_of([word](int row) { return row == 3 ? word : plain_cell(row); });
  };
  const auto empty = read_by_all(folder, with(""));
  for (const char* word : {"#N/A", "N/A", "None", "null", "NaN"}) {
    INFO(word);
    CHECK(read_by_all(folder, with(word)) == empty);
  }
}

TEST_CASE("24:00 is the midnight that ends the day to every reader", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string start = "2026-07-14T23:50:00";
  folder.write("constant.yaml", scenario("workload: { kind: constant, node_power: 5 kW }\n", start));
  REQUIRE(folder.run({"run", "constant.yaml", "-o", "constant.h5"}).exit_code == 0);
  const auto written = [](const char* midnight) {
    return [midnight](int row) {
      return row < 2    ? fmt::format("2026-07-14T23:{:02}:00", 50 + 5 * row)
             : row == 2 ? std::string(midnight)
                        : fmt::format("2026-07-15T00:{:02}:00", 5 * (row - 2));
    };
  };
  const auto heats = [&](const char* midnight) {
    folder.write("log.csv", log_of(plain_cell, written(midnight)));
    std::vector<std::vector<float>> found;
    REQUIRE(run(folder, scenario(follow(), start)).exit_code == 0);
    found.push_back(ResultsReader(folder / "r.h5").series("imposed_heats", "heat", 0));
    REQUIRE(run(folder, scenario(replay(), start)).exit_code == 0);
    found.push_back(ResultsReader(folder / "r.h5").series("racks", "it_power", 0));
    const Outcome compared = compare(folder);
    REQUIRE(compared.exit_code == 0);
    found.push_back({nlohmann::json::parse(compared.output).at(0).at("cv_rmse").get<float>()});
    return found;
  };
  CHECK(heats("2026-07-14T24:00:00") == heats("2026-07-15T00:00:00"));
}

TEST_CASE("text behind a closing quote is refused by every reader", "[cli][logs]") {
  const std::string log = log_of([](int row) { return row == 3 ? std::string("\"10\"9") : plain_cell(row); });
  demand_refused(log, "5:25: text behind the quote that closes the cell '10'");
  demand_refused("time,\"P\"x\n2026-07-15T10:00:00,5\n2026-07-15T10:05:00,5\n", "1:9: text behind the quote");
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("lists/power.csv", "name,kind,rating,upstream\n\"u\"v,utility,,\n");
  CHECK_THAT(folder.run({"import", "hall", "lists", "-o", "hall.yaml"}).errors, Contains("text behind the quote"));
}

TEST_CASE("commas in numbers are one problem that names all that they may be, in every reader", "[cli][logs]") {
  demand_refused(log_of([](int row) { return fmt::format("\"1,{}\"", 10 + row); }), "a decimal comma");
  const auto thousands = [](int row) { return fmt::format("\"1,{:03}\"", 10 + row); };
  demand_refused(log_of(thousands), "if the comma separates thousands, write 1010; if it is a decimal comma");
  const auto german = [](int row) { return fmt::format("3{},5", row); };
  demand_refused(log_of(german, minute_stamp, "\n", ";"),
                 "a decimal comma: numbers are written with a point, 30.5; decimal commas are not read either if "
                 "semicolons separate the cells: `tr ',' '.' < ");
}

TEST_CASE("a run that begins before its log reports with what it is filled", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("log.csv", log_of(plain_cell));
  const std::string expected =
      "the run begins 10 min before the first row, 2026-07-15T10:00: the values of the first row are used";
  for (const std::string& own :
       {follow(date_keys + ", after_end: hold"), replay(), weather("time_unit: date, after_end: hold")}) {
    const Outcome early = run(folder, scenario(own, "2026-07-15T09:50:00"));
    CHECK(early.exit_code == 0);
    CHECK_THAT(early.errors, Contains(expected));
    CHECK_THAT(run(folder, scenario(own)).errors, !Contains("before the first row"));
  }
}

TEST_CASE("holes of a log count within what the run reads", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::string dates = "time,P\n", seconds = "time,P\n";
  for (const int hour : {10, 16, 20}) {
    for (int row = 0; row < 12; ++row) {
      dates += fmt::format("2026-07-15T{}:{:02}:00,{}\n", hour, 5 * row, plain_cell(row));
      seconds += fmt::format("{},{}\n", 3600 * hour + 300 * row, plain_cell(row));
    }
  }
  folder.write("log.csv", dates);
  for (const std::string& own : {follow(), replay()}) {
    const Outcome whole = run(folder, scenario(own, "2026-07-15T16:00:00"));
    INFO(whole.errors);
    CHECK(whole.exit_code == 0);
    const Outcome in_hole = run(folder, scenario(own, "2026-07-15T10:40:00"));
    CHECK(in_hole.exit_code == 1);
  }
  folder.write("log.csv", seconds);
  for (const std::string& own : {follow("unit: kW"), replay("unit: kW")})
    CHECK(run(folder, scenario(own)).exit_code == 0);
  const Outcome late = run(folder, scenario(replay("unit: kW, spread: { phase_jitter: 10 s }")));
  CHECK(late.exit_code == 1);  // late columns go round: the end of the trace comes at its begin
  CHECK_THAT(late.errors, Contains("there are no rows"));
}

TEST_CASE("the hour that clocks leave out in spring is reported by every reader", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto [rule, day, hours] =
      GENERATE(table<std::string, std::string, std::vector<int>>({{"US", "2026-03-08", {0, 1, 3, 4, 5, 6}},
                                                                  {"EU", "2026-03-29", {0, 1, 3, 4, 5, 6}},
                                                                  {"EU", "2026-03-29", {0, 2, 3, 4, 5, 6}}}));
  std::string log = "time,P\n";
  for (const int hour : hours) log += fmt::format("{} {:02}:00,{}\n", day, hour, 30 + hour);
  folder.write("log.csv", log);
  const std::string start = day + "T00:00:00", expected = "go forward: `summer_time: " + rule + "`";
  folder.write("constant.yaml", scenario("workload: { kind: constant, node_power: 5 kW }\n", start));
  REQUIRE(folder.run({"run", "constant.yaml", "-o", "constant.h5"}).exit_code == 0);
  for (const std::string& own : {follow(), replay(), weather()}) {
    const Outcome outcome = run(folder, scenario(own, start));
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.errors, Contains(expected));
  }
  const Outcome compared = compare(folder);
  CHECK_THAT(compared.output + compared.errors, Contains(expected));
  folder.write("log.csv", "time,P\n2026-07-08 00:00,1\n2026-07-08 01:00,1\n2026-07-08 03:00,1\n2026-07-08 04:00,1\n");
  const Outcome summer = run(folder, scenario(follow(), "2026-07-08T00:00:00"));
  CHECK_THAT(summer.errors, !Contains("go forward"));
}

TEST_CASE("holes that a followed column bridges are reported as those of a trace are", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("log.csv", log_of([](int row) { return row == 2 || row == 3 || row == 5 ? "" : plain_cell(row); }));
  CHECK_THAT(run(folder, scenario(follow())).errors, Contains("2 holes in P filled with the row before; the longest is "
                                                              "10 min and begins 10 min after the start of the run"));
  CHECK_THAT(run(folder, scenario(follow(date_keys + ", stamp: instant"))).errors,
             Contains("filled with a straight line"));
  CHECK_THAT(run(folder, scenario(replay())).errors, Contains("2 holes filled, the longest of 2 intervals"));
  folder.write("log.csv", log_of(plain_cell));
  CHECK_THAT(run(folder, scenario(follow())).errors, !Contains("filled"));
}

TEST_CASE("mistakes that are counted, not listed, are in the sum of mistakes", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::string log = "time,P\n";
  for (int row = 0; row < 757; ++row) log += fmt::format("{},x\n", row);
  folder.write("log.csv", log);
  const Outcome outcome = run(folder, scenario(replay("unit: kW")));
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.errors, Contains("and 737 more\n757 problems in"));
}
