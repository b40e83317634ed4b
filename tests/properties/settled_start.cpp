// Where a run begins: the work has brought the hall there, so that its first minutes are like those after them.
#include <algorithm>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "workload/replay/replay.hpp"
#include "workload/training/training.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using By = tests::ScenarioRun::By;

namespace {

const workload::NodeSplitParams h100{
    .base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
const workload::NodeSet nodes{.nodes = 16, .gpus_per_node = 8, .split = h100};
constexpr std::size_t gpus = 128;

struct Watts {
  std::vector<double> gpu_w = std::vector<double>(gpus), node_w = std::vector<double>(16);
};

Watts sample(const workload::Workload& work, double t_s) {
  Watts watts;
  work.sample_all(t_s, watts.gpu_w, watts.node_w);
  return watts;
}

Watts mean_before(const workload::Workload& work) {
  Watts watts;
  work.mean_before({0, 16}, watts.gpu_w, watts.node_w);
  return watts;
}

/// Hottest die from one time to another.
class HottestDie final : public Observer {
 public:
  HottestDie(double from_s, double to_s) : from_s_(from_s), to_s_(to_s) {}
  void observe(const PlantState& state, const Evaluation& evaluation) override {
    if (state.time_s >= from_s_ && state.time_s <= to_s_) die_k = std::max(die_k, hottest_die_k(evaluation.racks));
  }
  double die_k = 0.0;

 private:
  double from_s_, to_s_;
};

/// The hottest die of each of six periods of ten minutes.
std::vector<double> hottest_k(const std::string& name, const std::vector<std::string>& overrides) {
  tests::ScenarioRun run(name, overrides, By::multirate);
  std::vector<double> peaks_k;
  for (double from_s = 0.0; from_s < 3600.0; from_s += 600.0) {
    HottestDie die(from_s, from_s + 600.0);
    run.until(from_s + 600.0, &die);
    peaks_k.push_back(die.die_k);
  }
  return peaks_k;
}

/// By how much the first period is hotter than the hottest of the others, or cooler than the coolest: chance puts peaks between these.
double excess_k(const std::vector<double>& peaks_k) {
  const auto [coolest, hottest] = std::minmax_element(peaks_k.begin() + 1, peaks_k.end());
  return peaks_k.front() - std::clamp(peaks_k.front(), *coolest, *hottest);
}

}  // namespace

TEST_CASE("before the run a job goes through the cycle that it goes through in it", "[settled][workload]") {
  // 4 steps of 10 s, an evaluation of 5 s after each second one, a checkpoint of 8 s after all four: 58 s
  const workload::TrainingParams params{.step_s = 10.0,
                                        .evaluation_interval_s = 25.0,
                                        .evaluation_s = 5.0,
                                        .checkpoint_interval_s = 58.0,
                                        .checkpoint_s = 8.0,
                                        .checkpoint_band_w = 0.0,
                                        .gpu_noise_w = 0.0,
                                        .node_noise_w = 0.0,
                                        .pipeline_stages = 1};
  const auto work = workload::make_training(params, nodes, 1);
  double mean_w = 0.0;
  for (int second = 0; second < 58; ++second) {
    const Watts in_run = sample(*work, second + 0.5), before = sample(*work, second + 0.5 - 58.0),
                long_before = sample(*work, second + 0.5 - 580.0);
    CHECK(before.gpu_w == in_run.gpu_w);
    CHECK(long_before.node_w == in_run.node_w);
    mean_w += in_run.node_w[3] / 58.0;
  }
  CHECK_THAT(mean_before(*work).node_w[3], Catch::Matchers::WithinRel(mean_w, 1e-9));
  CHECK(work->next_change_s(-0.5) == 0.0);
  CHECK(work->next_change_s(-600.0) == -599.0);
}

TEST_CASE("a job that rises from idle in the run has not begun before it", "[settled][workload]") {
  const auto work = workload::make_training({.ramp_s = 60.0}, nodes, 1);
  for (const Watts& watts : {sample(*work, -1.0), sample(*work, -300.0), mean_before(*work)}) {
    CHECK(std::ranges::all_of(watts.gpu_w, [](double w) { return w == 72.0; }));
    CHECK_THAT(watts.node_w[0], Catch::Matchers::WithinRel(1600.0 + 1.12 * 8 * 72.0, 1e-12));
  }
}

TEST_CASE("before the run a trace repeats its lead-in", "[settled][workload]") {
  workload::PowerTrace trace{.file = "trace.csv",
                             .stamps_s = {5.0, 7.0, 9.0, 11.0, 13.0},
                             .names = {"a"},
                             .power_w = {4000.0, 5000.0, 6000.0, 9000.0, 9000.0},
                             .holes = {},
                             .interval_s = 2.0};
  const auto work = workload::make_replay(trace, {.lead_in_s = 5.0}, nodes);
  CHECK_THAT(mean_before(*work).node_w[2], Catch::Matchers::WithinRel((2 * 4000.0 + 2 * 5000.0 + 6000.0) / 5.0, 1e-12));
  CHECK(sample(*work, -0.5).node_w[0] == 6000.0);
  CHECK(sample(*work, -2.0).node_w[0] == 5000.0);
  CHECK(sample(*work, -5.0).node_w[0] == 4000.0);
  CHECK(sample(*work, -10.0).node_w[0] == 4000.0);
  CHECK(work->next_change_s(-0.5) == 0.0);
  CHECK(work->next_change_s(-2.0) == -1.0);
  CHECK(sample(*work, 0.0).node_w[0] == 4000.0);
}

// In halls/mixed dies in air are the hottest, whose peaks chance moves by 0.1 K from one ten minutes to the next; below, none is left to it.
TEST_CASE("the first ten minutes of a training run are not hotter than those after them", "[settled]") {
  constexpr double tolerance_k = 0.05;
  const std::string name = GENERATE(as<std::string>(), "one_rack", "h100_10k", "halls/nvl72_dry_coolers",
                                    "halls/dgx_h100_air", "halls/two_chilled_waters");
  INFO(name);
  CHECK_THAT(excess_k(hottest_k(name, {"duration=1 h"})), Catch::Matchers::WithinAbs(0.0, tolerance_k));
  if (name == "one_rack") CHECK(excess_k(hottest_k(name, {"duration=1 h", "initial=steady"})) > 4 * tolerance_k);
}

TEST_CASE("the first ten minutes of a training run are as hot as after an hour of the same work", "[settled]") {
  constexpr double tolerance_k = 0.05;
  const std::string name = GENERATE(as<std::string>(), "one_rack", "halls/mixed", "halls/nvl72_dry_coolers",
                                    "halls/dgx_h100_air", "halls/two_chilled_waters");
  INFO(name);
  const auto hottest = [&](const std::string& initial) {
    tests::ScenarioRun run(name, {"duration=10 min", "initial=" + initial}, By::multirate);
    HottestDie die(0.0, 600.0);
    run.until(600.0, &die);
    return die.die_k;
  };
  const double after_an_hour_k = hottest("{ warm_up: 60 min }");
  CHECK_THAT(hottest("settled"), Catch::Matchers::WithinAbs(after_an_hour_k, tolerance_k));
  if (name == "one_rack") CHECK(hottest("steady") > after_an_hour_k + 4 * tolerance_k);
}

TEST_CASE("meters begin at zero after a warm-up, and the balance closes", "[settled]") {
  tests::ScenarioRun run("one_rack", {"duration=20 min", "workload={kind: training}"}, By::multirate);
  CHECK(run.state().begin.warm_up_s >= 600.0);
  CHECK(run.state().begin.settling_s == 0.0);
  CHECK(run.state().time_s == 0.0);
  CHECK(run.used_j("node") == 0.0);
  run.to_end();
  CHECK(std::abs(run.energy_residual()) < 1e-9);
  CHECK(run.events().empty());
}

TEST_CASE("under work that never changes a settled start is the steady one", "[settled]") {
  const auto state_of = [](const std::string& initial) {
    tests::ScenarioRun run("one_rack", {"workload={kind: constant, node_power: 8 kW}", "initial=" + initial},
                           By::multirate);
    run.until(60.0);
    return run.state().states;
  };
  CHECK(state_of("settled") == state_of("steady"));
}

TEST_CASE("where a warm-up would lose nodes the run begins without one and shows it", "[settled]") {
  // Coolant so warm that dies pass 95 degC in the steps of the job, and not under its mean.
  tests::ScenarioRun run(
      "one_rack",
      {"duration=20 min",
       "workload={kind: training, compute_gpu_power: 700 W, evaluation_time: 0 s, "
       "checkpoint_interval: 5 min, checkpoint_time: 150 s}",
       "hall.racks.with.protection.throttle_temperature=94 degC",
       "hall.racks.with.protection.slowdown_temperature=94.5 degC", "hall.cooling.loops.supply_temperature=58 degC",
       "hall.cooling.facility.supply_temperature=55 degC", "hall.cooling.loops.pump_speed=25 %"},
      By::multirate);
  REQUIRE(run.state().begin.warm_up_s == 0.0);
  CHECK(run.state().begin.settling_s >= 600.0);
  run.to_end();
  CHECK_FALSE(run.events().empty());
}
