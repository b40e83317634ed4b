// A measured trace as the program of a job: by hand, energies of a trace that is entered between two samples, at the clock of the slowest GPU, and
// beyond its end; in a hall, watts of nodes whose programs contain leakage beside others that do not.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "workload/replay/replayed_job.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Run = tests::ScenarioRun;

const NodeSplitParams h100{.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 70.0, .gpu_limit_w = 700.0};
const NodeSet two_nodes{.nodes = 2, .gpus_per_node = 8, .split = h100};

/// Six samples of 10 s of two nodes.
const PowerTrace trace{
    .file = "trace",
    .stamps_s = {0.0, 10.0, 20.0, 30.0, 40.0, 50.0},
    .names = {"a", "b"},
    .power_w = {6000.0, 5000.0, 6500.0, 5200.0, 3000.0, 5400.0, 7000.0, 5600.0, 6200.0, 5800.0, 4000.0, 6000.0},
    .holes = {},
    .interval_s = 10.0};

ReplayParams with_end(const std::string& after_end) {
  ReplayParams params;
  params.after_end = after_end;
  return params;
}

/// Of column `column`, goes round.
double power_at_w(double place_s, std::size_t column) {
  const auto row = static_cast<std::size_t>(std::floor(place_s / 10.0)) % 6;
  return trace.power_w[2 * row + column];
}

/// Energy at the inlets of the two nodes from one instant to another, for a job that goes on as `clock` says.
std::array<double, 2> energy_j(const Workload& work, const JobClock& clock, double from_s, double to_s) {
  std::array<double, 2> sum{};
  SampleBasis basis;
  std::vector<double> gpu_w(16), node_w(2), gpus_w(2);
  for (double t_s = from_s; t_s < to_s - 1e-9;) {
    const double end_s = std::min(work.next_change_s(t_s), to_s);
    work.prepare(t_s, {std::span(&clock, 1)}, basis);
    work.sample_with_sums(basis, {0, 2}, gpu_w, {node_w, gpus_w});
    for (std::size_t node = 0; node < 2; ++node) sum[node] += node_w[node] * (end_s - t_s);
    t_s = end_s;
  }
  return sum;
}

std::vector<std::string> rack_with(const std::string& jobs, const std::string& more = "title=x") {
  return {"workload=null", "jobs={" + jobs + "}", "hall.racks.gpu_spread=none", "duration=20 min", more};
}

/// GPUs of a node: what they draw, leakage included.
double gpus_w(const Run& run, std::size_t node) {
  const twin::UnitGroup& units = *run.plant.groups[run.plant.it.groups.front().gpu_units];
  double sum_w = 0.0;
  for (std::size_t gpu = 8 * node; gpu < 8 * (node + 1); ++gpu) {
    sum_w += run.state().inputs[units.first_load - run.plant.map.input(0) + gpu];
    sum_w += units.leakage_w(gpu, run.state().states[units.state_slot(0, gpu)]);
  }
  return sum_w;
}

constexpr std::array both{Run::By::monolithic, Run::By::multirate};

}  // namespace

TEST_CASE("a replayed job that begins with the run is the replay, to the last bit", "[verification][replayed_job]") {
  const ReplayParams params = with_end("repeat");
  const auto fixed = make_replay(trace, params, two_nodes), job = make_replayed_job(trace, params, two_nodes, {});
  std::vector<double> gpu_w(16), node_w(2), gpu_of_job_w(16), node_of_job_w(2);
  for (double t_s = -35.0; t_s < 200.0; t_s += 5.0) {
    fixed->sample_all(t_s, gpu_w, node_w);
    job->sample_all(t_s, gpu_of_job_w, node_of_job_w);
    CHECK(node_w == node_of_job_w);
    CHECK(gpu_w == gpu_of_job_w);
  }
}

TEST_CASE("a job that begins between two samples draws the energy of its trace", "[verification][replayed_job]") {
  const auto job = make_replayed_job(trace, with_end("repeat"), two_nodes, {});
  const JobClock late{.since_s = 127.3};
  for (std::size_t node = 0; node < 2; ++node) {
    double by_hand_j = 0.0;
    for (std::size_t row = 0; row < 6; ++row) by_hand_j += 10.0 * trace.power_w[2 * row + node];
    CHECK_THAT(energy_j(*job, late, 127.3, 250.0)[node],
               WithinRel(2.0 * by_hand_j + 2.7 * power_at_w(0.0, node), 1e-12));
  }
}

TEST_CASE("what follows a trace that ends is held, idle or the trace again", "[verification][replayed_job]") {
  const JobClock late{.since_s = 4.0};
  double once_j = 0.0;
  for (std::size_t row = 0; row < 6; ++row) once_j += 10.0 * trace.power_w[2 * row];
  const double idle_w = node_from_gpus_w(h100, 8.0 * h100.gpu_idle_w);
  const auto of = [&](const std::string& after_end) {
    return energy_j(*make_replayed_job(trace, with_end(after_end), two_nodes, {}), late, 4.0, 100.0)[0];
  };
  CHECK_THAT(of("hold"), WithinRel(once_j + 36.0 * 4000.0, 1e-12));
  CHECK_THAT(of("idle"), WithinRel(once_j + 36.0 * idle_w, 1e-12));
  CHECK_THAT(of("repeat"), WithinRel(once_j + 10.0 * (6000.0 + 6500.0 + 3000.0) + 6.0 * 7000.0, 1e-12));
}

TEST_CASE("a slow GPU stretches a replayed job that asks for it", "[verification][replayed_job]") {
  ReplayParams params = with_end("hold");
  params.stretches = true;
  params.waiting_gpu_w = 200.0;
  const auto job = make_replayed_job(trace, params, two_nodes, {});
  const SynchronousJob& program = *job->jobs().front().program;
  CHECK(program.is_coupled());
  // Full clock for 20 s, then half clock: the other 40 s of the trace take 80 s.
  const JobClock slow = program.at_clock({}, 20.0, 0.5);
  CHECK(program.progress(slow, 20.0).gained_s == 20.0);
  CHECK(program.progress(slow, 100.0).gained_s == 60.0);
  CHECK_THAT(end_s(program, slow, 60.0), WithinAbs(100.0, 1e-12));
  // A GPU at full clock computes for half of that time and waits for the other half; a node of 3 kW has GPUs that draw less than those that wait.
  const auto gpu_w = [&](double node_w) { return gpu_from_node_w(h100, node_w, 8); };
  double by_hand_j = 0.0;
  for (std::size_t row = 2; row < 6; ++row) {
    const double busy_w = gpu_w(trace.power_w[2 * row]), waiting_w = std::min(busy_w, 200.0);
    by_hand_j += 20.0 * (trace.power_w[2 * row] - h100.overhead_ratio * 8.0 * 0.5 * (busy_w - waiting_w));
  }
  CHECK_THAT(energy_j(*job, slow, 20.0, 100.0)[0], WithinRel(by_hand_j, 1e-12));
  // The slow one computes all the time, those at full clock for half of it.
  SampleBasis basis;
  job->prepare(60.0, {std::span(&slow, 1)}, basis);
  const SampleShares shares = job->shares(basis, 0);
  CHECK(shares.busy_fraction == 0.5);
  CHECK(shares.waiting_fraction == 0.5);
  CHECK_THAT(shares.busy_above_w, WithinRel(0.5 * (gpu_w(6200.0) - 200.0), 1e-12));
  const auto measured = make_replayed_job(trace, with_end("hold"), two_nodes, {});
  CHECK(!measured->jobs().front().program->is_coupled());
  CHECK(measured->jobs()
            .front()
            .program->progress(measured->jobs().front().program->at_clock({}, 20.0, 0.5), 60.0)
            .gained_s == 60.0);
}

TEST_CASE("GPUs that wait in a replay draw 220 W of an H100, and of others the same share of their limit",
          "[verification][replayed_job]") {
  ReplayParams params = with_end("hold");
  params.stretches = true;
  for (const double limit_w : {700.0, 350.0, 1050.0}) {
    NodeSet nodes = two_nodes;
    nodes.split.gpu_limit_w = limit_w;
    const auto job = make_replayed_job(trace, params, nodes, {});
    const JobClock slow = job->jobs().front().program->at_clock({}, 20.0, 0.5);
    SampleBasis basis;
    job->prepare(60.0, {std::span(&slow, 1)}, basis);  // 40 s into the trace: the first node draws 6.2 kW
    INFO(limit_w);
    CHECK_THAT(job->shares(basis, 0).waiting_w, WithinRel(220.0 * limit_w / 700.0, 1e-12));
  }
}

TEST_CASE("nodes of a replayed job draw what was measured at its time", "[verification][replayed_job]") {
  const tests::TemporaryFolder folder;
  const std::string file = folder.path() / "trace.csv";
  std::ofstream(file) << "t_s,one\n0,5000\n60,6000\n120,7000\n180,4500\n";
  const std::string program = "{kind: replay, trace: '" + file + "', after_end: hold}";
  for (const Run::By integrator : both) {
    Run run("one_rack",
            rack_with("queue: [{name: measured, nodes: 3, submit: 100 s, run_time: 10 min, program: " + program + "}]"),
            integrator);
    // It starts at 120 s: at 200 s it is 80 s into its trace.
    for (const auto& [at_s, node_w] : {std::pair{200.0, 6000.0}, std::pair{270.0, 7000.0}, std::pair{500.0, 4500.0}}) {
      run.until(at_s);
      CHECK_THAT(gpus_w(run, 0), WithinRel((node_w - h100.base_w) / h100.overhead_ratio, 1e-9));
    }
    run.to_end();
    CHECK_THAT(run.state().work.queue.records[0].end_s, WithinAbs(720.0, 1e-9));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("watts that contain leakage are drawn as stated beside a job whose watts do not",
          "[verification][replayed_job]") {
  const std::string constant = "{name: test, nodes: 2, program: {kind: constant, node_power: 7 kW}}";
  const std::string training = "{name: training, nodes: 4, program: {kind: training}}";
  const double stated_w = (7000.0 - h100.base_w) / h100.overhead_ratio;
  for (const Run::By integrator : both) {
    Run alone("one_rack", rack_with("queue: [" + constant + "]", "hall.cooling.loops.supply_temperature=45 degC"),
              integrator);
    Run beside(
        "one_rack",
        rack_with("queue: [" + constant + ", " + training + "]", "hall.cooling.loops.supply_temperature=45 degC"),
        integrator);
    for (Run* run : {&alone, &beside}) {
      run->until(600.0);
      CHECK(run->die_k(0) > 273.15 + 60.0);
      CHECK_THAT(gpus_w(*run, 0), WithinRel(stated_w, 1e-3));
    }
    const twin::UnitGroup& units = *beside.plant.groups[beside.plant.it.groups.front().gpu_units];
    CHECK(units.leakage_w(0, 350.0) > 10.0);  // units of this hall add it to what training asks for
    CHECK(std::abs(beside.energy_residual()) < 1e-9);
  }
}

TEST_CASE("a slow GPU delays a stretched job of a queue, and no other", "[verification][replayed_job]") {
  const tests::TemporaryFolder folder;
  const std::string file = folder.path() / "trace.csv";
  std::ofstream(file) << "t_s,one\n0,5000\n60,6000\n120,6500\n180,4500\n";
  const auto job = [&](const std::string& name, const std::string& more) {
    return "{name: " + name + ", nodes: 2, run_time: 4 min, program: {kind: replay, trace: '" + file + "'" + more +
           "}}";
  };
  for (const Run::By integrator : both) {
    Run run("one_rack",
            rack_with("queue: [" + job("stretched", ", stretch: true") + ", " + job("measured", "") + "]",
                      "events=[{at: 0 s, slow: row_1.rack_1.node_1.gpu_5, to: 50 %}, {at: 0 s, slow: "
                      "row_1.rack_1.node_3.gpu_1, to: 50 %}]"),
            integrator);
    run.to_end();
    CHECK_THAT(run.state().work.queue.records[0].end_s, WithinAbs(480.0, 1e-6));
    CHECK_THAT(run.state().work.queue.records[1].end_s, WithinAbs(240.0, 1e-9));
  }
}

TEST_CASE("jobs of a log get the program of their class", "[verification][replayed_job]") {
  const tests::TemporaryFolder folder;
  const std::string jobs = folder.path() / "jobs.csv";
  std::ofstream(jobs)
      << "name,submit_s,nodes,gpus,run_time_s,class\na,0,2,0,900,large\nb,0,2,0,900,small\nc,0,2,0,900,\n";
  Run run("one_rack",
          rack_with("queue: [{trace: '" + jobs +
                    "', program: {by: class, large: {kind: constant, node_power: 7 kW}, small: {kind: constant, "
                    "node_power: 6 kW}, other: {kind: constant, node_power: 5 kW}}}]"));
  run.until(300.0);
  for (const auto& [node, node_w] : {std::pair{0, 7000.0}, std::pair{2, 6000.0}, std::pair{4, 5000.0}})
    CHECK_THAT(gpus_w(run, static_cast<std::size_t>(node)),
               WithinRel((node_w - h100.base_w) / h100.overhead_ratio, 1e-9));
}
