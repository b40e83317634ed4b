// What a summary and its events say of a queue, against the rows of its jobs and their own times: no two waits are equal, so that the last for the
// 95th of a hundred, a limit for a run time, or all nodes for free ones would show.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/run/figures/job_kpis.hpp"
#include "twin/run/figures/job_lines.hpp"
#include "twin/run/figures/summary.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;
using tests::ScenarioRun;

namespace {

std::unique_ptr<ScenarioRun> run_of(const std::string& queue, const std::string& duration) {
  auto run =
      std::make_unique<ScenarioRun>("one_rack",
                                    std::vector<std::string>{"workload=null", "jobs={queue: [" + queue + "]}",
                                                             "hall.racks.gpu_spread=none", "duration=" + duration},
                                    ScenarioRun::By::multirate);
  run->to_end();
  return run;
}

FinishedRun finished(const ScenarioRun& run) { return {run.plant, run.scenario, run.simulation(), run.statistics}; }

std::map<std::string, double> figures_of(const ScenarioRun& run) {
  FigureList list;
  add_jobs(finished(run), list);
  std::map<std::string, double> numbers;
  for (const NamedValue& one : list.take()) {
    if (const auto* count = std::get_if<std::int64_t>(&one.value)) numbers[one.name] = static_cast<double>(*count);
    if (const auto* number = std::get_if<double>(&one.value)) numbers[one.name] = *number;
  }
  return numbers;
}

std::string line_of(const ScenarioRun& run, const std::string& name) {
  for (const auto& [first, words] : job_lines(finished(run)))
    if (first == name) return words;
  return {};
}

JobOutcome row_of(const ScenarioRun& run, const std::string& name) {
  const std::vector<JobOutcome> rows = job_outcomes(finished(run));
  const auto found = std::ranges::find(rows, name, &JobOutcome::name);
  REQUIRE(found != rows.end());
  return *found;
}

}  // namespace

TEST_CASE("waits in a summary are the mean, the least that 95 % of jobs do not exceed, and the longest of all jobs",
          "[jobs][queue_numbers]") {
  const auto run = run_of(
      "{name: one, nodes: 8, count: 21, submit: 0 s, every: 7 s, run_time: 20 s, program: {kind: constant, node_power: "
      "6 kW}}",
      "6 min");
  std::vector<double> waits_s;
  std::map<std::string, double> states;
  double busy_s = 0.0;
  for (const JobOutcome& row : job_outcomes(finished(*run))) {
    const double until_s = std::isnan(row.started_s) ? 360.0 : row.started_s;
    waits_s.push_back(until_s - row.submitted_s);
    states[row.state] += 1.0;
    if (!std::isnan(row.started_s)) busy_s += (std::isnan(row.ended_s) ? 360.0 : row.ended_s) - row.started_s;
  }
  REQUIRE(waits_s.size() == 21);
  std::ranges::sort(waits_s);
  REQUIRE(std::ranges::adjacent_find(waits_s) == waits_s.end());
  const auto share_within = [&](double wait_s) {
    return double(std::ranges::count_if(waits_s, [&](double one) { return one <= wait_s; })) / 21.0;
  };
  const std::map<std::string, double> figures = figures_of(*run);
  const double p95_s = figures.at("p95_job_wait");
  CHECK(figures.at("mean_job_wait") == Approx(std::accumulate(waits_s.begin(), waits_s.end(), 0.0) / 21.0));
  CHECK(figures.at("longest_job_wait") == Approx(waits_s.back()));
  CHECK(share_within(p95_s) >= 0.95);
  CHECK(share_within(p95_s - 1.0) < 0.95);
  CHECK(p95_s < figures.at("longest_job_wait"));
  CHECK(figures.at("done_jobs") == states["done"]);
  CHECK(figures.at("waiting_jobs") == states["waiting"]);
  CHECK(figures.at("running_jobs") == states["running"]);
  CHECK(states["waiting"] != states["running"]);
  CHECK_THAT(line_of(*run, "queue"), Contains(fmt::format("{:.0f} of 21 submitted done, {:.0f} running, {:.0f} waiting",
                                                          states["done"], states["running"], states["waiting"])));
  CHECK(figures.at("job_node_time_ratio") == Approx(busy_s / 360.0).epsilon(1e-6));
}

TEST_CASE("the effective time of jobs is over the time for which they have nodes, goodput over all of the run",
          "[jobs][queue_numbers]") {
  const auto run =
      run_of("{name: half, nodes: 4, run_time: 2 min, program: {kind: training, checkpoint_time: 0 s}}", "5 min");
  const std::map<std::string, double> figures = figures_of(*run);
  const JobOutcome row = row_of(*run, "half");
  REQUIRE(row.done_s > 60.0);
  CHECK(figures.at("job_effective_time_ratio") == Approx(row.done_s * 4.0 / row.node_time_s).epsilon(1e-9));
  CHECK(figures.at("job_goodput_ratio") == Approx(row.done_s * 4.0 / (8.0 * 300.0)).epsilon(1e-9));
  CHECK(figures.at("job_effective_time_ratio") > 0.9);
  CHECK(figures.at("job_goodput_ratio") < 0.3);
}

TEST_CASE("a job that its limit ends says how much of its run time is done, and one that waits how many nodes are free",
          "[jobs][queue_numbers]") {
  const auto run = run_of(
      "{name: ended, nodes: 2, run_time: 1 h, time_limit: 3 min, program: {kind: training, checkpoint_time: 0 s, "
      "checkpoint_interval: 1 min}}, {name: most, nodes: 5, run_time: 1 h, program: {kind: constant, node_power: 6 "
      "kW}}, "
      "{name: last, nodes: 7, submit: 10 s, program: {kind: constant, node_power: 6 kW}}",
      "5 min");
  const auto ended = std::ranges::find(run->events(), "job_over_limit", &EventRecord::kind);
  REQUIRE(ended != run->events().end());
  CHECK(ended->target == "ended");
  CHECK(ended->time_s == 180.0);
  CHECK_THAT(ended->detail, Contains("ended by its time limit, ") && Contains(" of 1 h done"));
  CHECK(row_of(*run, "ended").state == "over_limit");
  CHECK(row_of(*run, "ended").why == ended->detail);
  CHECK(row_of(*run, "last").why == "needs 7 nodes, but only 3 are free");
}
