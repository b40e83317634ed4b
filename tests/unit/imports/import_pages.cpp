// What imports print of a log: made-up ones in which no two numbers are equal, so that what was written for what was asked, one cause for
// another, or ahead for behind would show.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "twin/imports/jobs/job_log.hpp"
#include "twin/imports/jobs/jobs_text.hpp"
#include "twin/imports/telemetry/telemetry_report.hpp"
#include "twin/imports/telemetry/telemetry_text.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double hour_s = 3600.0;

bool has(const std::vector<std::string>& lines, const std::string& line) {
  UNSCOPED_INFO(line);
  return std::ranges::find(lines, line) != lines.end();
}

JobLog made_up_jobs() {
  JobLog log{.format = "sacct", .file = "logs/day.txt", .begin_s = 12.5, .logged = 23, .gpu_jobs = 17};
  log.one_gpu_jobs = 6;
  constexpr double none = std::numeric_limits<double>::infinity();
  log.jobs = {{.name = "a", .submit_s = 0.0, .gpus = 1, .run_time_s = 700.0, .time_limit_s = none, .job_class = "x"},
              {.name = "b", .submit_s = 60.0, .gpus = 2, .run_time_s = 300.0, .time_limit_s = 900.0, .job_class = "y"},
              {.name = "c", .submit_s = 160.0, .gpus = 4, .run_time_s = 200.0, .time_limit_s = none, .job_class = "x"}};
  log.never_ran = {2, "n", 31};
  log.without_times = {3, "t", 32};
  log.backwards = {4, "b", 33};
  log.without_resources = {5, "r", 34};
  log.too_large = {7, "l", 35};
  log.part_of_a_gpu = {8, "p", 36};
  log.running = {9, "u", 37};
  log.skipped_lines = 10;
  log.out_of_order = 11;
  log.without_limit = 2;
  log.gpu_s = 5.0 * hour_s;
  log.asked_gpu_s = 4.25 * hour_s;
  return log;
}

ImportedTelemetry made_up_telemetry() {
  ImportedTelemetry imported;
  imported.log.format = "csv";
  imported.log.files = {"a.csv", "b.csv", "c.csv"};
  imported.log.missing_cells = 21;
  imported.log.late_rows = 22;
  imported.log.most_late_s = 1.5;
  imported.log.counter_resets = 23;
  imported.log.repeated_values = 24;
  imported.facts = {.begin_s = 100.0,
                    .end_s = 160.0,
                    .interval_s = 2.0,
                    .shortest_step_s = 1.75,
                    .longest_step_s = 2.25,
                    .samples = 60,
                    .holes = 5,
                    .missing_samples = 12,
                    .long_holes = 3,
                    .longest_hole = {"n1.gpu_1", 120.0, 140.0, 9},
                    .late_series = {"n2.gpu_0"},
                    .ended_series = {"n1.gpu_0"},
                    .node_begins = {{"n2", 7.0}},
                    .doubles = {{"n2.gpu_1", "n1.gpu_1"}},
                    .energy_j = 7.2e6};
  imported.trace.names = {"n1.gpu_0", "n1.gpu_1", "n2.gpu_0", "n2.gpu_1"};
  imported.trace.nodes = {"n1", "n2"};
  imported.trace.node_of = {0, 0, 1, 1};
  imported.trace.gpus = {"0", "1", "0", "1"};
  imported.trace.stamps_s = {0.0, 2.0};
  imported.trace.power_w = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  imported.trace.interval_s = 2.0;
  imported.boundary = "board";
  imported.lags = {{"n1", 3.0, 0.91, 0.42}, {"n2", -4.0, 0.82, 0.33}};
  return imported;
}

}  // namespace

TEST_CASE("an import of jobs prints what was written and what was requested, and each cause with its first job",
          "[import][pages]") {
  const std::vector<std::string> lines = jobs_text(made_up_jobs(), "jobs.csv");
  CHECK(has(lines, "log        sacct: 23 jobs, 17 with GPUs"));
  CHECK(has(lines, "time       first submitted at 12.5 s, the last 2 min 40 s later; median run time 5 min"));
  CHECK(has(lines, "left out   2 never ran; the first is n in line 31"));
  CHECK(has(lines, "left out   3 without times; the first is t in line 32"));
  CHECK(has(lines, "left out   4 whose times run backwards; the first is b in line 33"));
  CHECK(has(lines, "left out   5 that ask for no GPU and no node; the first is r in line 34"));
  CHECK(has(lines, "left out   7 that request more than a billion nodes or GPUs; the first is l in line 35"));
  CHECK(has(lines,
            "shares     8 of 6 jobs of one GPU request a part of it, and count as a whole GPU; the first is p in "
            "line 36"));
  CHECK(has(lines, "           5 GPU hours are written, 4.25 were requested"));
  CHECK(has(lines, "skipped    10 lines of steps, waiting arrays or parts of jobs"));
  CHECK(has(lines, "order      11 jobs were submitted before the one in the line before: sorted"));
  CHECK(has(lines, "limits     2 of 3 jobs have no time limit"));
  CHECK(has(lines, "jobs.csv: 3 jobs, 5 GPU hours, 2 classes"));
  const nlohmann::json json = nlohmann::json::parse(jobs_json(made_up_jobs(), "jobs.csv"));
  CHECK(json.at("gpu_h") == 5.0);
  CHECK(json.at("asked_gpu_h") == 4.25);
  CHECK(json.at("span_s") == 160.0);
  CHECK(json.at("median_run_time_s") == 300.0);
  CHECK(json.at("written_jobs") == 3);
  CHECK(json.at("logged_jobs") == 23);
  CHECK(json.at("out_of_order") == 11);
  CHECK(json.at("never_ran") == nlohmann::json{{"count", 2}, {"first", "n"}, {"line", 31}});
  CHECK(json.at("running") == nlohmann::json{{"count", 9}, {"first", "u"}, {"line", 37}});
}

TEST_CASE("jobs out of order are those submitted before the job in the row before them", "[import][pages]") {
  JobLog log;
  JobBook book(log);
  int line = 1;
  for (const double submit_s : {10.0, 50.0, 20.0, 30.0, 40.0, 35.0}) {  // 20 and 35 go back, 30 and 40 do not
    LoggedJob job;
    job.name = "j" + std::to_string(line);
    job.submit_s = submit_s;
    job.start_s = submit_s + 1.0;
    job.run_time_s = 5.0;
    job.gpus = 1.0;
    book.add(job, ++line);
  }
  CHECK(log.out_of_order == 2);
  CHECK(log.jobs.size() == 6);
}

TEST_CASE("an import of telemetry prints its samples, holes and clocks, with nodes behind and ahead",
          "[import][pages]") {
  const std::vector<std::string> lines = telemetry_text(
      made_up_telemetry(), {.least_w = 11.0, .mean_w = 12.0, .most_w = 13.0, .deviation_w = 0.5}, "t.csv");
  CHECK(has(lines, "log        csv, 3 files: 4 GPUs of 2 nodes, 60 samples"));
  CHECK(has(lines, "time       from 100 s, 1 min, every 2 s (1.75 to 2.25 s)"));
  CHECK(has(lines, "doubles    1 of 4 columns repeat another one to the last digit: n2.gpu_1 is n1.gpu_1"));
  CHECK(has(lines,
            "holes      5 holes, 12 samples missing; the longest has 9 samples, in n1.gpu_1, and begins at 120 s"));
  CHECK(has(lines, "           3 of them have more than three intervals: the last value before each hole is used"));
  CHECK(has(lines, "           21 samples without a number"));
  CHECK(has(lines, "order      22 rows came late, by at most 1.5 s, and are sorted"));
  CHECK(has(lines, "clocks     one begins after the first node: n2 by 7 s"));
  CHECK(has(lines,
            "clocks     the power of these nodes fits the power of the others best at another time: n1 3 s behind "
            "(correlation 0.91, as stamped 0.42), n2 4 s ahead (correlation 0.82, as stamped 0.33)"));
  CHECK(has(lines, "counters   23 resets: no mean across a reset"));
  CHECK(has(lines, "counters   24 readings of a counter that was not updated"));
  CHECK(has(lines, "sum        11 W to 13 W, mean 12 W, standard deviation 0.5 W"));
  const auto energy = std::ranges::find_if(lines, [](const auto& line) { return line.starts_with("energy"); });
  REQUIRE(energy != lines.end());
  CHECK(energy->starts_with("energy     2 kWh, in the trace "));  // of 7.2 MJ
}

TEST_CASE("the energy of an import is that of each sample until the next one, the last one for an interval",
          "[import][pages]") {
  PowerLog log;
  log.files = {"x.csv"};
  log.series = {{.node = "a", .gpu = "0", .times_s = {10.0, 11.0, 12.0}, .power_w = {100.0, 200.0, 400.0}},
                {.node = "a", .gpu = "1", .times_s = {11.0, 12.0}, .power_w = {50.0, 70.0}}};
  Problems problems;
  const SeriesFacts facts = prepare_series(log, {}, problems);
  CHECK(problems.empty());
  CHECK((facts.begin_s == 10.0 && facts.end_s == 13.0));
  CHECK(facts.energy_j ==
        Approx(100.0 + 200.0 + 400.0 + 50.0 + 50.0 + 70.0));  // before its first sample, a first value
}
