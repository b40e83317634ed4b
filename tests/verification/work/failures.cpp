// Failures by chance: counts against the 419 interruptions of Llama 3 in 54 days on 16,384 GPUs [llama3_herd], and the goodput of a job that saves,
// fails and restarts against its closed form, tau / (M exp(R/M) (exp((tau + d)/M) - 1)).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/job_goodput.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "workload/checkpoints/interval.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr double day_s = 86400.0;
constexpr std::size_t gpus = 16384;

/// Counts of table 5.
const std::map<std::string, double> published{{"faulty_gpu", 148.0},
                                              {"gpu_hbm", 72.0},
                                              {"software_bug", 54.0},
                                              {"network_switch_or_cable", 35.0},
                                              {"host_maintenance", 32.0},
                                              {"gpu_sram", 19.0},
                                              {"gpu_system_processor", 17.0},
                                              {"network_adapter", 7.0},
                                              {"nccl_watchdog_timeout", 7.0},
                                              {"silent_data_corruption", 6.0},
                                              {"gpu_thermal_interface_or_sensor", 6.0},
                                              {"ssd", 3.0},
                                              {"power_supply", 3.0},
                                              {"server_chassis", 2.0},
                                              {"io_expansion_board", 2.0},
                                              {"dependency", 2.0},
                                              {"cpu", 2.0},
                                              {"system_memory", 2.0}};

const std::string source = WATTLOOP_SOURCE_DIR;

FailureParams llama3() {
  const twin::Scenario scenario = twin::read_scenario(source + "/scenarios/one_rack.yaml",
                                                      {"workload={kind: training, failures: {rates: llama3_16k}}"});
  return scenario.workload.get<TrainingParams>()->failures;
}

}  // namespace

TEST_CASE("failures of 54 days on 16,384 GPUs are as many as were published, kind by kind",
          "[verification][failures]") {
  const FailureParams params = llama3();
  REQUIRE(params.kinds.size() == published.size());
  constexpr int seeds = 200;
  int within = 0;
  double sum = 0.0;
  std::vector<double> by_kind(params.kinds.size());
  for (int seed = 1; seed <= seeds; ++seed) {
    const FailureProcess process(params, gpus, static_cast<std::uint64_t>(seed));
    FailureCounters counters = process.at_begin();
    int count = 0;
    while (process.next_s(counters) <= 54.0 * day_s) {
      const FailureProcess::Failure failure = process.take_next(counters);
      REQUIRE(failure.gpu < gpus);
      by_kind[failure.kind] += 1.0;
      ++count;
    }
    within += count >= 379 && count <= 460 ? 1 : 0;  // 95 % of a Poisson distribution of mean 419
    sum += count;
  }
  CHECK(within >= 185);
  CHECK(within <= 197);
  const double mean = sum / seeds;
  CHECK_THAT(mean, WithinAbs(419.0, 4.0 * std::sqrt(419.0 / seeds)));
  tests::report_verification({"unexpected interruptions, 54 days, 16,384 GPUs, mean of 200 seeds", "llama3_herd",
                              "interruptions", mean, 419.0, 4.0 * std::sqrt(419.0 / seeds), "1", "fit"});
  for (std::size_t kind = 0; kind < params.kinds.size(); ++kind) {
    const double expected = published.at(params.kinds[kind].name);
    CHECK_THAT(by_kind[kind] / seeds, WithinAbs(expected, 4.0 * std::sqrt(expected / seeds)));
  }
}

TEST_CASE("times between failures are exponential, and those of a seed the same whatever else is drawn",
          "[verification][failures]") {
  const FailureParams params{.kinds = {{"a", 3600.0 * 100.0, true}, {"b", 7200.0 * 100.0, true}}};
  const FailureProcess process(params, 100, 7);
  FailureCounters counters = process.at_begin();
  std::vector<double> times_s;
  for (int k = 0; k < 40000; ++k) {
    times_s.push_back(process.next_s(counters));
    process.take_next(counters);
  }
  const double mean_s = times_s.back() / static_cast<double>(times_s.size());
  CHECK_THAT(mean_s, WithinRel(2400.0, 0.02));  // 1 / (1/3600 + 1/7200)
  int longer = 0;
  for (std::size_t k = 1; k < times_s.size(); ++k) longer += times_s[k] - times_s[k - 1] > 2400.0 ? 1 : 0;
  CHECK_THAT(longer / 40000.0, WithinAbs(std::exp(-1.0), 0.01));
  const FailureProcess alone({.kinds = {params.kinds.front()}}, 100, 7);
  FailureCounters of_alone = alone.at_begin();
  counters = process.at_begin();
  while (process.take_next(counters).kind != 0) continue;
  alone.take_next(of_alone);
  CHECK(of_alone.next_s[0] == counters.next_s[0]);
}

TEST_CASE("times between failures follow Weibull's distribution, with the mean kept", "[verification][failures]") {
  for (const double shape : {0.5, 0.8, 2.0}) {
    const FailureParams params{.kinds = {{"a", 3600.0 * 100.0, true, shape}}};
    const FailureProcess process(params, 100, 7);
    FailureCounters counters = process.at_begin();
    constexpr int count = 100000;
    double last_s = 0.0, squares = 0.0;
    int longer = 0;
    for (int k = 0; k < count; ++k) {
      const double pause_s = process.next_s(counters) - last_s;
      last_s = process.next_s(counters);
      squares += pause_s * pause_s;
      longer += pause_s > 3600.0 ? 1 : 0;
      process.take_next(counters);
    }
    const double mean_s = last_s / count, first = std::tgamma(1.0 + 1.0 / shape),
                 second = std::tgamma(1.0 + 2.0 / shape);
    const double variation = second / (first * first) - 1.0;  // of the closed form: variance over mean squared
    CHECK_THAT(mean_s, WithinRel(3600.0, 4.0 * std::sqrt(variation / count)));
    CHECK_THAT(squares / count / (mean_s * mean_s) - 1.0, WithinRel(variation, 0.05));
    CHECK_THAT(static_cast<double>(longer) / count, WithinAbs(std::exp(-std::pow(first, shape)), 0.006));
    tests::report_verification({"times between failures, Weibull of shape " + std::to_string(shape).substr(0, 3),
                                "closed form", "share longer than the mean", static_cast<double>(longer) / count,
                                std::exp(-std::pow(first, shape)), 0.006, "1"});
  }
}

TEST_CASE("shape 1 and no spread draw the exponential failures of equal GPUs, to the bit", "[verification][failures]") {
  const FailureParams params{.kinds = {{"a", 3600.0 * 100.0, true, 1.0}}, .node_spread_ratio = 0.0};
  const FailureProcess process(params, 100, 7, 8);
  FailureCounters counters = process.at_begin();
  double next_s = 0.0;
  const auto bits = [](std::uint32_t high, std::uint32_t low) {
    return static_cast<double>((static_cast<std::uint64_t>(high) << 32 | low) >> 11) * 0x1p-53;
  };
  for (std::uint32_t number = 0; number < 1000; ++number) {
    const RandomCounter words = philox({number, 0, 0, 0}, random_key(7, 5));
    next_s += -std::log1p(-bits(words[0], words[1])) * (3600.0 * 100.0) / 100.0;
    REQUIRE(process.next_s(counters) == next_s);
    REQUIRE(process.take_next(counters).gpu == static_cast<std::size_t>(bits(words[2], words[3]) * 100.0));
  }
}

TEST_CASE("nodes fail more and less often by a lognormal factor, all together as often", "[verification][failures]") {
  constexpr std::size_t nodes = 4000, failures_per_node = 100;
  constexpr double spread = 1.0;
  const FailureParams params{.kinds = {{"a", 3600.0, true}}, .node_spread_ratio = spread};
  const FailureParams alike{.kinds = {{"a", 3600.0, true}}};
  const FailureProcess process(params, 8 * nodes, 3, 8), equal(alike, 8 * nodes, 3, 8);
  FailureCounters counters = process.at_begin(), of_equal = equal.at_begin();
  std::vector<double> of_node(nodes), of_gpu(8);
  for (std::size_t k = 0; k < nodes * failures_per_node; ++k) {
    REQUIRE(counters.next_s == of_equal.next_s);
    const std::size_t gpu = process.take_next(counters).gpu;
    equal.take_next(of_equal);
    REQUIRE(gpu < 8 * nodes);
    of_node[gpu / 8] += 1.0;
    of_gpu[gpu % 8] += 1.0;
  }
  for (const double count : of_gpu) CHECK_THAT(count / (nodes * failures_per_node), WithinAbs(0.125, 0.005));
  std::ranges::sort(of_node, std::greater<>());
  double of_worst = 0.0;  // share of the worst twentieth: 1 - Phi(1.645 - sigma)
  for (std::size_t node = 0; node < nodes / 20; ++node) of_worst += of_node[node];
  of_worst /= nodes * failures_per_node;
  const double theirs = 0.5 * std::erfc((1.6448536 - spread) / std::sqrt(2.0));
  CHECK_THAT(of_worst, WithinAbs(theirs, 0.03));
  tests::report_verification({"failures of the worst twentieth of 4,000 nodes, lognormal spread 1", "closed form",
                              "share", of_worst, theirs, 0.03, "1"});
}

namespace {

/// A job that saves after every `work_s` of work, blocking.
double goodput(const tests::SavingJob& job, double between_s, int seeds) {
  TrainingParams params;
  params.step_s = job.work_s / 100.0;
  params.evaluation_s = params.evaluation_dip_s = 0.0;
  params.checkpoint_s = job.save_s;
  params.checkpoint_interval_s = job.work_s + job.save_s;
  params.detection_s = 0.0;
  params.restart_s = job.restart_s;
  return tests::goodput_of_runs(params, between_s, seeds);
}

}  // namespace

TEST_CASE("goodput of a job that saves and fails is that of the closed form", "[verification][failures]") {
  constexpr double between_s = 3.093 * 3600.0;
  for (const double restart_s : {0.0, 600.0}) {
    const tests::SavingJob job{.work_s = 1116.0, .save_s = 60.0, .restart_s = restart_s};
    const double ours = goodput(job, between_s, 1000), theirs = tests::closed_form_goodput(job, between_s);
    CHECK_THAT(theirs, WithinAbs(restart_s == 0.0 ? 0.8997 : 0.8526, 1e-4));
    CHECK_THAT(ours, WithinRel(theirs, 5e-3));
    tests::report_verification({"goodput at Daly's interval, 3.093 h between failures, 60 s a save, restart " +
                                    std::string(restart_s == 0.0 ? "at once" : "in 10 min"),
                                "closed form", "goodput", ours, theirs, 5e-3, "1"});
  }
  const tests::SavingJob reference{.work_s = 900.0, .save_s = 16.0, .restart_s = 600.0};
  const double reference_s = job_mean_time_s(llama3(), 10240.0, 10240.0);
  CHECK_THAT(reference_s, WithinRel(4.95 * 3600.0, 1e-3));
  CHECK_THAT(tests::closed_form_goodput(reference, reference_s), WithinAbs(0.926, 5e-4));
  const double ours = goodput(reference, reference_s, 300);
  CHECK_THAT(ours, WithinRel(0.926, 5e-3));
  tests::report_verification({"goodput of 10,240 H100, a save of 16 s every 900 s, restart in 10 min", "closed form",
                              "goodput", ours, tests::closed_form_goodput(reference, reference_s), 5e-3, "1"});
}

namespace {

using Run = tests::ScenarioRun;

std::vector<std::string> with(const std::string& workload, const std::string& more = "title=x") {
  return {"workload={kind: training, checkpoint_interval: 5 min, " + workload + "}", "duration=25 min", more};
}

}  // namespace

TEST_CASE("a spare node takes the place of one that is lost", "[verification][failures]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    Run run("one_rack",
            with("spare_nodes: 1, detection_time: 1 min, restart_time: 2 min",
                 "events=[{at: 8 min, fail: row_1.rack_1.node_3, for: 5 min}]"),
            integrator);
    using twin::NodeIs;
    run.until(60.0);
    CHECK(run.state().work.node_is[7] == NodeIs::idle);
    run.until(541.0);
    CHECK(run.state().work.node_is[7] == NodeIs::at_work);
    CHECK(run.state().work.node_is[2] == NodeIs::failed);
    run.to_end();
    CHECK(run.state().work.node_is[2] == NodeIs::idle);
    CHECK(run.times_s("spare_nodes") == std::vector<double>{540.0});
    CHECK(run.times_s("job_resumed") == std::vector<double>{660.0});
    const twin::JobFigures job = twin::job_figures(run.jobs(), run.state());
    CHECK_THAT(job.lost.stopped_s, WithinAbs(180.0, 1e-6));
    CHECK(job.lost.redone_s > 0.0);
    CHECK_THAT(job.gained_s + job.lost.stopped_s + job.lost.redone_s + job.lost.slowed_s, WithinAbs(1500.0, 1e-6));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("failures by chance are the same with either integrator", "[verification][failures]") {
  const std::vector<std::string> unlucky = with(
      "spare_nodes: 2, failures: {rates: {kinds: {gpu: {mean_time: 12 h}, software: {mean_time: 6 h, takes_node: "
      "false}}}, repair: 10 min}, "
      "detection_time: 20 s, restart_time: 1 min");
  Run slow("one_rack", unlucky, Run::By::monolithic), quick("one_rack", unlucky, Run::By::multirate);
  slow.to_end();
  quick.to_end();
  CHECK(slow.times_s("failure").size() > 2);
  CHECK(slow.times_s("failure") == quick.times_s("failure"));
  CHECK(slow.times_s("job_resumed") == quick.times_s("job_resumed"));
  const twin::JobFigures ours = twin::job_figures(quick.jobs(), quick.state()),
                         theirs = twin::job_figures(slow.jobs(), slow.state());
  CHECK_THAT(ours.gained_s, WithinAbs(theirs.gained_s, 1e-6));
  for (std::size_t gpu = 0; gpu < 64; ++gpu) CHECK(std::abs(slow.die_k(gpu) - quick.die_k(gpu)) < 0.05);
}
