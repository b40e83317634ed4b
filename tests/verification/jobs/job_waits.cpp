// Why jobs of a queue waited until they had nodes, by hand, on a rack of eight nodes with decisions every 30 s; in a run and in its table of jobs.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/run/figures/summary.hpp"

using namespace wattloop;

namespace {

using Run = tests::ScenarioRun;

std::string job(const std::string& keys) { return "{" + keys + ", program: {kind: constant, node_power: 5 kW}}"; }

std::vector<std::string> waits(const std::string& jobs, double until_s = 3600.0) {
  Run run("one_rack", {"workload=null", "jobs={" + jobs + "}", "duration=60 min"});
  run.until(until_s);
  std::vector<std::string> texts;
  for (const twin::JobOutcome& row : twin::job_outcomes({run.plant, run.scenario, run.simulation(), run.statistics}))
    texts.push_back(row.waited_for);
  return texts;
}

const std::string long_job = job("name: long, nodes: 6, run_time: 10 min, time_limit: 10 min");

}  // namespace

TEST_CASE("a job that has started says what it had waited for", "[verification][queued_jobs][job_waits]") {
  SECTION("nodes") {
    CHECK(waits("queue: [" + long_job + ", " + job("name: next, nodes: 4, submit: 1 min") + "]") ==
          std::vector<std::string>{"", "9 min for nodes"});
  }
  SECTION("the next decision") {
    CHECK(waits("queue: [" + job("nodes: 4, submit: 50 s") + "]") ==
          std::vector<std::string>{"10 s for the next decision"});
  }
  SECTION("jobs before it, and then nodes") {
    // Two nodes are free, but the job would delay the one before it, which waits for all.
    CHECK(waits("queue: [" + long_job + ", " +
                job("name: all, nodes: 8, submit: 1 min, run_time: 5 min, time_limit: 5 min") + ", " +
                job("name: small, nodes: 2, submit: 2 min, run_time: 15 min, time_limit: 20 min") + "]") ==
          std::vector<std::string>{"", "9 min for nodes", "8 min for jobs before it, 5 min for nodes"});
  }
  SECTION("jobs of higher priority") {
    CHECK(waits("queue: [" + long_job + ", " +
                job("name: all, nodes: 8, submit: 2 min, priority: 3, run_time: 5 min, time_limit: 5 min") + ", " +
                job("name: small, nodes: 2, submit: 2 min, run_time: 15 min, time_limit: 20 min") + "]")[2] ==
          "8 min for jobs of higher priority, 5 min for nodes");
  }
  SECTION("the budget") {
    CHECK(waits("scheduler: {budget: 36 kW}, queue: [" + long_job + ", " + job("name: next, nodes: 2, submit: 1 min") +
                "]") == std::vector<std::string>{"", "9 min for power of the budget"});
  }
  SECTION("reserved nodes") {
    CHECK(waits("reservations: {demo: {nodes: row_1.rack_1, from: 5 min, to: 20 min}}, queue: [" +
                job("name: late, nodes: 2, submit: 4 min, run_time: 10 min, time_limit: 10 min") + "]") ==
          std::vector<std::string>{"16 min for nodes that are reserved"});
  }
  SECTION("up to now") {
    CHECK(waits("queue: [" + long_job + ", " + job("name: next, nodes: 4, submit: 1 min") + "]", 300.0) ==
          std::vector<std::string>{"", "4 min for nodes"});
  }
}

TEST_CASE("the reasons of all waits add up to the waits, and events say the reason",
          "[verification][queued_jobs][job_waits]") {
  Run run("one_rack", {"workload=null",
                       "jobs={scheduler: {budget: 30 kW}, queue: [{mix: seren, every: 20 s, program: {kind: training, "
                       "checkpoint_time: 0 s}}]}",
                       "duration=2 h"});
  run.to_end();
  const workload::JobQueue& queue = *run.jobs().queue();
  double reasons_s = 0.0;
  std::size_t counted = 0;
  for (std::size_t number = 0; number < queue.jobs.size(); ++number) {
    for (const twin::JobWait& wait : twin::waits_of(queue, number, run.state())) reasons_s += wait.time_s;
    counted += twin::state_of(queue, number, run.state()) != workload::JobIs::to_come ? 1 : 0;
  }
  const twin::QueueFigures figures = twin::queue_figures(queue, run.state());
  CHECK(counted > 200);
  CHECK(reasons_s > 3600.0);
  CHECK(std::abs(reasons_s - figures.mean_wait_s * static_cast<double>(counted)) < 1e-6 * reasons_s);
  CHECK(std::ranges::any_of(run.events(), [](const twin::EventRecord& event) {
    return event.kind == "job_started" && event.detail.find(", waited ") != std::string::npos &&
           event.detail.find(" for ") != std::string::npos;
  }));
}
