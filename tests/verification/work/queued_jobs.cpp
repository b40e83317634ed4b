// Jobs that come and go in a hall. By hand: a job ends when its work is done at the pace of its slowest GPU, starts at decisions, and goes on from
// its checkpoint on other nodes where it lost one. Both integrators.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "workload/queue/queued_work.hpp"
#include "workload/training/training.hpp"

using namespace wattloop;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Run = tests::ScenarioRun;
using workload::JobIs;

const std::string bare =
    "kind: training, evaluation_time: 0 s, evaluation_dip_time: 0 s, gpu_noise: 0 W, node_noise: 0 W, gpu_spread: 0 W, "
    "stage_lag: 0 s, detection_time: 1 min, restart_time: 2 min";
const std::string saving = bare + ", checkpoint_interval: 4 min, checkpoint_time: 4 s";
constexpr double save_s = 22.0 * 10.765 + 4.0;  ///< whole steps from one to the next, and the save
constexpr double compute_share = 0.944, communication_share = 0.056;

/// Eight nodes of eight GPUs in a rack.
std::vector<std::string> rack_with(const std::string& jobs, const std::string& more = "title=x") {
  return {"workload=null", "jobs={" + jobs + "}", "hall.racks.gpu_spread=none", "duration=40 min", more};
}

std::string job(const std::string& keys, const std::string& program = saving) {
  return "{" + keys + ", program: {" + program + "}}";
}

const workload::JobRecord& record(const Run& run, std::size_t number) {
  return run.state().work.queue.records.at(number);
}

double gpu_loads_w(const Run& run, std::size_t first_node, std::size_t nodes) {
  const twin::UnitGroup& units = *run.plant.groups[run.plant.it.groups.front().gpu_units];
  double sum_w = 0.0;
  for (std::size_t gpu = 8 * first_node; gpu < 8 * (first_node + nodes); ++gpu)
    sum_w += run.state().inputs[units.first_load - run.plant.map.input(0) + gpu];
  return sum_w;
}

constexpr std::array both{Run::By::monolithic, Run::By::multirate};

}  // namespace

TEST_CASE("one job of a queue on all nodes is the work of the hall", "[verification][queued_jobs]") {
  for (const Run::By integrator : both) {
    Run queued("one_rack",
               {"workload=null", "jobs={queue: [{nodes: 8, program: {kind: training}}]}", "duration=20 min"},
               integrator);
    Run fixed("one_rack", {"workload={kind: training}", "duration=20 min"}, integrator);
    queued.to_end();
    fixed.to_end();
    CHECK(queued.state().states == fixed.state().states);
    CHECK(queued.state().inputs == fixed.state().inputs);
    CHECK(twin::job_figures(queued.jobs(), queued.state()).gained_s ==
          twin::job_figures(fixed.jobs(), fixed.state()).gained_s);
  }
}

TEST_CASE("nodes of small jobs of a queue draw what the program draws on all nodes at once",
          "[verification][queued_jobs]") {
  constexpr std::size_t nodes = 40, gpus = 8;
  workload::NodeSet half;
  half.nodes = static_cast<int>(nodes / 2);
  half.split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
  workload::TrainingParams params;
  params.step_s = 7.0;
  params.checkpoint_s = 5.0;
  std::vector<workload::ProgramsOfNodes> groups;
  for (int group = 0; group < 2; ++group) {
    groups.push_back({nodes / 2, half.split, {}});
    groups.back().programs.push_back(make_training(params, half, 7));
  }
  const auto alone = make_training(params, half, 7);
  const auto queued = make_queued_work(std::move(groups), {}, {workload::WattsContain{}});
  // jobs of one node, of neighbours across both groups, of nodes far apart; others are free
  workload::Placement where{.slot_of_node = std::vector<std::uint32_t>(nodes), .program_of_slot = {0, 0, 0, 0}};
  where.slot_of_node[5] = 1;
  for (std::size_t node = 15; node < 25; ++node) where.slot_of_node[node] = 2;
  for (const std::size_t node : {0, 3, 39}) where.slot_of_node[node] = 4;  // the third slot is not in use
  const std::vector<workload::JobClock> clocks{
      {.position_s = 11.0}, {.clock_fraction = 0.8}, {}, {.position_s = 400.0}};
  workload::SampleBasis basis, of_alone;
  std::vector<double> gpu_w(nodes / 2 * gpus), ac_w(nodes / 2), gpus_w(nodes / 2), all_w(gpu_w), all_ac_w(ac_w),
      all_gpus_w(gpus_w);
  for (const double t_s : {0.0, 900.5, 903.0, 1234.0}) {
    queued->prepare(t_s, {clocks, &where}, basis);
    for (const std::size_t first : {std::size_t{0}, nodes / 2}) {
      queued->sample_with_sums(basis, {first, nodes / 2}, gpu_w, {ac_w, gpus_w});
      for (std::size_t node = 0; node < nodes / 2; ++node) {
        const std::uint32_t slot = where.slot_of_node[first + node];
        if (slot == workload::Placement::free_node) {
          CHECK(gpu_w[node * gpus] == half.split.gpu_idle_w);
          continue;
        }
        alone->prepare(t_s, {.clocks = std::span(clocks).subspan(slot - 1, 1)}, of_alone);
        alone->sample_with_sums(of_alone, {0, nodes / 2}, all_w, {all_ac_w, all_gpus_w});
        CHECK(ac_w[node] == all_ac_w[node]);
        CHECK(std::equal(&gpu_w[node * gpus], &gpu_w[node * gpus] + gpus, &all_w[node * gpus]));
      }
    }
  }
}

TEST_CASE("a job ends where its work is done, and the next one starts at a decision", "[verification][queued_jobs]") {
  for (const Run::By integrator : both) {
    Run run("one_rack",
            rack_with("queue: [" + job("name: first, nodes: 6, run_time: 605 s") + ", " +
                      job("name: second, nodes: 4, submit: 1 min, run_time: 5 min") + "]"),
            integrator);
    run.until(300.0);
    const double idle_w = run.scenario.racks.front().hardware.split.gpu_idle_w;
    CHECK(gpu_loads_w(run, 0, 6) > 48.0 * 200.0);
    CHECK_THAT(gpu_loads_w(run, 6, 2), WithinRel(16.0 * idle_w, 1e-12));
    run.until(606.0);
    CHECK_THAT(gpu_loads_w(run, 0, 8), WithinRel(64.0 * idle_w, 1e-12));
    run.to_end();
    CHECK(record(run, 0).is == JobIs::done);
    CHECK_THAT(record(run, 0).end_s, WithinAbs(605.0, 1e-9));
    CHECK(record(run, 1).first_start_s == 630.0);
    CHECK_THAT(record(run, 1).end_s, WithinAbs(930.0, 1e-9));
    CHECK(record(run, 0).steps == std::floor((605.0 - 2.0 * 4.0) / 10.765));
    const twin::JobFigures all = twin::job_figures(run.jobs(), run.state());
    CHECK_THAT(all.gained_s, WithinRel((6.0 * 605.0 + 4.0 * 300.0) / 8.0, 1e-12));
    CHECK_THAT(all.held_s, WithinRel(all.gained_s, 1e-12));
    const twin::QueueFigures queue = twin::queue_figures(*run.jobs().queue(), run.state());
    CHECK(queue.done == 2);
    CHECK(queue.busy_nodes == 0);
    CHECK_THAT(queue.longest_wait_s, WithinAbs(570.0, 1e-12));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("a slow GPU delays its own job alone", "[verification][queued_jobs]") {
  const std::string alike = ", nodes: 4, run_time: 10 min";
  const double late_s = 600.0 * (compute_share / 0.75 + communication_share);
  for (const Run::By integrator : both) {
    Run run("one_rack",
            rack_with("queue: [" + job("name: one" + alike, bare + ", checkpoint_time: 0 s") + ", " +
                          job("name: other" + alike, bare + ", checkpoint_time: 0 s") + "]",
                      "events=[{at: 0 s, slow: row_1.rack_1.node_3.gpu_5, to: 75 %}]"),
            integrator);
    run.to_end();
    CHECK(record(run, 0).is == JobIs::done);
    CHECK_THAT(record(run, 0).end_s, WithinRel(late_s, 2e-3));  // it ends within a step
    CHECK_THAT(record(run, 0).lost.slowed_s, WithinAbs(record(run, 0).end_s - 600.0, 1e-6));
    CHECK_THAT(record(run, 1).end_s, WithinAbs(600.0, 1e-9));
    CHECK(record(run, 1).lost.slowed_s == 0.0);
    CHECK(run.times_s("job_slowed", "one") == std::vector<double>{0.0});
    CHECK(run.times_s("job_slowed", "other").empty());
  }
}

TEST_CASE("a job that lost a node goes on from its checkpoint on other nodes", "[verification][queued_jobs]") {
  std::vector<std::vector<double>> dies;
  for (const Run::By integrator : both) {
    Run run("one_rack",
            rack_with("queue: [" + job("name: long, nodes: 4, run_time: 20 min") + "]",
                      "events=[{at: 10 min, fail: row_1.rack_1.node_2}]"),
            integrator);
    run.until(655.0);  // others wait until it is noticed
    CHECK_THAT(gpu_loads_w(run, 0, 1), WithinRel(8.0 * 220.0, 1e-9));
    run.to_end();
    CHECK(run.times_s("job_stopped", "long") == std::vector<double>{600.0});
    CHECK(run.times_s("job_requeued", "long") == std::vector<double>{660.0});
    CHECK(run.times_s("job_resumed", "long") == std::vector<double>{780.0});
    const workload::JobRecord& is = record(run, 0);
    CHECK(is.starts == 2);
    CHECK(is.is == JobIs::done);
    const double saved_s = 2.0 * save_s;
    CHECK_THAT(is.lost.redone_s, WithinAbs(600.0 - saved_s, 1e-6));
    CHECK_THAT(is.lost.stopped_s, WithinAbs(180.0, 1e-6));
    CHECK_THAT(is.end_s, WithinAbs(780.0 + 1200.0 - saved_s, 1e-6));
    CHECK_THAT(is.node_time_s, WithinRel(4.0 * (is.end_s - 0.0), 1e-12));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
    dies.emplace_back();
    for (std::size_t gpu = 0; gpu < 64; ++gpu) dies.back().push_back(run.die_k(gpu));
  }
  for (std::size_t gpu = 0; gpu < 64; ++gpu) CHECK(std::abs(dies[0][gpu] - dies[1][gpu]) < 0.05);
}

TEST_CASE("a job is ended by its time limit, and gives way to one of higher priority", "[verification][queued_jobs]") {
  for (const Run::By integrator : both) {
    Run run("one_rack",
            rack_with("queue: [" + job("name: too_long, nodes: 2, time_limit: 15 min, run_time: 1 h") + ", " +
                      job("name: low, nodes: 6, run_time: 20 min, preemptable: true") + ", " +
                      job("name: high, nodes: 6, submit: 7 min, run_time: 5 min, priority: 9") + "]"),
            integrator);
    run.to_end();
    CHECK(record(run, 0).is == JobIs::over_limit);
    CHECK(record(run, 0).end_s == 900.0);
    CHECK(run.times_s("job_over_limit", "too_long") == std::vector<double>{900.0});
    CHECK(record(run, 2).first_start_s == 420.0);
    CHECK_THAT(record(run, 2).end_s, WithinAbs(720.0, 1e-9));
    CHECK(run.times_s("job_requeued", "low") == std::vector<double>{420.0});
    CHECK(record(run, 1).starts == 2);
    const double saved_s = save_s;
    CHECK_THAT(record(run, 1).lost.redone_s, WithinAbs(420.0 - saved_s, 1e-6));
    CHECK_THAT(record(run, 1).end_s, WithinAbs(720.0 + 120.0 + 1200.0 - saved_s, 1e-6));
  }
}

TEST_CASE("failures by chance hit the jobs of a queue alike with either integrator", "[verification][queued_jobs]") {
  const std::string unlucky =
      "failures: {rates: {kinds: {gpu: {mean_time: 18 h}, software: {mean_time: 6 h, takes_node: false}}}, repair: 8 "
      "min}, queue: [" +
      job("name: a, nodes: 3, count: 2") + ", " +
      job("name: b, nodes: 1, count: 6, submit: 2 min, every: 90 s, run_time: 4 min") + "]";
  Run slow("one_rack", rack_with(unlucky), Run::By::monolithic),
      quick("one_rack", rack_with(unlucky), Run::By::multirate);
  slow.to_end();
  quick.to_end();
  CHECK(slow.times_s("failure").size() > 2);
  for (const char* kind : {"failure", "job_stopped", "job_requeued", "job_resumed"})
    CHECK(slow.times_s(kind) == quick.times_s(kind));
  for (std::size_t number = 0; number < 8; ++number) {
    CHECK(record(slow, number).starts == record(quick, number).starts);
    CHECK_THAT(record(quick, number).saved_s, WithinAbs(record(slow, number).saved_s, 1e-6));
  }
  for (std::size_t gpu = 0; gpu < 64; ++gpu) CHECK(std::abs(slow.die_k(gpu) - quick.die_k(gpu)) < 0.05);
  const twin::JobFigures ours = twin::job_figures(quick.jobs(), quick.state());
  CHECK_THAT(ours.gained_s + ours.lost.stopped_s + ours.lost.redone_s + ours.lost.slowed_s,
             WithinRel(ours.held_s, 1e-9));
}

TEST_CASE("a job that restarts twice finds the same checkpoint", "[verification][queued_jobs]") {
  for (int k = 0; k < 500; ++k) {
    workload::TrainingParams params;
    params.step_s = 3.1 + 0.0237 * k;
    params.checkpoint_interval_s = 600.0 + 7.3 * k;
    params.checkpoint_s = 1.0 + 0.1 * (k % 97);
    workload::NodeSet one_node;
    one_node.split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 70.0, .gpu_limit_w = 700.0};
    const auto work = workload::make_training(params, one_node, 1);
    const workload::SynchronousJob& program = *work->jobs().front().program;
    const workload::JobClock slow{workload::JobClock::Is::running, 0.0, 0.0, 0.5 + 0.001 * k};
    const double t_s = 86400.0 + 13.0 * k;
    const workload::JobProgress saved = program.progress(program.from_checkpoint(slow, t_s), t_s);
    CHECK(saved.gained_s > 0.0);
    const workload::JobClock again{workload::JobClock::Is::idle, t_s, saved.gained_s, 1.0};
    const workload::JobProgress restarted = program.progress(program.from_checkpoint(again, t_s), t_s);
    CHECK_THAT(restarted.gained_s, WithinAbs(saved.gained_s, 1e-6));
    CHECK(restarted.steps == saved.steps);
  }
  workload::NodeSet node;
  node.split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 70.0, .gpu_limit_w = 700.0};
  const auto work = workload::make_training({}, node, 1);
  CHECK(std::isinf(workload::end_s(*work->jobs().front().program, {}, 1e300)));  // it has no end that a run sees
}

TEST_CASE("a drained node keeps its job to the end and gets no other", "[verification][queued_jobs]") {
  for (const Run::By integrator : both) {
    Run run("one_rack",
            rack_with("queue: [" + job("name: first, nodes: 6, run_time: 5 min") + ", " +
                          job("name: all, nodes: 8, submit: 1 min, run_time: 5 min") + ", " +
                          job("name: third, nodes: 4, submit: 4 min, run_time: 2 min") + "]",
                      "events=[{at: 2 min, drain: row_1.rack_1.node_2, for: 10 min}]"),
            integrator);
    run.until(330.0);
    CHECK(run.state().work.queue.where.slot_of_node[1] == workload::Placement::free_node);
    run.to_end();
    CHECK_THAT(record(run, 0).end_s, WithinAbs(300.0, 1e-9));
    CHECK(record(run, 0).starts == 1);
    CHECK(record(run, 2).first_start_s == 300.0);  // the job before it could not start, whatever ended
    CHECK(record(run, 1).first_start_s == 720.0);  // the end of the event is a time of decision
    CHECK(run.times_s("drain", "row_1.rack_1.node_2") == std::vector<double>{120.0});
    CHECK(run.times_s("resume", "row_1.rack_1.node_2") == std::vector<double>{720.0});
  }
}

TEST_CASE("a drained rack gets no job until each node is resumed", "[verification][queued_jobs]") {
  for (const Run::By integrator : both) {
    Run run(
        "one_rack",
        rack_with("queue: [" + job("name: one, nodes: 1, submit: 2 min, run_time: 1 min") + ", " +
                      job("name: six, nodes: 6, submit: 2 min, run_time: 1 min") + "]",
                  "events=[{at: 1 min, drain: 'row_1.rack_*'}, {at: 3 min, drain: row_1.rack_1.node_3, for: 2 min}, "
                  "{at: 10 min, resume: row_1.rack_1.node_5}, {at: 20 min, resume: 'row_1.rack_1.node_*'}]"),
        integrator);
    run.until(700.0);
    CHECK(record(run, 1).is == JobIs::waiting);
    run.to_end();
    CHECK(record(run, 0).first_start_s == 600.0);
    CHECK(record(run, 1).first_start_s == 1200.0);
    CHECK(run.times_s("drain", "row_1.rack_1") == std::vector<double>{60.0});
    CHECK(run.times_s("order_over", "row_1.rack_1.node_3") == std::vector<double>{300.0});
    CHECK(run.times_s("resume", "row_1.rack_1.node_5") == std::vector<double>{600.0, 1200.0});
  }
}

TEST_CASE("jobs of a log and of a mix come to a hall as their lists say", "[verification][queued_jobs]") {
  const tests::TemporaryFolder folder;
  const std::string file = folder.path() / "jobs.csv";
  std::ofstream(file) << "name,submit_s,nodes,gpus,run_time_s,time_limit_s,priority,class\n"
                         "a,0,0,12,3000,6000,0,\nb,6000,8,0,3000,,0,\nc,6000,1,0,1200,3000,5,\nd,0,9,0,60,,0,\n";
  Run run("one_rack",
          rack_with("queue: [{trace: '" + file + "', compress: 10, program: {kind: constant, node_power: 6 kW}}]"));
  run.until(300.0);
  CHECK(std::ranges::count(run.state().work.queue.where.slot_of_node, workload::Placement::free_node) == 6);
  run.to_end();
  REQUIRE(run.state().work.queue.records.size() == 3);  // nine nodes are more than the hall has
  CHECK(record(run, 0).first_start_s == 0.0);
  CHECK(record(run, 2).first_start_s == 600.0);  // of higher priority
  CHECK_THAT(record(run, 2).end_s, WithinAbs(1800.0, 1e-9));
  CHECK(record(run, 1).is == JobIs::waiting);  // all nodes, which the first job has to the end
  const std::string mix = "queue: [{mix: seren, every: 1 min, to: 10 min, program: {kind: training}}]";
  Run drawn("one_rack", rack_with(mix)), again("one_rack", rack_with(mix), Run::By::multirate);
  drawn.to_end();
  again.to_end();
  CHECK(drawn.state().work.queue.records.size() > 3);
  for (std::size_t k = 0; k < drawn.state().work.queue.records.size(); ++k)
    CHECK(record(drawn, k).is == record(again, k).is);
}

TEST_CASE("jobs without work end as they start, and two mixes are two draws", "[verification][queued_jobs]") {
  for (const Run::By integrator : both) {
    const tests::TemporaryFolder folder;
    const std::string file = folder.path() / "jobs.csv";
    std::ofstream(file) << "name,submit_s,nodes,gpus,run_time_s\nnothing,40,8,0,0\nlong,45,1,0,1e300\n";
    Run run("one_rack", rack_with("queue: [{trace: '" + file + "', program: {kind: training}}]"), integrator);
    run.to_end();
    CHECK(record(run, 0).first_start_s == 60.0);
    CHECK(record(run, 0).end_s == 60.0);
    CHECK(record(run, 0).node_time_s == 0.0);
    CHECK(record(run, 1).is == JobIs::running);
  }
  const std::string mix = "{mix: seren, every: 1 min, to: 10 min, program: {kind: training}}";
  const Run run("one_rack", rack_with("queue: [" + mix + ", " + mix + "]"));
  std::vector<double> run_times_s;
  for (const workload::JobRequest& one : run.jobs().queue()->jobs) run_times_s.push_back(one.run_time_s);
  std::ranges::sort(run_times_s);
  CHECK(run_times_s.size() > 8);
  CHECK(std::ranges::adjacent_find(run_times_s) == run_times_s.end());
}

TEST_CASE("a job that was submitted since the last decision waits", "[verification][queued_jobs]") {
  Run run("one_rack",
          rack_with("scheduler: {interval: 15 min}, queue: [" + job("name: late, nodes: 2, submit: 16 min") + "]"));
  run.until(1200.0);
  const twin::QueueFigures queue = twin::queue_figures(*run.jobs().queue(), run.state());
  CHECK(queue.submitted == 1);
  CHECK(queue.waiting == 1);
  CHECK(queue.never_started == 1);
  CHECK(queue.longest_wait_s == 240.0);
}

TEST_CASE("jobs wait for a budget, and take the coolest nodes", "[verification][queued_jobs]") {
  // A node of the program draws 6.9 kW in the mean: two jobs of two nodes fit into 30 kW, a third does not.
  const std::string three = "queue: [" + job("name: job, nodes: 2, count: 3, run_time: 10 min") + "]";
  for (const Run::By integrator : both) {
    Run run("one_rack", rack_with("scheduler: {budget: 30 kW}, " + three), integrator);
    run.to_end();
    CHECK(record(run, 1).first_start_s == 0.0);
    CHECK(record(run, 2).first_start_s == 600.0);
  }
  Run run("one_rack",
          rack_with("scheduler: {placement: coolest}, queue: [" + job("name: first, nodes: 4, run_time: 9 min") + ", " +
                    job("name: second, nodes: 4, submit: 9 min, run_time: 10 min") + "]"));
  run.until(600.0);
  // Nodes 5 to 8 have been idle: they are the coolest ones.
  for (std::size_t node = 0; node < 8; ++node) {
    const std::uint32_t slot = run.state().work.queue.where.slot_of_node[node];
    CHECK((slot != workload::Placement::free_node) == (node >= 4));
  }
}
