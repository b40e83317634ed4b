// Energy of jobs of a queue. By hand: a job on all nodes takes what the nodes take, jobs that share a rack what programs ask for. What a user reads of
// jobs in the summary is what the rows of single jobs add up to.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/run/figures/job_kpis.hpp"
#include "twin/run/figures/job_lines.hpp"
#include "twin/run/figures/summary.hpp"
#include "workload/nodes/node_split.hpp"

using namespace wattloop;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using EnergyRun = tests::ScenarioRun;

/// Sums of some hundred additions of doubles in another order.
constexpr double rounding_ratio = 1e-9;

std::vector<std::string> rack_of_jobs(const std::string& queue, const std::string& more = "title=x") {
  return {"workload=null", "jobs={queue: [" + queue + "]}", "hall.racks.gpu_spread=none", "duration=40 min", more};
}

twin::FinishedRun finished(const EnergyRun& run) { return {run.plant, run.scenario, run.simulation(), run.statistics}; }

double node_j(const EnergyRun& run) {
  return run.statistics.metered(run.state()).states[run.plant.meters.energy[run.plant.it.node_use]];
}

std::map<std::string, double> numbers_of(const EnergyRun& run) {
  twin::FigureList list;
  twin::add_jobs(finished(run), list);
  std::map<std::string, double> numbers;
  for (const twin::NamedValue& one : list.take()) {
    if (const auto* count = std::get_if<std::int64_t>(&one.value)) numbers[one.name] = static_cast<double>(*count);
    if (const auto* number = std::get_if<double>(&one.value)) numbers[one.name] = *number;
  }
  return numbers;
}

}  // namespace

TEST_CASE("a job on all nodes takes what the nodes take while it has them", "[verification][job_energy]") {
  for (const EnergyRun::By integrator : {EnergyRun::By::monolithic, EnergyRun::By::multirate}) {
    EnergyRun run(
        "one_rack",
        rack_of_jobs("{name: all, nodes: 8, run_time: 10 min, program: {kind: training, checkpoint_time: 0 s}}"),
        integrator);
    run.until(600.0);
    const double while_running_j = node_j(run);
    run.to_end();
    REQUIRE(run.statistics.jobs);
    CHECK(while_running_j > 8 * 600.0 * 6e3);
    CHECK_THAT(run.statistics.jobs->energy_j()[0], WithinRel(while_running_j, rounding_ratio));
    CHECK_THAT(run.statistics.jobs->idle_j(), WithinRel(node_j(run) - while_running_j, rounding_ratio));
  }
}

TEST_CASE("jobs that share a rack are given what their nodes draw", "[verification][job_energy]") {
  EnergyRun run("one_rack", rack_of_jobs("{name: large, nodes: 3, program: {kind: constant, node_power: 8 kW}}, "
                                         "{name: small, nodes: 2, program: {kind: constant, node_power: 4 kW}}"));
  run.to_end();
  const workload::NodeSplitParams& split = run.scenario.racks.front().hardware.split;
  const double idle_w = workload::node_from_gpus_w(split, 8.0 * split.gpu_idle_w);
  CHECK_THAT(run.statistics.jobs->energy_j()[0], WithinRel(2400.0 * 3.0 * 8e3, 1e-6));
  CHECK_THAT(run.statistics.jobs->energy_j()[1], WithinRel(2400.0 * 2.0 * 4e3, 1e-6));
  CHECK_THAT(run.statistics.jobs->idle_j(), WithinRel(2400.0 * 3.0 * idle_w, 1e-6));
  CHECK_THAT(run.statistics.jobs->of_jobs_j() + run.statistics.jobs->idle_j(), WithinRel(node_j(run), rounding_ratio));
}

TEST_CASE("a slow job in a shared rack has the energy by which racks with and without it differ",
          "[verification][job_energy]") {
  const std::string program =
      ", nodes: 4, program: {kind: training, checkpoint_time: 0 s, gpu_noise: 0 W, node_noise: 0 W}}";
  const std::string slow = "events=[{at: 0 s, slow: row_1.rack_1.node_2.gpu_5, to: 30 %}]";
  const std::string one = "{name: one" + program, other = "{name: other" + program;
  std::vector<double> of_one_j;
  for (const EnergyRun::By integrator : {EnergyRun::By::monolithic, EnergyRun::By::multirate}) {
    EnergyRun shared("one_rack", rack_of_jobs(one + ", " + other, slow), integrator);
    EnergyRun with_one("one_rack", rack_of_jobs(one, slow), integrator);
    EnergyRun with_other("one_rack", rack_of_jobs(other), integrator);
    for (EnergyRun* run : {&shared, &with_one, &with_other}) run->to_end();
    // Two racks have eight idle nodes more than the shared one. Dies are as warm in all: leakage differs a little.
    const double four_idle_j = 0.5 * (node_j(with_one) + node_j(with_other) - node_j(shared));
    of_one_j.push_back(shared.statistics.jobs->energy_j()[0]);
    CHECK_THAT(of_one_j.back(), WithinRel(node_j(with_one) - four_idle_j, 0.005));
    CHECK(of_one_j.back() < 0.7 * shared.statistics.jobs->energy_j()[1]);
    CHECK_THAT(shared.statistics.jobs->of_jobs_j() + shared.statistics.jobs->idle_j(),
               WithinRel(node_j(shared), rounding_ratio));
  }
  CHECK_THAT(of_one_j[0], WithinRel(of_one_j[1], 2e-4));
}

TEST_CASE("figures of jobs in the summary are those of the rows of single jobs", "[verification][job_energy]") {
  const std::string program =
      "program: {kind: training, checkpoint_interval: 4 min, checkpoint_time: 4 s, detection_time: 1 min, "
      "restart_time: 2 min}";
  EnergyRun run(
      "one_rack",
      rack_of_jobs(
          "{name: first, nodes: 5, run_time: 15 min, " + program +
              "}, {name: second, nodes: 3, submit: 1 min, time_limit: 9 min, " + program +
              "}, {name: many, nodes: 4, count: 4, submit: 2 min, every: 5 min, run_time: 7 min, " + program + "}",
          "events=[{at: 12 min, fail: row_1.rack_1.node_2}, {at: 20 min, slow: row_1.rack_1.node_4.gpu_1, to: 80 %}]"));
  run.to_end();
  const std::vector<twin::JobOutcome> rows = twin::job_outcomes(finished(run));
  const std::map<std::string, double> figures = numbers_of(run);
  const double nodes = 8.0, run_s = 2400.0;
  const auto sum_of = [&](const auto& value) {
    return std::accumulate(rows.begin(), rows.end(), 0.0,
                           [&](double sum, const twin::JobOutcome& row) { return sum + value(row); });
  };
  const auto count_of = [&](const std::string& state) {
    return static_cast<double>(std::ranges::count(rows, state, &twin::JobOutcome::state));
  };
  const auto over_nodes = [&](double twin::JobOutcome::*member) {
    return sum_of([&](const twin::JobOutcome& row) { return static_cast<double>(row.nodes) * row.*member; }) / nodes;
  };
  REQUIRE(rows.size() == 6);
  for (const auto& [figure, state] :
       std::array<std::pair<const char*, const char*>, 4>{{{"done_jobs", "done"},
                                                           {"over_limit_jobs", "over_limit"},
                                                           {"running_jobs", "running"},
                                                           {"waiting_jobs", "waiting"}}}) {
    INFO(figure);
    CHECK(figures.at(figure) == count_of(state));
  }
  CHECK(count_of("done") >= 2.0);
  CHECK(count_of("over_limit") == 1.0);
  CHECK(figures.at("submitted_jobs") == 6.0 - count_of("to_come"));
  for (const auto& [figure, member] : std::array<std::pair<const char*, double twin::JobOutcome::*>, 5>{
           {{"job_checkpoint_time", &twin::JobOutcome::saving_s},
            {"job_slowed_time", &twin::JobOutcome::slowed_s},
            {"job_shrunk_time", &twin::JobOutcome::shrunk_s},
            {"job_stopped_time", &twin::JobOutcome::stopped_s},
            {"job_redone_time", &twin::JobOutcome::redone_s}}}) {
    INFO(figure);
    CHECK((figures.at(figure) > 0.0 || member == &twin::JobOutcome::shrunk_s));
    CHECK_THAT(figures.at(figure), WithinRel(over_nodes(member), rounding_ratio));
  }
  for (const auto& [figure, member] : std::array<std::pair<const char*, double twin::JobOutcome::*>, 3>{
           {{"job_slowed_gpu_time", &twin::JobOutcome::slowed_s},
            {"job_stopped_gpu_time", &twin::JobOutcome::stopped_s},
            {"job_redone_gpu_time", &twin::JobOutcome::redone_s}}}) {
    INFO(figure);
    constexpr double gpus_per_node = 8.0;
    CHECK_THAT(figures.at(figure), WithinRel(gpus_per_node * nodes * over_nodes(member), rounding_ratio));
  }
  CHECK_THAT(figures.at("job_goodput_ratio") * run_s, WithinRel(over_nodes(&twin::JobOutcome::done_s), rounding_ratio));
  const double held_s = sum_of([](const twin::JobOutcome& row) { return row.node_time_s; }) / nodes;
  CHECK_THAT(figures.at("job_node_time_ratio") * run_s, WithinRel(held_s, rounding_ratio));
  CHECK_THAT(held_s, WithinRel(over_nodes(&twin::JobOutcome::done_s) + over_nodes(&twin::JobOutcome::slowed_s) +
                                   over_nodes(&twin::JobOutcome::stopped_s) + over_nodes(&twin::JobOutcome::redone_s),
                               rounding_ratio));
  CHECK(figures.at("job_steps") == sum_of([](const twin::JobOutcome& row) { return row.steps; }));
  CHECK(figures.at("job_stops") == sum_of([](const twin::JobOutcome& row) { return static_cast<double>(row.stops); }));
  const double waits_s = sum_of([&](const twin::JobOutcome& row) {
    const double waited_s = twin::wait_s(row, run_s);
    return std::isnan(waited_s) ? 0.0 : waited_s;
  });
  CHECK(waits_s > 0.0);
  CHECK_THAT(figures.at("mean_job_wait"), WithinRel(waits_s / figures.at("submitted_jobs"), rounding_ratio));
  const double jobs_j = sum_of([](const twin::JobOutcome& row) { return row.energy_j; });
  CHECK_THAT(figures.at("job_energy"), WithinRel(jobs_j, rounding_ratio));
  CHECK_THAT(jobs_j + figures.at("idle_node_energy"), WithinRel(node_j(run), rounding_ratio));
  CHECK(rows[0].why == "1 of 5 nodes lost");
  CHECK(rows[1].why.starts_with("ended by its time limit"));
  CHECK(run.times_s("job_started").size() + 1 ==
        static_cast<std::size_t>(sum_of([](const twin::JobOutcome& row) { return static_cast<double>(row.starts); })));
  CHECK(static_cast<double>(run.times_s("job_ended").size()) == count_of("done"));
}

TEST_CASE("the wait for storage in the summary is the mean over all nodes of the waits of single jobs",
          "[verification][job_energy]") {
  // By hand: 5.2 TB take 10.4 s at 500 GB/s. Jobs of three and of two nodes save at once, and each waits 10.4 s; three nodes have no job.
  const std::string program =
      "program: {kind: training, step_time: 10 s, evaluation_time: 0 s, evaluation_dip_time: 0 s, stage_lag: 0 s, "
      "checkpoint: {contents: weights, parameters: 2.6e12, interval: 5 min}}";
  for (const EnergyRun::By integrator : {EnergyRun::By::monolithic, EnergyRun::By::multirate}) {
    EnergyRun run(
        "one_rack",
        {"workload=null",
         "jobs={storage: {read: 1 TB/s, write: 500 GB/s, per_node: 1 TB/s}, queue: [{name: three, nodes: 3, " +
             program + "}, {name: two, nodes: 2, " + program + "}]}",
         "duration=10 min"},
        integrator);
    run.to_end();
    const std::vector<twin::JobOutcome> rows = twin::job_outcomes(finished(run));
    const std::map<std::string, double> figures = numbers_of(run);
    REQUIRE(rows.size() == 2);
    double node_wait_s = 0.0;
    for (const twin::JobOutcome& row : rows) {
      CHECK_THAT(row.storage_wait_s, WithinAbs(10.4, 1e-6));
      node_wait_s += static_cast<double>(row.nodes) * row.storage_wait_s;
    }
    CHECK_THAT(figures.at("job_storage_wait_time"), WithinRel(node_wait_s / 8.0, rounding_ratio));
    CHECK_THAT(figures.at("job_storage_wait_time"), WithinAbs(5.0 / 8.0 * 10.4, 1e-6));
    CHECK_THAT(figures.at("job_storage_wait_gpu_time"), WithinRel(8.0 * node_wait_s, rounding_ratio));
  }
}

TEST_CASE("a job that needs more than the budget is stuck, and its row says so", "[verification][job_energy]") {
  EnergyRun run(
      "one_rack",
      {"workload=null", "duration=10 min",
       "jobs={scheduler: {budget: 20 kW}, queue: [{name: big, nodes: 4, program: {kind: constant, node_power: 6 kW}}, "
       "{name: small, nodes: 3, program: {kind: constant, node_power: 6 kW}}]}"});
  run.to_end();
  CHECK(numbers_of(run).at("stuck_jobs") == 1.0);
  CHECK(numbers_of(run).at("never_started_jobs") == 1.0);
  const std::vector<twin::JobOutcome> rows = twin::job_outcomes(finished(run));
  CHECK(rows[0].why == "never fits: needs 24 kW, but the budget is 20 kW");
  CHECK(rows[1].why.empty());
}
