// Jobs of a run that share a storage. By hand: 5.2 TB at 500 GB/s take 10.4 s, two jobs at once 20.8 s, each at half of the bandwidth as long as
// both write. In a hall, with both integrators; without a hall: storage_shares.cpp.
#include <array>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/mistake_of.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/run/figures/summary.hpp"

using namespace wattloop;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Run = tests::ScenarioRun;

constexpr std::array both_ways{Run::By::monolithic, Run::By::multirate};
constexpr double computing_w = 613.0, communicating_w = 220.0, saving_w = 156.0;
constexpr double step_s = 10.0, computing_s = 9.44, communicating_s = 0.56;
const std::string wide = "storage: {read: 1 TB/s, write: 500 GB/s, per_node: 1 TB/s}";

/// A job that saves `parameters` weights of two bytes.
std::string program(const std::string& parameters, const std::string& checkpoint, const std::string& more = "") {
  return "program: {kind: training, step_time: 10 s, evaluation_time: 0 s, evaluation_dip_time: 0 s, gpu_noise: 0 W, "
         "node_noise: 0 W, gpu_spread: 0 W, checkpoint_gpu_band: 0 W, stage_lag: 0 s, detection_time: 1 min, "
         "restart_time: 2 min, checkpoint: {contents: weights, parameters: " +
         parameters + ", " + checkpoint + "}" + more + "}";
}

/// 5.2 TB every 29 steps: the first save begins at 290 s.
const std::string large = program("2.6e12", "interval: 5 min");
const std::string asynchronous = program("2.6e12", "interval: 5 min, mode: asynchronous, stall: 2 s");

std::vector<std::string> hall(const std::string& storage, const std::string& queue, const std::string& more = "title=x",
                              const std::string& scheduler = "interval: 5 s") {
  return {"workload=null", "jobs={" + storage + ", scheduler: {" + scheduler + "}, queue: [" + queue + "]}",
          "hall.racks.gpu_spread=none", "duration=10 min", more};
}

/// [job] What became of it.
twin::JobStint stint(const Run& run, std::size_t job) {
  return twin::tallies_of(*run.jobs().queue(), run.state()).at(job).stint;
}

double gpu_w(const Run& run, std::size_t node) {
  const twin::UnitGroup& units = *run.plant.groups[run.plant.it.groups.front().gpu_units];
  return run.state().inputs[units.first_load - run.plant.map.input(0) + 8 * node];
}

/// Integral of what the first GPU of a node is asked for.
class AskedEnergy final : public twin::Observer {
 public:
  AskedEnergy(const Run& run, std::size_t node) : run_(run), node_(node) {}
  void observe(const twin::PlantState& state, const twin::Evaluation&) override {
    const twin::UnitGroup& units = *run_.plant.groups[run_.plant.it.groups.front().gpu_units];
    sum_j_ += now_w_ * (state.time_s - since_s_);
    now_w_ = state.inputs[units.first_load - run_.plant.map.input(0) + 8 * node_];
    since_s_ = state.time_s;
  }
  double sum_j() const { return sum_j_; }

 private:
  const Run& run_;
  std::size_t node_;
  double since_s_ = 0.0, now_w_ = 0.0, sum_j_ = 0.0;
};

/// Of a GPU that computes and communicates for so long, from the begin of a step on.
double steps_j(double time_s) {
  const double steps = std::floor(time_s / step_s), into_s = time_s - steps * step_s;
  const double busy_s = steps * computing_s + std::min(into_s, computing_s);
  return busy_s * computing_w + (time_s - busy_s) * communicating_w;
}

double figure(const Run& run, const std::string& name) {
  const twin::FinishedRun finished{run.plant, run.scenario, run.simulation(), run.statistics, 0.0};
  for (const twin::NamedValue& value : twin::summarise(finished)) {
    if (value.name == name) return std::get<double>(value.value);
  }
  return std::nan("");
}

}  // namespace

TEST_CASE("two jobs that save at once wait twice as long, with the energy of the longer dip",
          "[verification][shared_storage]") {
  for (const Run::By integrator : both_ways) {
    Run run("one_rack", hall(wide, "{name: a, nodes: 4, " + large + "}, {name: b, nodes: 4, " + large + "}"),
            integrator);
    AskedEnergy first(run, 0);
    run.until(0.0);
    first.observe(run.state(), run.evaluation());
    run.until(305.0, &first);
    CHECK_THAT(gpu_w(run, 0), WithinRel(saving_w, 1e-9));  // alone it would have gone on at 300.4 s
    CHECK_THAT(gpu_w(run, 7), WithinRel(saving_w, 1e-9));
    run.until(311.0, &first);
    CHECK_THAT(gpu_w(run, 0), WithinRel(computing_w, 1e-12));
    run.to_end(&first);
    for (const std::size_t job : {0, 1}) {
      CHECK_THAT(stint(run, job).gained_s, WithinAbs(600.0 - 10.4, 1e-6));
      CHECK_THAT(stint(run, job).saving_s, WithinAbs(10.4, 1e-6));
      CHECK_THAT(stint(run, job).lost.storage_wait_s, WithinAbs(10.4, 1e-6));
      CHECK_THAT(stint(run, job).lost.slowed_s, WithinAbs(0.0, 1e-6));
    }
    CHECK_THAT(figure(run, "job_storage_wait_time"), WithinAbs(10.4, 1e-6));
    CHECK_THAT(figure(run, "job_storage_wait_gpu_time"), WithinAbs(64.0 * 10.4, 1e-4));
    CHECK_THAT(first.sum_j(), WithinRel(steps_j(290.0) + 20.8 * saving_w + steps_j(600.0 - 310.8), 1e-9));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("jobs that begin to save one after the other share the storage while both write",
          "[verification][shared_storage]") {
  // From 295 to 305.8 s both write: the first has 2.7 TB left, at 250 GB/s; then the second has 2.5 TB left, at 500 GB/s.
  for (const Run::By integrator : both_ways) {
    Run run("one_rack",
            hall(wide, "{name: a, nodes: 4, " + large + "}, {name: b, nodes: 4, submit: 5 s, " + large + "}"),
            integrator);
    run.to_end();
    CHECK_THAT(stint(run, 0).lost.storage_wait_s, WithinAbs(5.4, 1e-6));
    CHECK_THAT(stint(run, 1).lost.storage_wait_s, WithinAbs(5.4, 1e-6));
    CHECK_THAT(stint(run, 0).gained_s, WithinAbs(600.0 - 5.4, 1e-6));
    CHECK_THAT(stint(run, 1).gained_s, WithinAbs(595.0 - 5.4, 1e-6));
  }
}

TEST_CASE("three jobs take three times as long, and one that its nodes limit delays others by its own rate alone",
          "[verification][shared_storage]") {
  for (const Run::By integrator : both_ways) {
    const std::string two_nodes = ", nodes: 2, " + large + "}";
    Run three("one_rack", hall(wide, "{name: a" + two_nodes + ", {name: b" + two_nodes + ", {name: c" + two_nodes),
              integrator);
    three.to_end();
    for (const std::size_t job : {0, 1, 2})
      CHECK_THAT(stint(three, job).lost.storage_wait_s, WithinAbs(2.0 * 10.4, 1e-6));
    // 40 of 100 GB/s for ten seconds: the other has written 0.6 of its 1 TB then, and needs four seconds more.
    Run limited("one_rack",
                hall("storage: {read: 100 GB/s, write: 100 GB/s, per_node: 40 GB/s}",
                     "{name: limited, nodes: 1, " + program("2e11", "interval: 5 min") + "}, {name: free, nodes: 4, " +
                         program("5e11", "interval: 5 min") + "}"),
                integrator);
    limited.to_end();
    CHECK(stint(limited, 0).lost.storage_wait_s == 0.0);
    CHECK_THAT(stint(limited, 1).lost.storage_wait_s, WithinAbs(4.0, 1e-6));
  }
}

TEST_CASE("a restart reads beside the save of another job, and two restarts read for twice as long",
          "[verification][shared_storage]") {
  const std::string queue = "{name: a, nodes: 3, " + large + "}, {name: b, nodes: 3, " + large + "}";
  for (const Run::By integrator : both_ways) {
    // A minute until the loss is noticed, two for the restart, and 5.2 s of reading at the end of it: from 290.8 to 296 s.
    Run beside("one_rack", hall(wide, queue, "events=[{at: 110.8 s, fail: row_1.rack_1.node_2}]", "spare_nodes: 2"),
               integrator);
    beside.until(570.0);  // before the next saves
    REQUIRE(beside.times_s("job_resumed").size() == 1);
    CHECK_THAT(beside.times_s("job_resumed").front(), WithinAbs(110.8 + 60.0 + 120.0 + 5.2, 1e-6));
    CHECK(stint(beside, 0).lost.storage_wait_s == 0.0);
    CHECK(stint(beside, 1).lost.storage_wait_s == 0.0);
    Run at_once(
        "one_rack",
        hall(wide, queue, "events=[{at: 100 s, fail: row_1.rack_1.node_2}, {at: 100 s, fail: row_1.rack_1.node_5}]",
             "spare_nodes: 2"),
        integrator);
    at_once.until(570.0);
    REQUIRE(at_once.times_s("job_resumed").size() == 2);
    for (const double resumed_s : at_once.times_s("job_resumed")) CHECK_THAT(resumed_s, WithinAbs(290.4, 1e-6));
    for (const std::size_t job : {0, 1}) {
      const twin::JobStint of = stint(at_once, job);
      CHECK_THAT(of.lost.storage_wait_s, WithinAbs(5.2, 1e-6));
      CHECK_THAT(of.lost.stopped_s, WithinAbs(185.2, 1e-6));
      CHECK_THAT(of.gained_s, WithinAbs(570.0 - 290.4, 1e-6));
      CHECK_THAT(of.lost.redone_s, WithinAbs(100.0, 1e-6));
      CHECK_THAT(of.lost.slowed_s, WithinAbs(0.0, 1e-6));
    }
  }
}

TEST_CASE("what is written in the background while others write is whole later", "[verification][shared_storage]") {
  // 30 steps, a stall of 2 s, then 5.2 TB at 250 GB/s: whole at 322.8 s instead of 312.4 s.
  const std::string queue = "{name: a, nodes: 3, " + asynchronous + "}, {name: b, nodes: 3, " + asynchronous + "}";
  struct Case {
    double fails_s, redone_s;
  };
  for (const Run::By integrator : both_ways) {
    for (const Case& at : {Case{315.0, 315.0}, Case{325.0, 325.0 - 302.0}}) {
      Run run("one_rack",
              hall(wide, queue, fmt::format("events=[{{at: {} s, fail: row_1.rack_1.node_2}}]", at.fails_s),
                   "spare_nodes: 2"),
              integrator);
      run.until(310.0);
      CHECK_THAT(gpu_w(run, 0), WithinRel(computing_w, 1e-12));  // GPUs go on meanwhile
      run.to_end();
      CHECK_THAT(stint(run, 0).lost.redone_s, WithinAbs(at.redone_s, 1e-6));
      CHECK_THAT(stint(run, 1).gained_s, WithinAbs(600.0, 1e-6));
      CHECK(stint(run, 1).lost.storage_wait_s == 0.0);
    }
    // The first job stops at 315 s: what the second has left then, 1.95 TB, is whole after 3.9 s.
    for (const Case& at : {Case{318.0, 318.0}, Case{320.0, 320.0 - 302.0}}) {
      Run run("one_rack",
              hall(wide, queue,
                   fmt::format("events=[{{at: 315 s, fail: row_1.rack_1.node_2}}, {{at: {} s, fail: "
                               "row_1.rack_1.node_5}}]",
                               at.fails_s),
                   "spare_nodes: 2"),
              integrator);
      run.to_end();
      CHECK_THAT(stint(run, 1).lost.redone_s, WithinAbs(at.redone_s, 1e-6));
    }
  }
}

TEST_CASE("a save waits until the one before it is whole", "[verification][shared_storage]") {
  // Two steps and a stall of 2 s, but 20.8 s of writing: each save but the first waits 0.8 s, and begins 22.8 s after the one before.
  const std::string often = program("2.6e12", "interval: 15 s, mode: asynchronous, stall: 2 s");
  for (const Run::By integrator : both_ways) {
    Run run("one_rack", hall(wide, "{name: a, nodes: 4, " + often + "}, {name: b, nodes: 4, " + often + "}"),
            integrator);
    run.until(42.5);
    CHECK_THAT(gpu_w(run, 0), WithinRel(saving_w, 1e-9));
    run.until(200.0);
    for (const std::size_t job : {0, 1}) {
      CHECK_THAT(stint(run, job).lost.storage_wait_s, WithinAbs(7.0 * 0.8, 1e-5));
      CHECK_THAT(stint(run, job).gained_s, WithinAbs(200.0 - 7.0 * 0.8, 1e-5));
    }
  }
}

TEST_CASE("a job whose work ends while it shares the storage ends later by what it waited",
          "[verification][shared_storage]") {
  const std::string ending = ", run_time: 320 s, " + large + "}";
  for (const Run::By integrator : both_ways) {
    Run run("one_rack", hall(wide, "{name: a, nodes: 4" + ending + ", {name: b, nodes: 4" + ending), integrator);
    run.to_end();
    REQUIRE(run.times_s("job_ended").size() == 2);
    for (const double ended_s : run.times_s("job_ended")) CHECK_THAT(ended_s, WithinAbs(330.4, 1e-6));
    CHECK_THAT(stint(run, 1).lost.storage_wait_s, WithinAbs(10.4, 1e-6));
  }
}

TEST_CASE("jobs that never write at once run as with storage of their own, to the bit",
          "[verification][shared_storage]") {
  const auto queue = [](const std::string& own) {
    const std::string job = program("2.6e12", "interval: 5 min", own.empty() ? "" : ", " + own);
    return "{name: a, nodes: 4, " + job + "}, {name: b, nodes: 4, submit: 100 s, " + job + "}";
  };
  for (const Run::By integrator : both_ways) {
    Run shared("one_rack", hall(wide, queue("")), integrator),
        own("one_rack", hall("reservations: {}", queue(wide)), integrator);
    shared.to_end();
    own.to_end();
    CHECK(shared.state().states == own.state().states);
    CHECK(shared.state().inputs == own.state().inputs);
    CHECK(figure(shared, "job_storage_wait_time") == 0.0);
    CHECK(std::isnan(figure(own, "job_storage_wait_time")));
  }
}

TEST_CASE("a job with storage of its own uses that one alone", "[verification][shared_storage]") {
  const std::string own = program("2.6e12", "interval: 5 min", ", " + wide);
  Run run("one_rack", hall(wide, "{name: a, nodes: 4, " + large + "}, {name: b, nodes: 4, " + own + "}"),
          Run::By::multirate);
  run.to_end();
  for (const std::size_t job : {0, 1}) {
    CHECK(stint(run, job).lost.storage_wait_s == 0.0);
    CHECK_THAT(stint(run, job).gained_s, WithinAbs(600.0, 1e-6));
  }
}

TEST_CASE("the program says what jobs cost each other, and refuses storage that none uses",
          "[verification][shared_storage]") {
  const Run run("one_rack", hall(wide, "{name: a, nodes: 4, count: 2, " + large + "}"));
  CHECK(run.jobs().has_shared_storage());
  const std::string constant = "{name: a, nodes: 4, program: {kind: constant, node_power: 5 kW}}";
  CHECK_THAT(tests::mistake_of(hall(wide, constant)), Contains("storage has no use: no job of the queue saves to it"));
  CHECK_THAT(tests::mistake_of(hall("reservations: {}", "{name: a, nodes: 4, " + large + "}")),
             Contains("checkpoint needs a `storage` to write to"));
}
