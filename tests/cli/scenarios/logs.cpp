// Logs as people have them, through the program: replayed, followed and compared with themselves, and every kind of fault in the readers of
// tables. docs/reading_logs.md lists readers and kinds.
#include <cmath>
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

const std::string quiet_record = "record: { facility: 30 s, racks: 30 s, gpus: { every: 10 min } }\n";

/// A rack that replays and follows what is written behind `own: `.
std::string scenario(const std::string& rest, const std::string& duration = "30 min") {
  return fmt::format("format: 1\nextends: {}\nduration: {}\n{}{}", one_rack, duration, quiet_record, rest);
}

/// `column` of `log.csv` as the heat of a part.
std::string heater(const std::string& keys) {
  return fmt::format(
      "workload: {{ kind: constant, node_power: 5 kW }}\n"
      "parts: {{ heater: {{ kind: imposed_heat, into: loop_1.return, heat: {{ follow: {{ file: log.csv, {} }} }} }} "
      "}}\n",
      keys);
}

std::string replay(const std::string& keys) {
  return fmt::format("workload: {{ kind: replay, trace: log.csv, {} }}\n", keys);
}

/// Relative errors of a series that is compared with `log.csv`.
double error_of(const WorkFolder& folder, const std::string& time, const std::string& column,
                const std::string& recorded) {
  folder.write("map.yaml",
               fmt::format("time: {{ column: time, {} }}\nseries: [{{ column: {}, recorded: {}, unit: kW }}]\n", time,
                           column, recorded));
  const Outcome outcome = folder.run({"compare", "r.h5", "--measured", "log.csv", "--map", "map.yaml", "--json"});
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  const nlohmann::json one = nlohmann::json::parse(outcome.output).at(0);
  CHECK(one.at("points").get<int>() >= 3);
  return one.at("cv_rmse").get<double>();
}

double heat_w(const WorkFolder& folder, double time_s) {
  const ResultsReader results(folder / "r.h5");
  const std::vector<double> times_s = results.times_s("imposed_heats");
  const auto row = std::ranges::upper_bound(times_s, time_s + 1.0) - times_s.begin();  // the mean that ends after it
  return results.series("imposed_heats", "heat", 0).at(static_cast<std::size_t>(row));
}

Outcome run(const WorkFolder& folder, const std::string& text) {
  folder.write("own.yaml", text);
  return folder.run({"run", "own.yaml", "-o", "r.h5", "--force"});
}

void demand_run(const WorkFolder& folder, const std::string& text) {
  const Outcome outcome = run(folder, text);
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
}

/// Rows of 5 min around the run of half an hour, of power that moves, stamped as `stamp` says.
std::string log_of(const std::function<std::string(int minute)>& stamp) {
  std::string text = "time,P\n";
  for (int k = -3; k < 12; ++k) text += fmt::format("{},{}\n", stamp(5 * k), 30 + (7 * k * k + 40) % 9);
  return text;
}

}  // namespace

TEST_CASE("a log that is replayed or followed is itself when it is compared with the run", "[cli][logs]") {
  const std::string meaning = GENERATE("begin", "end", "instant");
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("log.csv", log_of([](int minute) {
                 return fmt::format("2026-07-15 {:02}:{:02}", 12 + (minute + 60) / 60 - 1, (minute + 60) % 60);
               }));
  const std::string start = "start: 2026-07-15T12:00:00\n", keys = "unit: kW, time_unit: date, stamp: " + meaning;
  demand_run(folder, scenario(start + replay("meaning: rack, " + keys)));
  CHECK(error_of(folder, "unit: date, stamp: " + meaning, "P", "row_1.rack_1.it_power") < 5e-5);
  demand_run(folder, scenario(start + heater("column: P, between: step, " + keys)));
  CHECK(error_of(folder, "unit: date, stamp: " + meaning, "P", "heater.heat") < 5e-5);
}

TEST_CASE("without a word about stamps a log is itself, too, in any unit of time", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::string text = "time,P\n";
  for (int k = 0; k < 8; ++k) text += fmt::format("{},{}\n", 5 * k, 30 + (7 * k) % 9);
  folder.write("log.csv", text);
  demand_run(folder, scenario(replay("meaning: rack, unit: kW, time_unit: min")));
  CHECK(error_of(folder, "unit: min", "P", "row_1.rack_1.it_power") < 5e-5);
  CHECK(error_of(folder, "unit: min, stamp: end", "P", "row_1.rack_1.it_power") > 0.01);
  demand_run(folder, scenario(heater("column: P, unit: kW, time_unit: min")));
  CHECK(error_of(folder, "unit: min", "P", "heater.heat") < 5e-5);
}

TEST_CASE("a log of racks with semicolons, the order of its country and summer time is itself", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::string text = "time;R1;R2;CHW F\n";
  for (const char* hour : {"00:00", "00:30", "01:00", "01:30", "01:00", "01:30", "02:00", "02:30"})
    text += fmt::format("11/01/2026 {};{};20;67.8\n", hour, 20 + text.size() % 7);
  folder.write("log.csv", text);
  const std::string zone = "unit: MM/DD/YYYY, summer_time: US";
  const std::string run_text =
      fmt::format("format: 1\nextends: {}\nstart: 2026-11-01T00:00:00\nduration: 2 h\n{}", one_rack, quiet_record);
  demand_run(folder, run_text + replay("meaning: rack, unit: kW, columns: 1, time_unit: MM/DD/YYYY, summer_time: US"));
  CHECK(error_of(folder, zone, "R1", "row_1.rack_1.it_power") < 5e-5);
  const Outcome reported = folder.run({"run", "own.yaml", "-o", "r.h5", "--force"});
  CHECK_THAT(reported.errors, Contains("the file has the hour from 2026-11-01T01:00 twice"));
  const Outcome refused = run(folder, run_text + replay("meaning: rack, unit: kW, columns: 1, time_unit: MM/DD/YYYY"));
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.errors, Contains("log.csv:6:1: ") && Contains("`summer_time: US` or `summer_time: EU`"));
}

TEST_CASE("an offset that is written is refused or applied, by whoever reads the table", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("log.csv",
               "time,P\n2026-03-29T00:30:00+01:00,1\n2026-03-29T01:30:00+01:00,2\n2026-03-29T03:30:00+02:00,3\n"
               "2026-03-29T02:30:00+00:00,4\n");
  const std::string start = "start: 2026-03-29T02:15:00\n";
  for (const std::string& own : {heater("column: P, unit: kW, time_unit: date"),
                                 replay("meaning: rack, unit: kW, scale: 10, time_unit: date")}) {
    const Outcome outcome = run(folder, scenario(start + own));
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.errors, Contains("log.csv:2:1: ") && Contains("`utc_offset: 1 h`") && Contains("1 problem"));
  }
  demand_run(folder, scenario(start + replay("meaning: rack, unit: kW, scale: 10, time_unit: date, utc_offset: 1 h")));
  demand_run(folder, scenario(start + heater("column: P, unit: kW, time_unit: date, utc_offset: 1 h")));
  CHECK(heat_w(folder, 0.0) == 2e3);
  CHECK(heat_w(folder, 16.0 * 60.0) == 3e3);
  for (const char* own :
       {"start: 2026-03-29T02:15:00Z\n", "events: [{ at: 2026-03-29T02:15:00+01:00, fail: cdu_1 }]\n"})
    CHECK(run(folder, scenario(own)).exit_code == 1);
  folder.write("map.yaml",
               "time: { column: time, unit: date }\nseries: [{ column: P, recorded: heater.heat, unit: kW }]\n");
  const Outcome compared = folder.run({"compare", "r.h5", "--measured", "log.csv", "--map", "map.yaml"});
  CHECK(compared.exit_code == 1);
  CHECK_THAT(compared.errors, Contains("`utc_offset: 1 h`"));
}

TEST_CASE("two columns of one name are refused by every reader of tables", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string expected = "are both called 'P'";
  folder.write("log.csv", "time,P,P\n0,5,50\n600,5,50\n1800,5,50\n3600,5,50\n");
  for (const std::string& own : {heater("column: P, unit: kW"), replay("meaning: rack, unit: kW")})
    CHECK_THAT(run(folder, scenario(own)).errors, Contains("log.csv:1:8: columns 2 and 3") && Contains(expected));
  demand_run(folder, scenario("workload: { kind: constant }\n"));
  folder.write("map.yaml", "time: { column: time }\nseries: [{ column: P, recorded: facility.power, unit: kW }]\n");
  CHECK_THAT(folder.run({"compare", "r.h5", "--measured", "log.csv", "--map", "map.yaml"}).errors, Contains(expected));
  folder.write("fit.yaml", "base: " + one_rack +
                               "\nparameters: { a: { path: hall.cooling.loops.volume, from: 50 L, to: 70 L } }\n" +
                               "measured: log.csv\nmap: map.yaml\n");
  CHECK_THAT(folder.run({"calibrate", "fit.yaml"}).errors, Contains(expected));
  folder.write("lists/power.csv", "name,kind,rating,upstream,P,P\nu,utility,,,1,1\n");
  CHECK_THAT(folder.run({"import", "hall", "lists", "-o", "hall.yaml"}).errors, Contains(expected));
}

TEST_CASE("a log is followed at its own dates, whatever its years, and another year is reported", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::string text = "time,P\n";
  for (int year = 2025; year <= 2027; ++year) {
    for (int day = 10; day <= 20; ++day) text += fmt::format("{}-07-{} 00:00,{}\n", year, day, year - 2020);
  }
  folder.write("log.csv", text);
  const std::string follow = heater("column: P, unit: kW, time_unit: date, longest_gap: 2 d");
  for (int year = 2025; year <= 2027; ++year) {
    demand_run(folder, scenario(fmt::format("start: {}-07-15T00:00:00\n", year) + follow));
    CHECK(heat_w(folder, 60.0) == (year - 2020) * 1e3);
  }
  const Outcome other = run(folder, scenario("start: 2031-07-15T00:00:00\n" + follow));
  CHECK(other.exit_code == 0);
  CHECK_THAT(other.errors, Contains("it has no row of 2031-07-15: the rows of 2025 with the same day"));
  const Outcome early = run(folder, scenario("start: 2025-07-09T23:40:00\n" +
                                             heater("column: P, unit: kW, time_unit: date, longest_gap: 1 min")));
  CHECK(early.exit_code == 1);
  CHECK_THAT(early.errors, Contains("the run begins 20 min before the first row, 2025-07-10T00:00"));
}

TEST_CASE("a file without 29 February is followed by date in a year that has it", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::string text = "time,P\n";
  for (const char* day : {"02-27", "02-28", "03-01", "03-02"}) {
    for (int hour = 0; hour < 24; ++hour)
      text += fmt::format("2026-{} {:02}:00,{}\n", day, hour, std::string_view(day) == "02-28" ? 28 : 1);
  }
  folder.write("log.csv", text);
  const Outcome outcome =
      run(folder,
          scenario("start: 2028-02-29T12:00:00\n" + heater("column: P, unit: kW, time_unit: date, scale: 0.1"), "1 d"));
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.errors, Contains("it has no 29 February 2028: the day before is repeated"));
  CHECK(heat_w(folder, 3600.0) == Approx(2.8e3));
  CHECK(heat_w(folder, 13 * 3600.0) == Approx(100.0));
}

TEST_CASE("stamps and watts of another size than they are read in are warned of, with what would read them",
          "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto reported = [&](const std::string& content, const std::string& keys) {
    folder.write("log.csv", content);
    const Outcome outcome = run(folder, scenario(replay(keys)));
    CHECK(outcome.exit_code != 1);  // watts that no rack can be cooled at end a run otherwise
    return outcome.errors;
  };
  const auto rows = [](double step, double value) {
    std::string text = "time,a,b\n";
    for (int k = 0; k < 40; ++k) text += fmt::format("{},{},{}\n", 1784109600.0 * step + k * step * 60, value, value);
    return text;
  };
  CHECK_THAT(reported(rows(1e3, 6000), "meaning: node_ac"),
             Contains("uses only 1 of 40 rows") && Contains("`time_unit: ms`"));
  CHECK_THAT(reported(rows(1e3, 6000), "time_unit: ms"), !Contains("warning"));
  CHECK_THAT(reported(rows(1, 6000), "meaning: node_ac"), !Contains("warning"));
  for (const double gpu_w : {300.0, 600.0, 700.0})
    CHECK_THAT(reported(rows(1, gpu_w), "meaning: node_ac"),
               Contains("warning: the trace has") && Contains("`meaning: gpu`"));
  CHECK_THAT(reported(rows(1, 6), "meaning: node_ac"), Contains("`unit: kW`"));
  CHECK_THAT(reported(rows(1, 6), "unit: kW"), !Contains("warning"));
  CHECK_THAT(reported(rows(1, 6e6), "meaning: node_ac"), Contains("`unit: mW`"));
  CHECK_THAT(reported(rows(1, 40e3), "meaning: node_ac"), Contains("`meaning: rack`"));
  CHECK_THAT(reported(rows(1, 40e3), "meaning: rack"), !Contains("warning"));
  CHECK_THAT(reported(rows(1, 6000), "meaning: rack"), Contains("`meaning: node_ac`"));
}

TEST_CASE("a record that ends early ends its load, and its energy is that of the log", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::string text = "time,node_1,node_2\n";
  double measured_j = 0.0;
  for (int k = 0; k < 30; ++k) {
    const bool is_over = k >= 20;
    text += fmt::format("{},6000,{}\n", 60 * k, is_over ? "" : "7000");
    measured_j += 60.0 * (6000.0 + (is_over ? 0.0 : 7000.0));
  }
  folder.write("log.csv", text);
  const std::string two = "hall: { racks: { nodes: 2 } }\n";
  CHECK_THAT(run(folder, scenario(two + replay("fill: refuse"))).errors, Contains("if a record ends, write fill: end"));
  const Outcome ended = run(folder, scenario(two + replay("fill: end")));
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.errors, Contains("1 of 2 columns end before the trace ends: 0 W is used from there"));
  const ResultsReader results(folder / "r.h5");
  const std::vector<float> power_w = results.series("racks", "it_power", 0);
  const std::vector<double> times_s = results.times_s("racks");
  double replayed_j = 0.0;
  for (std::size_t row = 1; row < times_s.size(); ++row) replayed_j += (times_s[row] - times_s[row - 1]) * power_w[row];
  CHECK(replayed_j == Approx(measured_j).epsilon(1e-5));
}

TEST_CASE("sums over the tables are the summary for any duration, the last record being a shorter one", "[cli][logs]") {
  const auto [minutes, every] =
      GENERATE(table<int, std::string>({{90, "1 h"}, {7, "10 min"}, {61, "2 min"}, {60, "1 h"}}));
  const WorkFolder folder(WATTLOOP_PROGRAM);
  demand_run(folder, fmt::format("format: 1\nextends: {}\nduration: {} min\nrecord: {{ facility: {}, racks: {} }}\n"
                                 "workload: {{ kind: constant, node_power: 5 kW }}\n"
                                 "events: [{{ at: {} s, fail: cdu_1 }}]\n",
                                 one_rack, minutes, every, every, 50 * minutes));
  const ResultsReader results(folder / "r.h5");
  const std::vector<double> times_s = results.times_s("facility");
  CHECK(times_s.back() == minutes * 60.0);
  double energy_j = 0.0;
  const std::vector<float> power_w = results.series("facility", "power", 0);
  for (std::size_t row = 1; row < times_s.size(); ++row) energy_j += (times_s[row] - times_s[row - 1]) * power_w[row];
  CHECK(energy_j == Approx(results.summary_number("facility_energy").value()).epsilon(1e-6));
  for (const std::string& table : results.tables())
    if (table != "rack_limits") CHECK(results.times_s(table).back() == minutes * 60.0);  // those are of the begin
}

TEST_CASE("a GPU has its name of events in maps, too", "[cli][logs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  demand_run(folder, fmt::format("format: 1\nextends: {}\nduration: 2 min\n", one_rack));
  const ResultsReader results(folder / "r.h5");
  const std::vector<double> times_s = results.times_s("gpus");
  const std::vector<float> die_k = results.series("gpus", "die_temperature", 9);  // the second of the second node
  std::string text = "time,T\n";
  for (std::size_t row = 0; row < times_s.size(); ++row)
    text += fmt::format("{},{:.6f}\n", times_s[row], die_k[row] - 273.15);
  folder.write("log.csv", text);
  for (const char* name : {"row_1.rack_1.node_2.gpu_2", "gpu_10"}) {
    folder.write("map.yaml", fmt::format("time: {{ column: time, stamp: instant }}\n"
                                         "series: [{{ column: T, recorded: {}.die_temperature, unit: degC }}]\n",
                                         name));
    const Outcome outcome = folder.run({"compare", "r.h5", "--measured", "log.csv", "--map", "map.yaml", "--json"});
    INFO(outcome.errors);
    REQUIRE(outcome.exit_code == 0);
    CHECK(nlohmann::json::parse(outcome.output).at(0).at("rmse").get<double>() < 1e-4);
  }
}
