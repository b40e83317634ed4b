// Checkpoints of a training job: sizes against published ones, Young's and Daly's intervals, what a save, its write in the background and a restart
// cost, and the goodput of asynchronous saves against
//
//   tau exp(-w / M) / (M exp(R/M) (exp((tau + d) / M) - 1))
//
// which follows from counting: a save counts if the job survives the write of w, P(failure after k (tau + d) + w), and each failure costs M
// exp(R/M) in the mean.
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/job_goodput.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "workload/checkpoints/checkpoint_size.hpp"
#include "workload/checkpoints/interval.hpp"
#include "workload/training/training_checkpoints.hpp"
#include "workload/training/training_clock.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr double gibibyte_b = 1073741824.0;

CheckpointParams model(double parameters, const std::string& precision = "bf16", const std::string& optimizer = "adam",
                       const std::string& contents = "all") {
  return {
      .is_given = true, .parameters = parameters, .precision = precision, .optimizer = optimizer, .contents = contents};
}

const NodeSet hall{.nodes = 1280, .gpus_per_node = 8, .split = {}};

/// 405 G parameters on 10,240 GPUs, 500 GB/s.
TrainingParams large_job() {
  TrainingParams job;
  job.checkpoint = model(405e9);
  job.storage = {.is_given = true, .read_b_per_s = 1e12, .write_b_per_s = 500e9, .per_node_b_per_s = 40e9};
  job.failures.kinds = {{"gpu", 54.0 * 86400.0 * 16384.0 / 419.0, true}};  // [llama3_herd], all kinds together
  return job;
}

/// Steps of 10 s, a save of 2 s after ten of them, written in 30 s.
TrainingParams small_job() {
  TrainingParams job;
  job.step_s = 10.0;
  job.evaluation_s = job.evaluation_dip_s = 0.0;
  job.communication_fraction = 0.0;
  job.checkpoint_s = 2.0;
  job.background_write_s = 30.0;
  job.checkpoint_interval_s = 102.0;
  return job;
}

}  // namespace

TEST_CASE("bytes of a parameter are those of weights, master copy and moments", "[verification][checkpoints]") {
  CHECK(bytes_per_parameter(model(1.0)).sum_b() == 2.0 + 4.0 + 4.0 + 4.0);
  CHECK(bytes_per_parameter(model(1.0, "fp16")).sum_b() == 14.0);
  CHECK(bytes_per_parameter(model(1.0, "fp8")).sum_b() == 1.0 + 4.0 + 8.0);
  CHECK(bytes_per_parameter(model(1.0, "fp32")).sum_b() == 4.0 + 8.0);
  CHECK(bytes_per_parameter(model(1.0, "bf16", "sgd")).sum_b() == 2.0 + 4.0 + 4.0);
  CHECK(bytes_per_parameter(model(1.0, "bf16", "none")).sum_b() == 2.0);
  CHECK(bytes_per_parameter(model(1.0, "bf16", "adam", "weights")).sum_b() == 2.0);
  CHECK(bytes_per_parameter(model(1.0, "bf16", "adam", "optimizer")).sum_b() == 12.0);
  CHECK(bytes_per_parameter(model(1.0, "fp32", "adam", "optimizer")).sum_b() == 12.0);
}

TEST_CASE("checkpoints are as large as published ones", "[verification][checkpoints]") {
  struct Published {
    double parameters, size;  // [dgxc_checkpoint_sizes]: GB and TB, which are thousands of GiB
  };
  for (const Published& one : {Published{8e9, 105.0}, {70e9, 920.0}, {340e9, 4400.0}, {405e9, 5200.0}}) {
    const double ours = checkpoint_bytes_b(model(one.parameters)) / gibibyte_b;
    CHECK_THAT(ours, WithinRel(one.size, 0.02));
    CHECK_THAT(checkpoint_bytes_b(model(one.parameters, "fp8")) / 1e9, WithinRel(one.size, 0.02));
    tests::report_verification(
        {"checkpoint of " + std::to_string(static_cast<int>(one.parameters / 1e9)) + " G parameters, bf16 and Adam",
         "dgxc_checkpoint_sizes", "size", ours, one.size, 0.02 * one.size, "GiB", "published"});
  }
  const double bloom = 176.247e9;  // [bloom_checkpoints]: 2.3 TB with the optimizer, 329 GB of weights
  const double weights = checkpoint_bytes_b(model(bloom, "bf16", "adam", "weights")) / gibibyte_b;
  CHECK_THAT(weights, WithinRel(329.0, 3e-3));  // decimal GB would be 352
  CHECK_THAT(checkpoint_bytes_b(model(bloom)) / gibibyte_b, WithinRel(2300.0, 1e-2));
  tests::report_verification({"checkpoint of BLOOM, 176.2 G parameters, weights alone", "bloom_checkpoints", "size",
                              weights, 329.0, 1.0, "GiB", "published"});
}

TEST_CASE("intervals are those of Young and Daly", "[verification][checkpoints]") {
  constexpr double between_s = 3.093 * 3600.0;
  CHECK_THAT(young_interval_s(60.0, between_s), WithinAbs(1156.0, 0.5));
  CHECK_THAT(daly_interval_s(60.0, between_s), WithinAbs(1116.0, 0.5));
  CHECK(daly_interval_s(500.0, 200.0) == 200.0);
  // the maximum of the goodput itself, by search
  double best_s = 0.0, best = 0.0;
  for (double work_s = 900.0; work_s < 1400.0; work_s += 1.0) {
    const double goodput = tests::closed_form_goodput({.work_s = work_s, .save_s = 60.0}, between_s);
    if (goodput > best) best = goodput, best_s = work_s;
  }
  CHECK_THAT(daly_interval_s(60.0, between_s), WithinAbs(best_s, 1.5));
  tests::report_verification({"interval of checkpoints, 3.093 h between failures, 60 s a save", "daly2006", "interval",
                              daly_interval_s(60.0, between_s), best_s, 1.5, "s", "closed form"});
}

TEST_CASE("99.9 % of a job on 10,240 GPUs would need a recovery in 17.8 s", "[verification][checkpoints]") {
  const double between_s = job_mean_time_s(large_job().failures, 10240.0, 10240.0);
  CHECK_THAT(between_s, WithinRel(4.95 * 3600.0, 1e-3));
  double least_s = 0.0, most_s = 600.0;  // saves that cost nothing, as often as one likes
  while (most_s - least_s > 1e-6) {
    const double middle_s = 0.5 * (least_s + most_s);
    const bool is_enough = tests::closed_form_goodput({.work_s = 1e-3, .restart_s = middle_s}, between_s) > 0.999;
    (is_enough ? least_s : most_s) = middle_s;
  }
  CHECK_THAT(least_s, WithinAbs(17.8, 0.05));
}

TEST_CASE("failures that take a node stop a job where it works, others anywhere", "[verification][checkpoints]") {
  const FailureParams both{.kinds = {{"gpu", 3600.0, true}, {"software", 7200.0, false}}};
  CHECK_THAT(job_mean_time_s(both, 100.0, 80.0), WithinRel(1.0 / (80.0 / 3600.0 + 100.0 / 7200.0), 1e-12));
  CHECK(std::isinf(job_mean_time_s({}, 100.0, 80.0)));
}

TEST_CASE("a plan follows from the model, the nodes and the storage", "[verification][checkpoints]") {
  TrainingParams job = large_job();
  const CheckpointPlan blocking = checkpoint_plan(job, hall);
  CHECK_THAT(blocking.bytes_b, WithinRel(5.67e12, 1e-12));
  CHECK_THAT(blocking.write_s, WithinRel(11.34, 1e-12));
  CHECK(blocking.stop_s == blocking.write_s);
  CHECK(blocking.background_s == 0.0);
  CHECK_FALSE(blocking.is_write_limited_by_nodes);
  CHECK_THAT(with_checkpoints(job, hall).restart_s, WithinRel(360.0 + 5.67, 1e-12));
  CHECK_THAT(with_checkpoints(job, hall).checkpoint_s, WithinRel(11.34, 1e-12));

  job.checkpoint.mode = "asynchronous";
  const CheckpointPlan behind = checkpoint_plan(job, hall);
  CHECK_THAT(behind.stop_s, WithinRel(5.67e12 / 10240.0 / 50e9, 1e-12));
  CHECK_THAT(behind.background_s, WithinRel(11.34, 1e-12));
  job.checkpoint.stall_s = 3.0;
  CHECK(checkpoint_plan(job, hall).stop_s == 3.0);

  job.checkpoint.ranks = 64;  // eight nodes
  CHECK_THAT(checkpoint_plan(job, hall).write_s, WithinRel(5.67e12 / 320e9, 1e-12));
  CHECK(checkpoint_plan(job, hall).is_write_limited_by_nodes);

  job = large_job();
  job.checkpoint.interval = "daly";
  const double between_s = 54.0 * 86400.0 * 16384.0 / 419.0 / 10240.0;
  CHECK_THAT(checkpoint_plan(job, hall).interval_s, WithinRel(daly_interval_s(11.34, between_s) + 11.34, 1e-12));
  job.spare_nodes = 80;  // whose failures stop nothing
  CHECK_THAT(checkpoint_plan(job, hall).mean_time_s, WithinRel(between_s * 1280.0 / 1200.0, 1e-12));
}

TEST_CASE("goodput of asynchronous saves is that of the closed form, and more than that of blocking ones",
          "[verification][checkpoints]") {
  constexpr double between_s = 4.95 * 3600.0;
  TrainingParams job = small_job();
  job.step_s = 9.0;
  job.detection_s = 0.0;
  job.restart_s = 600.0;
  job.checkpoint_s = 2.0;
  job.background_write_s = 300.0;
  job.checkpoint_interval_s = 902.0;
  const tests::SavingJob behind{.work_s = 900.0, .save_s = 2.0, .background_s = 300.0, .restart_s = 600.0};
  const double ours = tests::goodput_of_runs(job, between_s, 500),
               theirs = tests::closed_form_goodput(behind, between_s);
  CHECK_THAT(ours, WithinRel(theirs, 5e-3));
  tests::report_verification(
      {"goodput of asynchronous saves: 2 s of stall, 300 s of writing, every 902 s, 4.95 h between "
       "failures, restart in 10 min",
       "closed form", "goodput", ours, theirs, 5e-3, "1"});
  job.checkpoint_s = 300.0;
  job.background_write_s = 0.0;
  job.checkpoint_interval_s = 1200.0;
  const double blocking = tests::goodput_of_runs(job, between_s, 500);
  // where nothing fails, stalls alone are lost: 902 s instead of 1,200 s for 900 s of work
  const tests::SavingJob waiting{.work_s = 900.0, .save_s = 300.0, .restart_s = 600.0};
  CHECK_THAT(ours / blocking, WithinRel(theirs / tests::closed_form_goodput(waiting, between_s), 1e-2));
  CHECK(ours > 1.25 * blocking);
}

TEST_CASE("a job that does not fail loses its stalls alone", "[verification][checkpoints]") {
  const TrainingClock program(small_job(), 8, 1);
  CHECK(program.progress({}, 100.0 * 102.0).steps == 1000.0);
  CHECK(program.schedule().steps_per_checkpoint == 10.0);
}

TEST_CASE("a save counts from when it is written, whatever the clock does meanwhile", "[verification][checkpoints]") {
  const TrainingClock program(small_job(), 8, 1);
  const auto steps_after = [&](double stopped_s, JobClock job) {
    job = program.at_clock(job, stopped_s, job.clock_fraction);
    job.is = JobClock::Is::waiting;
    return program.progress(program.from_checkpoint(job, stopped_s + 500.0), stopped_s + 500.0).steps;
  };
  CHECK(steps_after(101.0, {}) == 0.0);  // in the stall
  CHECK(steps_after(131.9, {}) == 0.0);  // 29.9 s of 30 s written
  CHECK(steps_after(132.1, {}) == 10.0);
  CHECK(steps_after(233.9, {}) == 10.0);  // the second save is under way
  CHECK(steps_after(234.1, {}) == 20.0);
  for (const double clock_fraction : {0.5, 0.9}) {  // from ten seconds after the save on
    const JobClock slow = program.at_clock({}, 112.0, clock_fraction);
    CHECK(steps_after(131.9, slow) == 0.0);
    CHECK(steps_after(132.1, slow) == 10.0);
    const JobClock full = program.at_clock(slow, 122.0, 1.0);
    CHECK(steps_after(131.9, full) == 0.0);
    CHECK(steps_after(132.1, full) == 10.0);
  }
  const JobClock again = program.from_checkpoint(program.at_clock({}, 140.0, 1.0), 200.0);
  CHECK(steps_after(201.0, again) == 10.0);  // what it went on from is whole
}

TEST_CASE("no save begins while the last one is being written", "[verification][checkpoints]") {
  TrainingParams job = small_job();
  job.background_write_s = 496.0;
  CHECK(make_schedule(job).steps_per_checkpoint == 50.0);
  job.background_write_s = 30.0;
  CHECK(make_schedule(job).steps_per_checkpoint == 10.0);
}

namespace {

using Run = tests::ScenarioRun;

/// One rack of 64 GPUs: 1.4 TB in 28 s, without noise.
std::vector<std::string> saving(const std::string& mode, const std::string& more = "") {
  return {
      "workload={kind: training, evaluation_time: 0 s, evaluation_dip_time: 0 s, detection_time: 10 s, restart_time: "
      "1 min, gpu_noise: 0 W, node_noise: 0 W, gpu_spread: 0 W, checkpoint_gpu_band: 0 W, checkpoint: {parameters: "
      "100e9, interval: 5 min, " +
          mode + "}, storage: {read: 100 GB/s, write: 50 GB/s, per_node: 40 GB/s}" + more + "}",
      "duration=20 min"};
}

}  // namespace

TEST_CASE("a hall saves, fails and reads its checkpoint", "[verification][checkpoints]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    std::vector<std::string> overrides = saving("mode: blocking");
    overrides.push_back("events=[{at: 8 min, fail: row_1.rack_1.node_3, for: 1 min}]");
    Run run("one_rack", overrides, integrator);
    run.to_end();
    const std::vector<double> lost = run.times_s("job_stopped"), back = run.times_s("job_resumed");
    REQUIRE(back.size() == 1);
    const std::vector<double> up = run.times_s("nodes_back");
    const twin::JobFigures job = twin::job_figures(run.jobs(), run.state());
    CHECK_THAT(job.lost.stopped_s, WithinAbs(back.front() - lost.front(), 1e-6));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
    // the job is idle until 1 min of restart and 14 s of reading have passed since the node is at work
    REQUIRE_FALSE(up.empty());
    CHECK_THAT(back.front() - up.back(), WithinAbs(60.0 + 1.4e12 / 100e9, 1e-6));
  }
}

TEST_CASE("GPUs wait for a blocking save as long as it is written, for an asynchronous one as long as it is copied",
          "[verification][checkpoints]") {
  struct Mode {
    std::string text;
    double wait_s;
  };
  for (const Mode& mode : {Mode{"mode: blocking", 28.0}, Mode{"mode: asynchronous, stall: 4 s", 4.0},
                           Mode{"mode: asynchronous, copy_rate: 2 GB/s", 1.4e12 / 64.0 / 2e9}}) {
    const twin::Scenario scenario = Run("one_rack", saving(mode.text)).scenario;
    const twin::Work work = twin::make_work(scenario);
    REQUIRE(work.notes.size() == 1);
    CHECK_THAT(work.notes.front(),
               Contains("a checkpoint has 1.4 TB: 14 B for each parameter (weights 2, master copy 4, moments 8)") &&
                   Contains("a save takes 28 s at 50 GB/s, the limit of the storage"));
    double saved_s = 0.0;
    std::vector<double> gpu_w(64), node_w(8);
    for (double t_s = 0.5; t_s < 320.0; t_s += 1.0) {
      work.workload->sample_all(t_s, gpu_w, node_w);
      // the last stage of the pipeline has no lead; a sample of the save is between step and save level
      saved_s += std::max(0.0, (220.0 - gpu_w[56]) / (220.0 - 156.0)) * (gpu_w[56] < 220.0 ? 1.0 : 0.0);
    }
    CHECK_THAT(saved_s, WithinAbs(mode.wait_s, 2.0));
  }
}

TEST_CASE("asynchronous saves are the same with either integrator, through failures", "[verification][checkpoints]") {
  std::vector<std::string> unlucky =
      saving("mode: asynchronous",
             ", spare_nodes: 2, failures: {rates: {kinds: {gpu: {mean_time: 12 h}, software: {mean_time: 6 h, "
             "takes_node: false}}}, repair: 10 min}");
  Run slow("one_rack", unlucky, Run::By::monolithic), quick("one_rack", unlucky, Run::By::multirate);
  slow.to_end();
  quick.to_end();
  CHECK_FALSE(slow.times_s("job_resumed").empty());
  CHECK(slow.times_s("job_resumed") == quick.times_s("job_resumed"));
  const twin::JobFigures ours = twin::job_figures(quick.jobs(), quick.state()),
                         theirs = twin::job_figures(slow.jobs(), slow.state());
  CHECK_THAT(ours.gained_s, WithinAbs(theirs.gained_s, 1e-6));
  CHECK_THAT(ours.lost.redone_s, WithinAbs(theirs.lost.redone_s, 1e-6));
  CHECK(ours.lost.redone_s > 0.0);
  for (std::size_t gpu = 0; gpu < 64; ++gpu) CHECK(std::abs(slow.die_k(gpu) - quick.die_k(gpu)) < 0.05);
}
