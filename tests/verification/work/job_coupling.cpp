// A synchronous job waits for its slowest GPU and stops where a node is lost. By hand: a step of 10.765 s computes for 94.4 % of it; where one
// GPU computes at three quarters of full clock, it lasts 0.944 / 0.75 + 0.056 = 1.3147 times as long.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/run/meters/energy_parts.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "workload/training/training.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

const NodeSplitParams h100{.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 70.0, .gpu_limit_w = 700.0};
const NodeSet one_node{.nodes = 1, .gpus_per_node = 8, .split = h100};

/// Steps alone, all GPUs alike.
TrainingParams bare_job() {
  TrainingParams job;
  job.evaluation_s = job.checkpoint_s = job.evaluation_dip_s = 0.0;
  job.gpu_noise_w = job.gpu_spread_w = job.node_noise_w = 0.0;
  job.pipeline_stages = 1;
  return job;
}

const TrainingParams bare = bare_job();
const double compute_s = bare.step_s * (1.0 - bare.communication_fraction);
const double communication_s = bare.step_s * bare.communication_fraction;

double step_at_clock_s(double clock_fraction) { return compute_s / clock_fraction + communication_s; }

/// Energy of a GPU at full clock between two instants, of a job that stands so, and the share of that time in which the slowest computes.
struct Sums {
  double energy_j = 0.0, slowest_busy_s = 0.0, busy_s = 0.0;
};

Sums sums(const Workload& work, const JobClock& job, double from_s, double to_s) {
  Sums sum;
  SampleBasis basis;
  std::vector<double> gpu_w(8), node_w(1), gpus_w(1);
  for (double t_s = from_s; t_s < to_s - 1e-9;) {
    const double end_s = std::min(work.next_change_s(t_s), to_s);
    work.prepare(t_s, {std::span(&job, 1)}, basis);
    work.sample_with_sums(basis, {0, 1}, gpu_w, {node_w, gpus_w});
    const SampleShares shares = work.shares(basis, 0);
    sum.energy_j += gpu_w.front() * (end_s - t_s);
    sum.busy_s += shares.busy_fraction * (end_s - t_s);
    sum.slowest_busy_s += (shares.busy_fraction + shares.waiting_fraction) * (end_s - t_s);
    t_s = end_s;
  }
  return sum;
}

}  // namespace

TEST_CASE("GPUs at full clock wait in communication for the slowest one", "[verification][job_coupling]") {
  for (const double clock : {1.0, 0.75, 0.5}) {
    TrainingParams job = bare;
    job.sample_interval_s = step_at_clock_s(clock);  // whole steps
    const auto work = make_training(job, one_node, 1);
    const JobClock at_clock{.clock_fraction = clock};
    const double step_s = step_at_clock_s(clock);
    const Sums of_steps = sums(*work, at_clock, 0.0, 20.0 * step_s);
    const double by_hand_w = (compute_s * job.compute_gpu_w + (step_s - compute_s) * job.communication_gpu_w) / step_s;
    CHECK_THAT(of_steps.energy_j, WithinRel(20.0 * step_s * by_hand_w, 1e-12));
    CHECK_THAT(of_steps.busy_s, WithinRel(20.0 * compute_s, 1e-12));
    CHECK_THAT(of_steps.slowest_busy_s, WithinRel(20.0 * compute_s / clock, 1e-12));
    const SynchronousJob& program = *work->jobs().front().program;
    CHECK(program.progress(at_clock, 20.5 * step_s).steps == 20.0);
    double before_s = 0.0, after_s = 40.0 * step_s;  // of the begin of step 20
    while (after_s - before_s > 1e-9) {
      const double middle_s = 0.5 * (before_s + after_s);
      (program.progress(at_clock, middle_s).steps < 20.0 ? before_s : after_s) = middle_s;
    }
    CHECK_THAT(after_s / 20.0, WithinRel(step_s, 1e-9));
    if (clock == 0.75) {
      CHECK_THAT(step_s / job.step_s, WithinAbs(1.3147, 5e-5));
      tests::report_verification({"one GPU at three quarters of full clock", "closed form",
                                  "step time over that at full clock", after_s / 20.0 / job.step_s,
                                  0.944 / 0.75 + 0.056, 1e-9, "1"});
    }
  }
}

TEST_CASE("a job keeps its place in a step where its clock changes", "[verification][job_coupling]") {
  TrainingParams job = bare;  // all times are whole samples
  job.step_s = 10.0;
  job.communication_fraction = 0.1;
  job.sample_interval_s = 0.5;
  const double compute_s = 9.0, communication_s = 1.0;
  const auto step_at_clock_s = [&](double clock) { return compute_s / clock + communication_s; };
  const auto work = make_training(job, one_node, 1);
  const SynchronousJob& program = *work->jobs().front().program;
  const double half_way_s = 7.0 * job.step_s + 0.5 * compute_s;
  const JobClock slow = program.at_clock({}, half_way_s, 0.5);
  CHECK(program.progress(slow, half_way_s).steps == 7.0);
  // The other half of the computing takes twice as long, and so do two steps more.
  const double ninth_s = half_way_s + compute_s + communication_s + 2.0 * step_at_clock_s(0.5);
  CHECK(program.progress(slow, ninth_s - 1e-6).steps == 9.0);
  CHECK(program.progress(slow, ninth_s + 1e-6).steps == 10.0);
  CHECK_THAT(program.progress(slow, ninth_s).gained_s, WithinRel(10.0 * job.step_s, 1e-12));
  const JobClock quick = program.at_clock(slow, ninth_s, 1.0);
  CHECK_THAT(program.progress(quick, ninth_s + 5.0).gained_s, WithinRel(10.0 * job.step_s + 5.0, 1e-12));
  // Energies of the parts are that of steps at each clock. In the step in which the clock falls, GPUs at full clock have done their part: they are
  // where they would be if the clock had been so since its begin.
  const double before_j = sums(*work, {}, 0.0, half_way_s).energy_j;
  const double after_j = sums(*work, slow, half_way_s, ninth_s).energy_j;
  const double busy_s = 2.0 * compute_s, wait_s = (ninth_s - half_way_s) - busy_s;
  CHECK_THAT(after_j, WithinRel(busy_s * job.compute_gpu_w + wait_s * job.communication_gpu_w, 1e-9));
  CHECK_THAT(before_j, WithinRel((7.0 * compute_s + 0.5 * compute_s) * job.compute_gpu_w +
                                     7.0 * communication_s * job.communication_gpu_w,
                                 1e-9));
}

TEST_CASE("a job goes on from its last whole checkpoint", "[verification][job_coupling]") {
  const TrainingParams usual;
  const auto work = make_training(usual, one_node, 1);
  const SynchronousJob& program = *work->jobs().front().program;
  const double step_75_s =
      75.0 * usual.step_s + 6.0 * usual.evaluation_s + usual.checkpoint_s;  // behind the checkpoint before it
  for (const double t_s : {step_75_s + 1.0, step_75_s + 500.0, step_75_s + 800.0}) {
    const JobClock back = program.from_checkpoint({}, t_s);
    CHECK(program.progress(back, t_s).steps == 75.0);
    CHECK_THAT(program.progress(back, t_s).gained_s, WithinRel(step_75_s, 1e-12));
  }
  CHECK(program.progress(program.from_checkpoint({}, step_75_s - 1.0), step_75_s - 1.0).gained_s ==
        0.0);  // while it is saved
}

namespace {

using Run = tests::ScenarioRun;

/// 64 GPUs alike, with nothing but steps.
std::vector<std::string> bare_rack(const std::string& more, const std::string& workload = "") {
  return {
      "workload={kind: training, evaluation_time: 0 s, evaluation_dip_time: 0 s, checkpoint_time: 0 s, gpu_noise: 0 W, "
      "node_noise: 0 W, "
      "gpu_spread: 0 W, stage_lag: 0 s" +
          workload + "}",
      "hall.racks.gpu_spread=none", "duration=30 min", more};
}

twin::JobFigures figures(const Run& run) { return twin::job_figures(run.jobs(), run.state()); }

}  // namespace

TEST_CASE("one slow GPU slows all others of its job", "[verification][job_coupling]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    Run run("one_rack", bare_rack("events=[{at: 0 s, slow: row_1.rack_1.node_3.gpu_5, to: 75 %}]"), integrator);
    run.until(1200.0);
    const double step_s = step_at_clock_s(0.75);
    CHECK(figures(run).steps == std::floor(1200.0 / step_s));
    CHECK_THAT(figures(run).gained_s, WithinRel(1200.0 * bare.step_s / step_s, 1e-3));
    CHECK_THAT(figures(run).lost.slowed_s, WithinRel(1200.0 * (1.0 - bare.step_s / step_s), 2e-3));
    CHECK(run.times_s("job_slowed") == std::vector<double>{0.0});
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("a power limit slows a job by the clock that it leaves", "[verification][job_coupling]") {
  // Leakage counts: 500 W less leakage are left for the work of each GPU.
  Run run("one_rack", bare_rack("events=[{at: 0 s, set: racks.gpu_power_limit, to: 500 W}]"), Run::By::multirate);
  run.until(1200.0);
  const twin::UnitGroup& units = *run.plant.groups[run.plant.it.groups.front().gpu_units];
  double slowest = 1.0;
  for (std::size_t gpu = 0; gpu < 64; ++gpu) {
    const double left_w = 500.0 - units.leakage_w(gpu, run.die_k(gpu));
    slowest = std::min(slowest, std::sqrt((left_w - 70.0) / (613.0 - 70.0)));
  }
  const double clock = run.state().work.job_clocks.front().clock_fraction;
  CHECK_THAT(clock, WithinAbs(slowest, 3e-3));  // dies cool by some kelvin while GPUs communicate
  CHECK_THAT(figures(run).gained_s / 1200.0, WithinRel(bare.step_s / step_at_clock_s(clock), 3e-3));
  tests::report_verification({"a power limit of 500 W", "closed form", "clock of the job", clock, slowest, 3e-3, "1"});
}

TEST_CASE("a lost node stops its job until it is back", "[verification][job_coupling]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    Run run("one_rack",
            bare_rack("events=[{at: 5 min, fail: row_1.rack_1.node_3, for: 5 min}]",
                      ", detection_time: 2 min, restart_time: 4 min"),
            integrator);
    run.until(299.0);
    const double working_w = run.use_w("node");
    run.until(310.0);
    const auto node_w = [](double gpu_w) { return gpu_w; };
    static_cast<void>(node_w);
    // Seven nodes wait in communication, 220 W a GPU; then they are idle.
    double loads_w = 0.0;
    const twin::UnitGroup& units = *run.plant.groups[run.plant.it.groups.front().gpu_units];
    for (std::size_t gpu = 0; gpu < 64; ++gpu)
      loads_w += run.state().inputs[units.first_load - run.plant.map.input(0) + gpu];
    CHECK_THAT(loads_w, WithinRel(56.0 * bare.communication_gpu_w, 1e-9));
    CHECK(run.use_w("node") < 0.6 * working_w);
    run.until(430.0);
    loads_w = 0.0;
    for (std::size_t gpu = 0; gpu < 64; ++gpu)
      loads_w += run.state().inputs[units.first_load - run.plant.map.input(0) + gpu];
    CHECK_THAT(loads_w, WithinRel(56.0 * run.scenario.racks.front().hardware.split.gpu_idle_w, 1e-9));
    CHECK(run.times_s("job_stopped") == std::vector<double>{300.0});
    run.to_end();
    const double back_s = 600.0 + run.scenario.racks.front().hardware.boot_time_s;
    REQUIRE(run.times_s("job_resumed").size() == 1);
    CHECK_THAT(run.times_s("job_resumed").front(), WithinAbs(back_s + 240.0, 1e-6));
    const twin::JobFigures job = figures(run);
    CHECK(job.lost.stops == 1);
    CHECK_THAT(job.lost.stopped_s, WithinAbs(back_s + 240.0 - 300.0, 1e-6));
    CHECK_THAT(job.lost.redone_s, WithinAbs(300.0, 1e-6));  // without checkpoints all of it
    CHECK_THAT(job.gained_s, WithinAbs(1800.0 - back_s - 240.0, 1e-6));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("hot dies slow their job alike with either integrator", "[verification][job_coupling]") {
  const std::vector<std::string> hot{"hall.cooling.loops.supply_temperature=62 degC",
                                     "hall.cooling.facility.supply_temperature=50 degC", "duration=10 min"};
  Run slow("one_rack", hot, Run::By::monolithic), quick("one_rack", hot, Run::By::multirate);
  for (const double until_s : {120.0, 300.0, 600.0}) {
    slow.until(until_s);
    quick.until(until_s);
    CHECK_THAT(figures(quick).gained_s, WithinAbs(figures(slow).gained_s, 0.05));
    for (std::size_t gpu = 0; gpu < 64; ++gpu) CHECK(std::abs(slow.die_k(gpu) - quick.die_k(gpu)) < 0.05);
  }
  CHECK(figures(slow).lost.slowed_s > 1.0);
}

TEST_CASE("where nothing is slow, a job has the watts of nodes that do not wait", "[verification][job_coupling]") {
  Run coupled("one_rack", {"duration=10 min"}, Run::By::multirate);
  Run alone("one_rack", {"duration=10 min", "workload.coupling=none"}, Run::By::multirate);
  coupled.to_end();
  alone.to_end();
  CHECK(coupled.state().states == alone.state().states);
  CHECK(coupled.state().inputs == alone.state().inputs);
  CHECK(figures(coupled).gained_s == 600.0);
  CHECK_FALSE(figures(alone).is_any);
}

TEST_CASE("racks with work of their own are a job of their own, all others one", "[verification][job_coupling]") {
  const std::string mixed = WATTLOOP_SOURCE_DIR "/scenarios/halls/mixed.yaml";
  const twin::Scenario scenario = twin::read_scenario(mixed, {"hall.racks.nvl72.workload.coupling=none"});
  const twin::Work work = twin::make_work(scenario);
  const std::vector<JobNodes> jobs = work.workload->jobs();
  REQUIRE(jobs.size() == 2);
  std::size_t shared = 0, own = 0;
  for (const twin::RacksSpec& racks : scenario.racks)
    (racks.workload ? own : shared) += static_cast<std::size_t>(racks.count * racks.nodes);
  const auto nodes_of = [](const JobNodes& job) {
    std::size_t nodes = 0;
    for (const NodeRange& range : job.nodes) nodes += range.count;
    return nodes;
  };
  for (const JobNodes& job : jobs) CHECK(nodes_of(job) == (job.program == nullptr ? own : shared));
}

TEST_CASE(
    "nodes never draw less than their GPUs, and energy under a power limit does not depend on the sample interval",
    "[verification][job_coupling]") {
  std::vector<double> means_w;
  for (const std::string interval : {"250 ms", "1 s", "60 s"}) {
    Run run("one_rack",
            bare_rack("events=[{at: 0 s, set: racks.gpu_power_limit, to: 400 W}]", ", sample_interval: " + interval),
            Run::By::multirate);
    for (double t_s = 300.0; t_s < 340.0; t_s += 1.0) {
      run.until(t_s);
      CHECK(run.use_w("node") > twin::gpu_power_w(run.evaluation().racks));
    }
    const double from_j = run.used_j("node"), from_s = run.state().time_s;
    run.until(1239.0);
    means_w.push_back((run.used_j("node") - from_j) / (1239.0 - from_s));
  }
  for (const double mean_w : means_w) CHECK_THAT(mean_w, WithinRel(means_w.front(), 5e-3));
}
