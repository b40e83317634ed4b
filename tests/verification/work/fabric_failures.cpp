// A training job on a fabric that breaks: its steps by hand, compute / c + r communication, and halls in which a leaf, a link, an NVLink port or a
// rack of switches is lost and comes back. 64 nodes, two units of 32 with 8 leaves each: leaf_12 carries rail 4 of nodes 33 to 64.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/fabric_hall.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/work.hpp"
#include "workload/training/training.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using workload::JobClock;

namespace {

/// Steps alone, all GPUs alike: 0.6 s of computing and 0.4 s of communication.
workload::TrainingParams bare_job() {
  workload::TrainingParams job;
  job.step_s = 1.0;
  job.communication_fraction = 0.4;
  job.evaluation_s = job.checkpoint_s = job.evaluation_dip_s = 0.0;
  job.gpu_noise_w = job.gpu_spread_w = job.node_noise_w = 0.0;
  job.pipeline_stages = 1;
  job.sample_interval_s = 1.0;
  return job;
}

Scenario fabric_hall(std::vector<EventSpec> events, double duration_s) {
  return tests::fabric_hall(bare_job(), std::move(events), duration_s);
}

EventSpec slowed(double at_s, const std::string& target, double to) {
  EventSpec event = tests::event(at_s, EventSpec::Kind::slow, {target});
  event.to_si = to;
  return event;
}

enum class By { monolithic, multirate };

struct FabricRun {
  Scenario scenario;
  Plant plant = build_plant(scenario);
  Work work = make_work(scenario);
  RunMethod run_method;
  std::unique_ptr<tests::WorkRun> simulation;

  explicit FabricRun(Scenario of, By by = By::multirate)
      : scenario(std::move(of)),
        run_method(by == By::multirate ? by_multirate() : by_monolithic()),
        simulation(std::make_unique<tests::WorkRun>(scenario, plant, *work.workload, run_method)) {}
  void start_and_run(double to_s) {
    simulation->start();
    simulation->run(to_s, {});
  }
  const JobClock& clock() const { return simulation->state().work.job_clocks.front(); }
  double gained_s(double t_s) const { return work.workload->jobs().front().program->progress(clock(), t_s).gained_s; }
  double fabric_w() const { return simulation->evaluation().sinks[tests::meter_of_use(plant, "fabric")]; }
  std::vector<std::string> details(const std::string& kind) const {
    std::vector<std::string> found;
    for (const EventRecord& event : simulation->events()) {
      if (event.kind == kind) found.push_back(event.target + ": " + event.detail);
    }
    return found;
  }
};

/// A job that goes as another one does, and says what it exchanges.
class ExchangingJob final : public workload::SynchronousJob {
 public:
  ExchangingJob(const workload::SynchronousJob& schedule, workload::NetworkUse use)
      : schedule_(schedule), use_(std::move(use)) {}
  JobClock at_clock(const JobClock& job, double t_s, double clock) const override {
    return schedule_.at_clock(job, t_s, clock);
  }
  JobClock at_network(const JobClock& job, double t_s, double ratio) const override {
    return schedule_.at_network(job, t_s, ratio);
  }
  workload::NetworkUse network_use() const override { return use_; }
  JobClock from_checkpoint(const JobClock& job, double t_s) const override {
    return schedule_.from_checkpoint(job, t_s);
  }
  workload::JobProgress progress(const JobClock& job, double t_s) const override {
    return schedule_.progress(job, t_s);
  }
  double detection_s() const override { return schedule_.detection_s(); }
  std::size_t spare_nodes() const override { return 0; }
  const workload::FailureProcess* failures() const override { return nullptr; }
  double restart_s() const override { return schedule_.restart_s(); }

 private:
  const workload::SynchronousJob& schedule_;
  workload::NetworkUse use_;
};

/// Jobs on racks of a hall, at constant watts.
class ExchangingWork final : public workload::Workload {
 public:
  explicit ExchangingWork(std::vector<workload::JobNodes> jobs) : jobs_(std::move(jobs)) {}
  double next_change_s(double) const override { return 1e9; }
  void sample(double, workload::NodeRange, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    std::fill(gpu_w.begin(), gpu_w.end(), 500.0);
    std::fill(node_ac_w.begin(), node_ac_w.end(), 1600.0 + 1.12 * 8.0 * 500.0);
  }
  std::vector<workload::JobNodes> jobs() const override { return jobs_; }

 private:
  std::vector<workload::JobNodes> jobs_;
};

/// Each rank exchanges 1 GB three times a step with the one in the other half of its job.
workload::NetworkUse halves(int ranks) {
  return {
      .exchanges = {{workload::Exchange::all_reduce, {2, ranks / 2}, 1e9, 3.0}}, .step_s = 1.0, .busy_fraction = 0.4};
}

}  // namespace

TEST_CASE("communication takes as many times as long as the network says", "[verification][job_network]") {
  workload::TrainingParams job = bare_job();
  const auto work = workload::make_training(
      job,
      {.nodes = 1,
       .gpus_per_node = 8,
       .split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 70.0, .gpu_limit_w = 700.0}},
      1);
  const workload::SynchronousJob& program = *work->jobs().front().program;
  // 7 steps and the computing of the eighth; half of its communication is left at r = 1.5, then whole steps.
  const double t_s = 7.8;
  const JobClock slow = program.at_network({}, t_s, 1.5);
  CHECK(slow.communication_ratio == 1.5);
  const double slow_step_s = 0.6 + 1.5 * 0.4;
  CHECK(program.progress(slow, t_s).steps == 7.0);
  CHECK_THAT(program.progress(slow, t_s).gained_s, WithinRel(t_s, 1e-12));
  const double tenth_s = t_s + 1.5 * 0.2 + 2.0 * slow_step_s;
  CHECK(program.progress(slow, tenth_s - 1e-6).steps == 9.0);
  CHECK(program.progress(slow, tenth_s + 1e-6).steps == 10.0);
  CHECK_THAT(program.progress(slow, tenth_s).gained_s, WithinRel(10.0, 1e-12));
  // Both: the slowest GPU at half clock, and back in any order.
  const JobClock both = program.at_clock(slow, tenth_s, 0.5);
  CHECK(both.communication_ratio == 1.5);
  CHECK_THAT(program.progress(both, tenth_s + 3.0 * (0.6 / 0.5 + 0.6)).gained_s, WithinRel(13.0, 1e-12));
  const JobClock back = program.at_network(program.at_clock(both, tenth_s + 0.7, 1.0), tenth_s + 0.7, 1.0);
  CHECK_THAT(program.progress(back, tenth_s + 0.7).gained_s,
             WithinRel(program.progress(both, tenth_s + 0.7).gained_s, 1e-12));
  CHECK(program.from_checkpoint(slow, 20.0).communication_ratio == 1.5);
  // A network that loses what is sent: the job computes on to its next communication, and goes no further.
  const JobClock blocked = program.at_network({}, 7.3, 1e6);
  CHECK_THAT(program.progress(blocked, 7.3 + 15.0).gained_s, WithinAbs(7.6, 1e-4));
  const JobClock freed = program.at_network(blocked, 7.3 + 15.0, 1.0);
  CHECK_THAT(program.progress(freed, 7.3 + 15.0 + 4.0).gained_s, WithinAbs(11.6, 1e-4));
}

TEST_CASE("a job waits for new routes, goes on over seven of eight rails, and is as before after the repair",
          "[verification][job_network]") {
  FabricRun run(fabric_hall({tests::event(60.0, EventSpec::Kind::fail, {"leaf_12"}, 120.0)}, 400.0));
  run.start_and_run(59.0);
  CHECK(run.clock().communication_ratio == 1.0);
  const double sound_w = run.fabric_w();
  run.simulation->run(70.0, {});
  CHECK(run.clock().communication_ratio == 1e6);
  CHECK_THAT(run.gained_s(70.0), WithinAbs(60.6, 1e-4));  // the computing of a step
  run.simulation->run(100.0, {});
  // Eight GPUs share seven ports, and all others wait for them.
  CHECK_THAT(run.clock().communication_ratio, WithinRel(8.0 / 7.0, 1e-9));
  const double slow_step_s = 0.6 + 0.4 * 8.0 / 7.0;
  CHECK_THAT(run.gained_s(100.0 + 10.0 * slow_step_s) - run.gained_s(100.0), WithinRel(10.0, 1e-9));
  tests::report_verification({"job of 64 nodes that lost one leaf of eight", "closed form", "time of communication",
                              run.clock().communication_ratio, 8.0 / 7.0, 1e-9, "1"});
  run.simulation->run(190.0, {});
  CHECK_THAT(run.clock().communication_ratio, WithinRel(8.0 / 7.0, 1e-9));  // routes do not use it yet
  run.simulation->run(400.0, {});
  CHECK(run.clock().communication_ratio == 1.0);
  CHECK(run.simulation->state().fabric.losses.empty());
  CHECK(run.simulation->state().fabric.routed.empty());
  CHECK(run.fabric_w() == sound_w);
  CHECK(run.details("fabric_lost") == std::vector<std::string>{"leaf_12: 32 nodes have 7/8 of their bandwidth"});
  CHECK(run.details("fabric_back") == std::vector<std::string>{"leaf_12: all links have their bandwidth"});
  CHECK(run.details("rerouted") ==
        std::vector<std::string>{"fabric: around leaf_12", "fabric: routes are the original ones"});
  CHECK(run.details("job_stopped").empty());
}

TEST_CASE("both integrators see the same failures of the fabric", "[verification][job_network]") {
  const Scenario scenario = fabric_hall({tests::event(50.0, EventSpec::Kind::fail, {"leaf_12", "spine_3"}, 60.0),
                                         tests::event(130.3, EventSpec::Kind::fail, {"node_7.rail_5"}, 30.0)},
                                        240.0);
  FabricRun one(scenario, By::monolithic), other(scenario, By::multirate);
  one.start_and_run(240.0);
  other.start_and_run(240.0);
  const auto lines = [](const FabricRun& run) {
    std::vector<std::string> found;
    for (const EventRecord& event : run.simulation->events())
      found.push_back(std::to_string(event.time_s) + " " + event.kind + " " + event.target + " " + event.detail);
    return found;
  };
  CHECK(lines(one) == lines(other));
  CHECK(one.clock().communication_ratio == 1.0);
  CHECK_THAT(one.gained_s(240.0), WithinRel(other.gained_s(240.0), 1e-12));
  for (const char* use : {"fabric", "node"}) {
    const std::size_t meter = tests::meter_of_use(one.plant, use);
    CHECK_THAT(one.simulation->state().states[meter], WithinRel(other.simulation->state().states[meter], 1e-5));
  }
}

TEST_CASE("a lost spine of eight lengthens the exchanges of two halves of a hall by 8/7",
          "[verification][job_network]") {
  FabricRun schedule(fabric_hall({}, 200.0));
  const ExchangingJob job(*schedule.work.workload->jobs().front().program, halves(512));
  const ExchangingWork work({{&job, {{0, 64}}}});
  Scenario scenario = fabric_hall({tests::event(60.0, EventSpec::Kind::fail, {"spine_3"}, 60.0)}, 200.0);
  scenario.network.fabric.latency_s = 0.0;
  const Plant plant = build_plant(scenario);
  tests::WorkRun simulation(scenario, plant, work, by_multirate());
  simulation.start();
  simulation.run(59.0, {});
  CHECK(simulation.state().work.job_clocks.front().communication_ratio == 1.0);
  // Ports and spines alike: 3 GB a step of 50 GB/s, both directions; leaves have as many links up.
  const std::vector<double> sound = simulation.state().fabric.switch_traffic;
  for (const double traffic : sound) CHECK_THAT(traffic, WithinRel(3.0 / 50.0, 1e-9));
  simulation.run(100.0, {});
  const double ratio = simulation.state().work.job_clocks.front().communication_ratio;
  CHECK_THAT(ratio, WithinRel(8.0 / 7.0, 1e-9));
  tests::report_verification({"job of 64 nodes that lost one spine of eight", "closed form", "time of communication",
                              ratio, 8.0 / 7.0, 1e-9, "1"});
  // Seven spines carry what eight did, over a longer step.
  const double longer = 1.0 + 0.4 * (8.0 / 7.0 - 1.0);
  CHECK_THAT(simulation.state().fabric.switch_traffic[plant.fabric->fabric.tier_switch[1]],
             WithinRel(3.0 / 50.0 * 8.0 / 7.0 / longer, 1e-9));
  simulation.run(200.0, {});
  CHECK(simulation.state().work.job_clocks.front().communication_ratio == 1.0);
  CHECK(simulation.state().fabric.switch_traffic == sound);
}

TEST_CASE("two jobs that send over the same leaves take twice as long as one of them alone",
          "[verification][job_network]") {
  // Leaves of 32 ports down and 4 up: 8 nodes of a job fill them twice, 16 of two jobs four times.
  FabricRun schedule(fabric_hall({}, 200.0));
  const ExchangingJob job(*schedule.work.workload->jobs().front().program, halves(128));
  Scenario scenario = fabric_hall({}, 100.0);
  scenario.network.fabric.latency_s = 0.0;
  scenario.network.tree.radix = 36;
  scenario.network.fabric.params.oversubscription = {8.0};
  const Plant plant = build_plant(scenario);
  REQUIRE(plant.fabric->fabric.shape.unit_nodes == 32);
  for (const bool has_other : {false, true}) {
    std::vector<workload::JobNodes> jobs{{&job, {{0, 8}, {32, 8}}}};
    if (has_other) jobs.push_back({&job, {{8, 8}, {40, 8}}});
    const ExchangingWork work(jobs);
    tests::WorkRun simulation(scenario, plant, work, by_multirate());
    simulation.start();
    simulation.run(20.0, {});
    for (const JobClock& clock : simulation.state().work.job_clocks)
      CHECK_THAT(clock.communication_ratio, WithinRel(has_other ? 2.0 : 1.0, 1e-9));
  }
}

TEST_CASE("nodes that are cut off stop their job until the link is back", "[job_network]") {
  Scenario scenario = fabric_hall({tests::event(60.0, EventSpec::Kind::fail, {"leaf_2"}, 120.0)}, 400.0);
  scenario.network.tree.rails = 1;
  scenario.network.fabric.has_rails = true;
  FabricRun run(scenario);
  run.start_and_run(400.0);
  CHECK(run.details("fabric_lost") == std::vector<std::string>{"leaf_2: 32 nodes have no bandwidth"});
  CHECK(run.details("cut_off") == std::vector<std::string>{"fabric: no port of node_33 to node_64 is live"});
  CHECK(run.details("job_stopped") == std::vector<std::string>{"job: 32 of 64 nodes lost, the others wait"});
  CHECK(run.simulation->state().fabric.node_part.empty());
}

TEST_CASE("an NVLink port at half speed lengthens the ring inside nodes, one that failed stops the job",
          "[job_network]") {
  FabricRun run(fabric_hall({slowed(60.0, "node_7.nvlink_5", 0.5)}, 100.0));
  run.start_and_run(90.0);
  // Inside: 2 x 7/8 S / 185 GB/s. Beyond: 2 x 63/64 S / 8 / 48 GB/s, which is slower on the sound fabric.
  const double inside_s = 2.0 * 7.0 / 8.0 / 185e9, beyond_s = 2.0 * 63.0 / 64.0 / 8.0 / 48e9;
  CHECK_THAT(run.clock().communication_ratio, WithinRel(inside_s / beyond_s, 1e-9));
  FabricRun failed(fabric_hall({tests::event(60.0, EventSpec::Kind::fail, {"node_7.nvlink_5"}, 20.0)}, 100.0));
  failed.start_and_run(90.0);
  CHECK(failed.details("job_stopped") == std::vector<std::string>{"job: 1 of 64 nodes lost, the others wait"});
}

TEST_CASE("a network rack without power takes its switches down and back", "[job_network]") {
  // 24 switches in two racks: leaves 1 to 12, then leaves 13 to 16 and spines.
  FabricRun run(fabric_hall({tests::event(60.0, EventSpec::Kind::open, {"network_rack_1"}, 60.0)}, 300.0));
  REQUIRE(run.plant.fabric->first_switch == std::vector<std::uint32_t>{0, 12, 24});
  run.start_and_run(100.0);
  CHECK(run.simulation->state().fabric.losses.size() == 12);
  CHECK(run.details("job_stopped") == std::vector<std::string>{"job: 32 of 64 nodes lost, the others wait"});
  run.simulation->run(300.0, {});
  CHECK(run.simulation->state().fabric.losses.empty());
  CHECK(run.simulation->state().fabric.routed.empty());
}

TEST_CASE("switches of a modelled fabric draw for what they carry, rack by rack", "[verification][job_network]") {
  FabricRun run(fabric_hall({}, 100.0));
  run.start_and_run(90.0);
  // Beyond nodes, a ring takes all of the communication: ports of nodes carry 48 GB/s of 50 for 0.4 of a step. Up a leaf goes one of 32 nodes.
  const double port = 0.4 * 48.0 / 50.0;
  const double leaf = port * (32.0 + 1.0) / 64.0, spines = port * 16.0 / (8.0 * 64.0);
  const auto watts = [](double traffic) { return 900.0 + 300.0 * traffic / 0.5; };
  const double rack_1_w = 12.0 * watts(leaf), rack_2_w = 4.0 * watts(leaf) + 8.0 * watts(spines);
  const std::vector<double>& rack_w = run.simulation->state().fabric.rack_w;
  REQUIRE(rack_w.size() == 2);
  CHECK_THAT(rack_w[0], WithinRel(rack_1_w, 1e-9));
  CHECK_THAT(rack_w[1], WithinRel(rack_2_w, 1e-9));
  CHECK_THAT(run.fabric_w(), WithinRel(rack_1_w + rack_2_w, 1e-9));
  tests::report_verification({"24 switches of 64 nodes in a ring of neighbours", "closed form", "power", run.fabric_w(),
                              rack_1_w + rack_2_w, 1e-6, "W"});
}

TEST_CASE("switches of the racks of a modelled fabric are those that are counted where it is not modelled",
          "[job_network]") {
  for (const int racks : {8, 20, 40}) {
    Scenario scenario = fabric_hall({}, 60.0);
    scenario.racks.front().count = racks;
    scenario.power.pdus = racks;
    const auto all_switches = [](const Plant& plant) {
      double sum = 0.0;
      for (const NetworkRackPart& rack : plant.it.network_racks) sum += rack.switches;
      return sum;
    };
    const double modelled = all_switches(build_plant(scenario));
    scenario.network.fabric = {};
    CHECK(modelled == Approx(all_switches(build_plant(scenario))).epsilon(1e-12));
  }
}

TEST_CASE("a run with failures of the fabric through a checkpoint is the run without it", "[checkpoint][job_network]") {
  const Scenario scenario = fabric_hall({tests::event(540.0, EventSpec::Kind::fail, {"leaf_12", "spine_3"}, 90.0),
                                         tests::event(595.0, EventSpec::Kind::fail, {"leaf_1.to_spine_2"}, 30.0)},
                                        700.0);
  for (const By by : {By::monolithic, By::multirate}) {
    FabricRun whole(scenario, by), first(scenario, by), second(scenario, by);
    whole.start_and_run(700.0);
    first.start_and_run(600.0);
    second.simulation->resume(first.simulation->checkpoint());
    second.simulation->run(700.0, {});
    const PlantState &one = whole.simulation->state(), &other = second.simulation->state();
    CHECK(one.states == other.states);
    CHECK(one.inputs == other.inputs);
    CHECK(one.fabric == other.fabric);
    CHECK(whole.clock().position_s == second.clock().position_s);
  }
}
