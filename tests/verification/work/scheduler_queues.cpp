// Jobs run without a hall against closed forms: mean waits of M/M/1 and M/D/1 (Pollaczek and Khinchine: W = lambda E[S^2] / (2 (1 - rho))),
// work that is conserved where jobs are stopped, and the tasks of [alibaba_gpu_v2023] against a queue by hand.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/by_hand/queue_by_hand.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "workload/queue/job_mix.hpp"
#include "workload/queue/queue_run.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

ClusterNodes cluster_of(std::size_t nodes, std::size_t nodes_of_rack) {
  ClusterNodes cluster;
  for (std::size_t node = 0; node < nodes; ++node) {
    cluster.rack_of_node.push_back(static_cast<std::uint32_t>(node / nodes_of_rack));
  }
  return cluster;
}

/// Mean wait on one node where services take 1000 s in the mean.
double mean_wait_s(double busy, bool is_exponential) {
  std::mt19937_64 generator(7);
  std::exponential_distribution<double> pause(busy / 1000.0), service(1.0 / 1000.0);
  JobList jobs(1'000'000);
  double submit_s = 0.0;
  for (JobRequest& job : jobs) {
    job.submit_s = submit_s += pause(generator);
    job.run_time_s = is_exponential ? service(generator) : 1000.0;
  }
  const ClusterNodes node = cluster_of(1, 1);
  const QueueRun run(jobs, node, {.interval_s = 0.125}, {});
  QueueRunState state = run.at_begin();
  run.advance(state);
  const QueueFigures figures = queue_figures(jobs, state);
  CHECK(figures.done == jobs.size());
  return figures.mean_wait_s;
}

}  // namespace

TEST_CASE("jobs wait on one node as long as those of M/M/1 and M/D/1", "[verification][scheduler]") {
  for (const double busy : {0.5, 0.7}) {
    for (const bool is_exponential : {true, false}) {
      const double ours_s = mean_wait_s(busy, is_exponential);
      const double theirs_s = busy * (is_exponential ? 2.0 : 1.0) * 1000.0 / (2.0 * (1.0 - busy));
      CHECK_THAT(ours_s, WithinRel(theirs_s, 0.02));
      tests::report_verification({std::string(is_exponential ? "M/M/1" : "M/D/1") + ", " + (busy < 0.6 ? "50" : "70") +
                                      " % busy, 1e6 jobs of 1,000 s",
                                  "closed form", "mean wait", ours_s, theirs_s, 0.02 * theirs_s, "s"});
    }
  }
}

namespace {

/// A hundred nodes that fail, and jobs that preempt each other.
struct Busy {
  JobList jobs = {};
  ClusterNodes nodes = cluster_of(100, 8);
  FailureParams params{.kinds = {{"node", 5e6, true}, {"software", 8e6, false}}, .repair_s = 20000.0};
  FailureProcess failures{params, 800, 3};

  Busy() {
    std::mt19937 generator(11);
    const auto roll = [&](int first, int last) { return std::uniform_int_distribution<int>(first, last)(generator); };
    double submit_s = 0.0;
    for (int k = 0; k < 2000; ++k) {
      JobRequest job{.submit_s = submit_s += roll(0, 200)};
      job.nodes = static_cast<std::size_t>(roll(1, 10) < 8 ? roll(1, 4) : roll(8, 60));
      job.run_time_s = roll(60, 4000);
      if (roll(1, 10) < 9) job.time_limit_s = job.run_time_s * (roll(1, 10) < 9 ? 1.5 : 0.75);
      job.priority = roll(0, 2);
      job.is_preemptable = job.priority == 0;
      jobs.push_back(job);
    }
  }

  QueueRun run(double checkpoint_interval_s) const {
    return QueueRun(jobs, nodes, {}, {.checkpoint_interval_s = checkpoint_interval_s, .failures = &failures});
  }
};

}  // namespace

TEST_CASE("node time of jobs that are stopped is their work and what they do again", "[verification][scheduler]") {
  const Busy busy;
  std::vector<double> redone_s;
  for (const double checkpoint_interval_s : {0.0, 300.0, never}) {
    const QueueRun run = busy.run(checkpoint_interval_s);
    QueueRunState state = run.at_begin();
    run.advance(state);
    double node_time_s = 0.0, work_s = 0.0, again_s = 0.0;
    std::size_t stops = 0;
    for (std::size_t k = 0; k < busy.jobs.size(); ++k) {
      const JobRecord& record = state.queue.records[k];
      REQUIRE((record.is == JobIs::done || record.is == JobIs::over_limit));
      const JobRequest& job = busy.jobs[k];
      const double nodes = static_cast<double>(job.nodes);
      // A time limit counts from the last start: a job that saved work before it does more than its limit.
      const double done_s = record.is == JobIs::done ? job.run_time_s : record.saved_s + job.time_limit_s;
      CHECK_THAT(record.node_time_s - state.redone_node_time_s[k], WithinAbs(nodes * done_s, 1e-4));
      node_time_s += record.node_time_s;
      work_s += nodes * done_s;
      again_s += state.redone_node_time_s[k];
      stops += record.starts - 1;
    }
    CHECK(stops > 200);
    CHECK_THAT(node_time_s, WithinRel(work_s + again_s, 1e-9));
    CHECK_THAT(mean_busy_nodes(state.busy, 0.0, state.now_s) * state.now_s, WithinRel(node_time_s, 1e-9));
    redone_s.push_back(again_s);
  }
  CHECK(redone_s[0] == 0.0);
  CHECK(redone_s[1] > 0.0);
  CHECK(redone_s[2] > 3.0 * redone_s[1]);
}

namespace {

template <class Value>
bool is_same(const std::vector<Value>& first, const std::vector<Value>& second) {
  return first.size() == second.size() &&
         std::equal(first.begin(), first.end(), second.begin(), [](const Value& one, const Value& other) {
           return std::memcmp(&one, &other, sizeof(double)) == 0;
         });
}

}  // namespace

TEST_CASE("a run that goes on from a copy of its state is the same to the last bit", "[verification][scheduler]") {
  const Busy busy;
  const QueueRun run = busy.run(300.0), again = busy.run(300.0);
  QueueRunState whole = run.at_begin(), part = run.at_begin();
  run.advance(whole);
  for (double until_s = 12345.6; until_s < 2.5e5; until_s += 12345.6) {
    run.advance(part, until_s);
    const QueueRunState copy = part;
    part = copy;
  }
  again.advance(part);
  CHECK(is_same(whole.redone_node_time_s, part.redone_node_time_s));
  CHECK(whole.queue.where.slot_of_node == part.queue.where.slot_of_node);
  CHECK(whole.busy.size() == part.busy.size());
  for (std::size_t k = 0; k < whole.queue.records.size(); ++k) {
    const JobRecord &one = whole.queue.records[k], &other = part.queue.records[k];
    REQUIRE((one.is == other.is && one.starts == other.starts && one.first_start_s == other.first_start_s &&
             one.end_s == other.end_s && one.node_time_s == other.node_time_s && one.saved_s == other.saved_s));
  }
}

namespace {

/// Tasks that ask for GPUs and ran, of the last third of the trace, in which most come. A share of a GPU counts as one.
std::vector<JobTraceRow> alibaba_tasks() {
  constexpr double first_s = 1e7;
  std::ifstream file(tests::reference_data() + "/jobs/alibaba_gpu_v2023/openb_pod_list_default.csv");
  std::string line;
  std::getline(file, line);
  std::vector<JobTraceRow> rows;
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    cells.resize(11);
    const double gpus = std::stod(cells[3]);
    if (gpus == 0.0 || cells[10].empty()) continue;
    if (std::stod(cells[8]) < first_s) continue;
    const double run_time_s = std::stod(cells[9]) - std::stod(cells[10]);
    rows.push_back({.name = cells[0],
                    .submit_s = std::stod(cells[8]) - first_s,
                    .gpus = cells[4] == "1000" ? gpus : std::stod(cells[4]) / 1000.0,
                    .run_time_s = run_time_s,
                    .time_limit_s = 2.0 * run_time_s});
  }
  return rows;
}

constexpr std::size_t gpus_of_hall = 128;

struct Compressed {
  double busy_fraction = 0.0;  ///< until the last submission
  FoundJobs found = {};
  QueueRunState state = {};
};

Compressed compressed(const std::vector<JobTraceRow>& rows, double compress) {
  Compressed result{.found = jobs_of_rows(rows, {.nodes = gpus_of_hall, .gpus_per_node = 1}, compress)};
  const ClusterNodes nodes = cluster_of(gpus_of_hall, 8);
  const QueueRun run(result.found.jobs, nodes, {}, {});
  result.state = run.at_begin();
  run.advance(result.state);
  const double busy = mean_busy_nodes(result.state.busy, 0.0, result.found.jobs.back().submit_s);
  result.busy_fraction = busy / static_cast<double>(gpus_of_hall);
  return result;
}

}  // namespace

TEST_CASE("tasks of a published trace, compressed until GPUs are 80 % busy, start as by hand",
          "[verification][scheduler]") {
  const std::vector<JobTraceRow> rows = alibaba_tasks();
  REQUIRE(rows.size() > 6000);
  double low = 1.0, high = 30.0;
  CHECK(compressed(rows, low).busy_fraction < 0.5);
  for (int halving = 0; halving < 12; ++halving) {
    const double middle = 0.5 * (low + high);
    (compressed(rows, middle).busy_fraction < 0.8 ? low : high) = middle;
  }
  const Compressed ours = compressed(rows, high);
  CHECK_THAT(ours.busy_fraction, WithinAbs(0.8, 0.01));
  CHECK(ours.found.too_large.empty());
  // By hand as far as the first tasks go: those that come later change nothing before.
  const std::size_t count = 4500;
  tests::ByHandCluster cluster{.jobs = {ours.found.jobs.begin(), ours.found.jobs.begin() + count},
                               .nodes = cluster_of(gpus_of_hall, 8)};
  tests::QueueByHand theirs(cluster);
  while (theirs.now_s < cluster.jobs.back().submit_s) theirs.step();
  std::size_t same = 0, started = 0, waited = 0;
  for (std::size_t k = 0; k < cluster.jobs.size(); ++k) {
    if (theirs.jobs[k].starts_s.empty()) continue;
    ++started;
    same += theirs.jobs[k].starts_s.front() == ours.state.queue.records[k].first_start_s ? 1 : 0;
    waited += theirs.jobs[k].starts_s.front() - cluster.jobs[k].submit_s > 30.0 ? 1 : 0;
  }
  CHECK(started > 4000);
  CHECK(same == started);
  CHECK(waited > 100);
  CHECK(theirs.backfilled > 20);
  tests::report_verification({"first tasks of the Alibaba trace on 128 GPUs, 80 % busy", "second reading",
                              "tasks that start at the decision by hand", static_cast<double>(same),
                              static_cast<double>(started), 0.0, "jobs", "second reading"});
}
