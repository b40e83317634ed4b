// Elastic jobs: they go on with fewer nodes where one is lost, and take nodes back at a checkpoint. By hand: the same work on n of N nodes computes
// N / n as long. In a hall with both integrators, and without a hall against a job followed failure by failure.
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/mistake_of.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/verification.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "workload/queue/queue_run.hpp"
#include "workload/training/training.hpp"

using namespace wattloop;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Run = tests::ScenarioRun;
using workload::JobIs;

const std::string quiet =
    "kind: training, evaluation_time: 0 s, evaluation_dip_time: 0 s, gpu_noise: 0 W, node_noise: 0 W, gpu_spread: 0 W, "
    "stage_lag: 0 s, detection_time: 1 min, restart_time: 2 min, checkpoint_interval: 4 min, checkpoint_time: 4 s";
const std::string elastic = quiet + ", elastic: true";
const std::string seldom_saving =
    "kind: training, elastic: true, checkpoint_interval: 19 min, detection_time: 1 min, restart_time: 2 min";
constexpr double step_s = 10.765, computing_s = 0.944 * step_s, communicating_s = step_s - computing_s;

/// From the end of a save to the end of the next, where computing takes so many times as long.
double cycle_s(double computing_ratio) { return 22.0 * (computing_s * computing_ratio + communicating_s) + 4.0; }

std::vector<std::string> queue_of(const std::string& jobs, const std::string& more = "title=x") {
  return {"workload=null", "jobs={" + jobs + "}", "hall.racks.gpu_spread=none", "duration=60 min", more};
}

double gpu_loads_w(const Run& run, std::size_t node) {
  const twin::UnitGroup& units = *run.plant.groups[run.plant.it.groups.front().gpu_units];
  double sum_w = 0.0;
  for (std::size_t gpu = 8 * node; gpu < 8 * (node + 1); ++gpu)
    sum_w += run.state().inputs[units.first_load - run.plant.map.input(0) + gpu];
  return sum_w;
}

constexpr std::array both_ways{Run::By::monolithic, Run::By::multirate};

}  // namespace

TEST_CASE("work on a share of the nodes computes as much longer, with the energy of that time",
          "[verification][elastic_jobs]") {
  workload::TrainingParams params;
  params.evaluation_s = params.evaluation_dip_s = params.gpu_noise_w = params.node_noise_w = params.gpu_spread_w = 0.0;
  params.checkpoint_s = params.stage_lag_s = 0.0;
  workload::NodeSet nodes;
  nodes.split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
  for (const double share : {1.0, 0.875, 0.5}) {
    const double shrunk_step_s = computing_s / share + communicating_s;
    params.sample_interval_s = shrunk_step_s;
    const auto work = make_training(params, nodes, 1);
    const workload::SynchronousJob& program = *work->jobs().front().program;
    const workload::JobClock clock = program.at_size({}, 0.0, share);
    workload::SampleBasis basis;
    std::vector<double> gpu_w(8), ac_w(1), gpus_w(1);
    work->prepare(10.5 * shrunk_step_s, {.clocks = std::span(&clock, 1)}, basis);
    work->sample_with_sums(basis, {0, 1}, gpu_w, {ac_w, gpus_w});
    const double mean_w =
        (computing_s / share * params.compute_gpu_w + communicating_s * params.communication_gpu_w) / shrunk_step_s;
    CHECK_THAT(gpu_w[3], WithinRel(mean_w, 1e-12));
    CHECK(program.progress(clock, 100.5 * shrunk_step_s).steps == 100.0);
    CHECK_THAT(program.longer_s(20.0 * step_s, 50.0 * step_s, share), WithinAbs(30.0 * (shrunk_step_s - step_s), 1e-9));
    CHECK_THAT(program.at_size(clock, 777.0, 1.0).position_s, WithinAbs(program.progress(clock, 777.0).gained_s, 1e-9));
    if (share == 0.875) {
      const workload::JobClock of_all{.position_s = 100.0 * step_s};
      const double ours = program.at_size(of_all, 0.0, share).position_s / of_all.position_s;
      tests::report_verification({"seven of eight nodes of an elastic job", "closed form", "step time over that of all",
                                  ours, 0.944 * 8.0 / 7.0 + 0.056, 1e-12, "1"});
    }
  }
}

TEST_CASE("an elastic job goes on with fewer nodes, and takes them back at a checkpoint",
          "[verification][elastic_jobs]") {
  const std::string events = "events=[{at: 10 min, fail: row_1.rack_1.node_2, for: 10 min}]";
  for (const bool is_queued : {false, true}) {
    for (const Run::By integrator : both_ways) {
      Run run("one_rack",
              is_queued ? queue_of("queue: [{name: job, nodes: 8, program: {" + elastic + "}}]", events)
                        : std::vector<std::string>{"workload={" + elastic + "}", "hall.racks.gpu_spread=none",
                                                   "duration=60 min", events},
              integrator);
      run.until(1000.0);
      CHECK(gpu_loads_w(run, 1) == 0.0);
      CHECK(gpu_loads_w(run, 0) > 8.0 * 200.0);
      run.to_end();
      // It stops at 600 s after two saves and more, for a minute until this is noticed and two for the restart.
      CHECK(run.times_s("job_stopped") == std::vector<double>{600.0});
      CHECK(run.times_s("job_shrunk") == std::vector<double>{660.0});
      CHECK(run.times_s("job_requeued").empty());
      REQUIRE(run.times_s("job_resumed").size() == 2);
      CHECK_THAT(run.times_s("job_resumed")[0], WithinAbs(780.0, 1e-9));
      // The node is back after the order to restore it and a boot of five minutes: from the next save on it works.
      double grown_s = 780.0, saves = 0.0;
      for (; grown_s < 1500.0; ++saves) grown_s += cycle_s(8.0 / 7.0);
      REQUIRE(run.times_s("job_grown").size() == 1);
      CHECK_THAT(run.times_s("job_grown")[0], WithinAbs(grown_s, 1e-6));
      CHECK_THAT(run.times_s("job_resumed")[1], WithinAbs(grown_s + 120.0, 1e-6));
      const double at_end_s = (2.0 + saves) * cycle_s(1.0) + 3600.0 - grown_s - 120.0;
      const twin::JobFigures job = twin::job_figures(run.jobs(), run.state());
      CHECK_THAT(job.gained_s, WithinAbs(at_end_s, 1e-5));
      CHECK_THAT(job.lost.stopped_s, WithinAbs(300.0, 1e-6));
      CHECK_THAT(job.lost.redone_s, WithinAbs(600.0 - 2.0 * cycle_s(1.0), 1e-5));
      CHECK_THAT(job.lost.shrunk_s, WithinAbs(saves * (cycle_s(8.0 / 7.0) - cycle_s(1.0)), 1e-5));
      CHECK_THAT(job.lost.slowed_s, WithinAbs(0.0, 1e-5));
      CHECK(job.lost.stops == 1);
      CHECK(gpu_loads_w(run, 1) > 8.0 * 150.0);
      CHECK(std::abs(run.energy_residual()) < 1e-9);
    }
  }
}

TEST_CASE("a node that is back is idle until the job takes it, and is free when the job ends",
          "[verification][elastic_jobs]") {
  for (const Run::By integrator : both_ways) {
    Run run("one_rack",
            queue_of("queue: [{name: long, nodes: 6, run_time: 20 min, program: {" + seldom_saving +
                         "}}, {name: next, nodes: 8, submit: 1 min, program: {" + quiet + "}}]",
                     "events=[{at: 4 min, fail: row_1.rack_1.node_2, for: 3 min}]"),
            integrator);
    run.until(900.0);
    CHECK(run.state().work.node_is[1] == twin::NodeIs::idle);
    const double idle_w = run.scenario.racks.front().hardware.split.gpu_idle_w;
    CHECK_THAT(gpu_loads_w(run, 1), WithinRel(8.0 * idle_w, 1e-9));
    run.to_end();
    const workload::JobRecord& record = run.state().work.queue.records.at(0);
    CHECK(record.is == JobIs::done);
    // Begun again at 240 + 60 + 120 s with five of six nodes, it saves after 19 min of work or more, and takes the node back.
    CHECK(run.times_s("job_grown").size() == 1);
    const double next_s = run.state().work.queue.records.at(1).first_start_s;
    CHECK(next_s >= record.end_s);
    CHECK(next_s < record.end_s + 30.0);
  }
}

TEST_CASE("an elastic job waits for nodes where too few are left", "[verification][elastic_jobs]") {
  Run run("one_rack",
          queue_of("queue: [{name: job, nodes: 4, program: {" + elastic +
                       ", least_share: 80 %}}, {name: next, nodes: 8, submit: 1 min, program: {" + quiet + "}}]",
                   "events=[{at: 10 min, fail: row_1.rack_1.node_2}]"));
  run.to_end();
  CHECK(run.times_s("job_requeued") == std::vector<double>{660.0});
  CHECK(run.times_s("job_shrunk").empty());
}

TEST_CASE("failures by chance shrink elastic jobs alike with either integrator", "[verification][elastic_jobs]") {
  const std::string unlucky =
      "failures: {rates: {kinds: {gpu: {mean_time: 8 h}, software: {mean_time: 32 h, takes_node: false}}}, repair: 3 "
      "min}, queue: [{name: a, nodes: 5, program: {" +
      elastic + "}}, {name: b, nodes: 3, program: {" + elastic + "}}]";
  Run slow("one_rack", queue_of(unlucky), Run::By::monolithic),
      quick("one_rack", queue_of(unlucky), Run::By::multirate);
  slow.to_end();
  quick.to_end();
  CHECK(slow.times_s("job_shrunk").size() > 1);
  CHECK(slow.times_s("job_grown").size() > 0);
  for (const char* kind : {"failure", "job_stopped", "job_shrunk", "job_resumed"})
    CHECK(slow.times_s(kind) == quick.times_s(kind));
  for (const Run* run : {&slow, &quick}) {
    CHECK(std::abs(run->energy_residual()) < 1e-9);
    const twin::JobFigures all = twin::job_figures(run->jobs(), run->state());
    CHECK(all.lost.shrunk_s > 0.0);
    CHECK_THAT(all.gained_s + all.lost.stopped_s + all.lost.redone_s + all.lost.slowed_s + all.lost.shrunk_s,
               WithinRel(all.held_s, 1e-9));
  }
}

TEST_CASE("a job without a hall goes on with fewer nodes as one followed failure by failure",
          "[verification][elastic_jobs]") {
  constexpr std::size_t nodes = 8;
  constexpr double saving_s = 600.0, repair_s = 5000.0, run_time_s = 2e5;
  workload::FailureParams rates;
  rates.kinds = {{.name = "gpu", .mean_time_s = 2000.0 * nodes}};
  rates.repair_s = repair_s;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const workload::FailureProcess failures(rates, nodes, seed);
    const workload::JobList jobs{{.nodes = nodes, .run_time_s = run_time_s, .least_nodes = 1}};
    const workload::ClusterNodes cluster{.rack_of_node = std::vector<std::uint32_t>(nodes)};
    const workload::QueueRun run(jobs, cluster, {},
                                 {.checkpoint_interval_s = saving_s, .failures = &failures, .gpus_per_node = 1});
    workload::QueueRunState state = run.at_begin();
    run.advance(state, 1e6);

    // By hand: work grows by the share of nodes that take part; a failure takes back what is not saved; nodes that are back take part from the
    // next save on, or from the next failure on.
    double now_s = 0.0, done_s = 0.0, lost_s = 0.0, joins_s = 1e9;
    std::size_t taking_part = nodes;
    std::map<std::size_t, double> out;
    workload::FailureCounters counters = failures.at_begin();
    while (done_s < run_time_s - 1e-6) {
      const double share = static_cast<double>(taking_part) / nodes;
      double back_s = 1e9;
      for (const auto& [node, at_s] : out) back_s = std::min(back_s, at_s);
      const double next_s =
          std::min({failures.next_s(counters), back_s, joins_s, now_s + (run_time_s - done_s) / share});
      done_s += (next_s - now_s) * share;
      now_s = next_s;
      if (next_s == failures.next_s(counters)) {
        const std::size_t node = failures.take_next(counters).gpu;
        if (out.contains(node)) continue;
        out[node] = now_s + repair_s;
        const double saved_s = std::floor(done_s / saving_s + 1e-9) * saving_s;
        lost_s += done_s - saved_s;
        done_s = saved_s;
        taking_part = nodes - out.size();
        joins_s = 1e9;
        REQUIRE(taking_part > 0);
      } else if (next_s == back_s) {
        std::erase_if(out, [&](const auto& one) { return one.second == back_s; });
        joins_s = std::min(joins_s, now_s + ((std::floor(done_s / saving_s) + 1.0) * saving_s - done_s) / share);
      } else if (next_s == joins_s) {
        taking_part = nodes - out.size();
        joins_s = 1e9;
      }
    }
    CHECK(state.queue.records[0].is == JobIs::done);
    CHECK(state.queue.records[0].starts == 1);
    CHECK_THAT(state.queue.records[0].end_s, WithinRel(now_s, 1e-9));
    CHECK_THAT(state.redone_node_time_s[0], WithinRel(nodes * lost_s, 1e-9));
  }
}

TEST_CASE("mistakes about elastic jobs are reported", "[scenario][elastic_jobs]") {
  CHECK_THAT(tests::mistake_of({"workload={kind: training, elastic: true, checkpoint_time: 0 s}"}),
             Contains("elastic: a job continues from a checkpoint"));
  CHECK_THAT(tests::mistake_of({"workload={kind: training, elastic: true, coupling: none}"}),
             Contains("elastic: needs `coupling: slowest_gpu`"));
  CHECK_THAT(tests::mistake_of({"workload={kind: training, elastic: true, least_share: 0 %}"}),
             Contains("least_share"));
  CHECK_THAT(tests::mistake_of({"workload={kind: constant, elastic: true}"}), Contains("elastic"));
}
