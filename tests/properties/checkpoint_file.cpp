// Runs that are left on the disk and taken up again, and runs that go on from a fork, are the run in one: states, all that was gathered,
// events and results, to the byte. Over scenarios with faults of every sort, so that whoever adds a memory and forgets it here fails.
#include <omp.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/run_planner.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/results/reader/results_equality.hpp"
#include "twin/results/writer/row_log.hpp"
#include "twin/run/recording/checkpoint_file.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios/";
constexpr double left_s = 600.0, checked_s = 1200.0, end_s = 1270.0;

/// As long as is needed here, whatever comes later in it.
Scenario scenario_of(const std::string& name) {
  Scenario scenario = read_scenario(scenarios + name + ".yaml");
  scenario.duration_s = end_s;
  return scenario;
}

std::unique_ptr<Integrator> integrator_of(const Plant& plant, bool is_monolithic) {
  if (is_monolithic) return make_monolithic_integrator(plant, {});
  return make_multirate_integrator(plant, {});
}

/// A run with everything of its own.
struct OwnRun {
  const Scenario& scenario;
  const Plant plant;
  const Work work;
  const RunPlan plan;
  const std::unique_ptr<Integrator> integrator;
  Simulation simulation;
  Statistics statistics;
  TemperatureWatch watch;
  ResultsWriter writer;
  Recorder recorder;

  OwnRun(const Scenario& of, const std::filesystem::path& file, bool is_monolithic = false)
      : scenario(of),
        plant(build_plant(of)),
        work(make_work(of)),
        plan(plan_run(of, plant, *work.workload)),
        integrator(integrator_of(plant, is_monolithic)),
        simulation(plant, plan, *work.workload, *integrator),
        statistics(plant, std::vector(of.racks.size(), 330.0)),
        watch(plant, of.duration_s),
        writer(file, of.start),
        recorder(plant, of.record, writer) {}

  RunObservers gathering() { return {statistics, watch, &recorder}; }
  void until(double time_s) { simulation.run(time_s, {&recorder, &statistics, &watch}); }
  void finish() {
    writer.write_events(simulation.events());
    writer.finish();
  }
  /// All that is known of the run at an instant.
  std::string all(const std::filesystem::path& file) {
    write_checkpoint(file, checkpoint_of(simulation, gathering()));
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

void check_is_run_in_one(const Scenario& scenario, bool is_monolithic = false) {
  const tests::TemporaryFolder folder;
  OwnRun whole(scenario, folder / "whole.h5", is_monolithic);
  whole.simulation.start();
  whole.until(checked_s);
  const std::string expected = whole.all(folder / "whole");
  whole.until(end_s);
  whole.finish();

  std::uintmax_t rows = 0;
  {
    OwnRun first(scenario, folder / "first.h5", is_monolithic);
    RowLog log(folder / "rows");
    first.writer.keep_rows(&log);
    first.simulation.start();
    first.until(left_s);
    rows = log.keep();
    write_checkpoint(folder / "left", checkpoint_of(first.simulation, first.gathering()));
    first.until(left_s + 60.0);  // of which nothing is to be left
    log.keep();
    first.writer.keep_rows(nullptr);
    first.writer.abandon();
  }
  OwnRun then(scenario, folder / "then.h5", is_monolithic);
  for_each_row(folder / "rows", rows, [&](std::size_t table, double time_s, std::span<const float> values) {
    then.writer.append(table, time_s, values);
  });
  take_up(read_checkpoint(folder / "left"), "left", then.simulation, then.gathering());
  then.until(checked_s);
  CHECK((then.all(folder / "then") == expected));
  then.until(end_s);
  then.finish();
  const ResultsEquality same = results_equal(folder / "whole.h5", folder / "then.h5");
  INFO(same.difference);
  CHECK(same.equal);
  CHECK(then.simulation.events() == whole.simulation.events());
}

/// What the alone and the forked run come to.
std::string all_of(const Simulation& simulation, Statistics& statistics, TemperatureWatch& watch,
                   const std::filesystem::path& file) {
  write_checkpoint(file, checkpoint_of(simulation, {statistics, watch}));
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// To an instant that allows a checkpoint, without a fork.
std::string alone(const Scenario& scenario, std::optional<double> stop_s, const tests::TemporaryFolder& folder) {
  const Plant plant = build_plant(scenario);
  const Work work = make_work(scenario);
  const auto integrator = make_multirate_integrator(plant, {});
  const RunPlan plan = plan_run(scenario, plant, *work.workload);
  Simulation simulation(plant, plan, *work.workload, *integrator);
  Statistics statistics(plant, std::vector(scenario.racks.size(), 330.0));
  TemperatureWatch watch(plant, scenario.duration_s);
  if (stop_s) simulation.stop_at(*stop_s);
  simulation.start();
  simulation.run(left_s, {&statistics, &watch});
  return all_of(simulation, statistics, watch, folder / "alone");
}

/// All variants from one fork, each by the integrator that the one before has used.
void check_forks(const Scenario& base, double fork_s, bool stops_alone, const std::vector<EventSpec>& later) {
  const tests::TemporaryFolder folder;
  const Plant plant = build_plant(base);
  const Work work = make_work(base);
  const auto integrator = make_multirate_integrator(plant, {});
  Statistics statistics(plant, std::vector(base.racks.size(), 330.0));
  TemperatureWatch watch(plant, base.duration_s);
  const RunPlan plan = plan_run(base, plant, *work.workload);
  Simulation first(plant, plan, *work.workload, *integrator);
  first.stop_at(fork_s);
  first.start();
  const std::optional<Fork> fork = first.fork_at(fork_s, {&statistics, &watch});
  REQUIRE(fork);
  for (std::size_t variant = 0; variant <= later.size(); ++variant) {
    CAPTURE(variant);
    Scenario scenario = base;
    if (variant < later.size()) scenario.events.push_back(later[variant]);
    std::ranges::stable_sort(scenario.events, {}, &EventSpec::at_s);
    const RunPlan plan = plan_run(scenario, plant, *work.workload);
    Simulation simulation(plant, plan, *work.workload, *integrator);
    Statistics own = statistics;
    TemperatureWatch own_watch = watch;
    simulation.stop_at(fork_s);
    simulation.resume(*fork);
    simulation.run(left_s, {&own, &own_watch});
    const std::string forked = all_of(simulation, own, own_watch, folder / "forked");
    CHECK((forked == alone(scenario, stops_alone ? std::optional(fork_s) : std::nullopt, folder)));
  }
}

}  // namespace

TEST_CASE("a run from a checkpoint on the disk is the run in one, in scenarios with faults of every sort",
          "[checkpoint][files]") {
  omp_set_num_threads(1);
  const auto name =
      GENERATE(as<std::string>{}, "one_rack", "halls/dgx_h100_air", "halls/mixed", "halls/nvl72_dry_coolers",
               "halls/power_distributed", "limits/all_chillers_lost", "limits/feeder_lost", "limits/ups_module_out",
               "part_faults/exchanger_clogs", "part_faults/rack_clogs", "part_faults/tower_fan_fails",
               "part_faults/valve_stuck", "pump_failure/c_cdu_lost", "utility_loss/no_generators_10min");
  INFO(name);
  check_is_run_in_one(scenario_of(name));
}

TEST_CASE("faults under way go on from a checkpoint on the disk, whoever integrates", "[checkpoint][files]") {
  omp_set_num_threads(1);
  Scenario scenario = scenario_of("one_rack");
  scenario.power.ups_modules = 2;
  scenario.events = {
      tests::event(545.0, EventSpec::Kind::fail, {"cdu_1.pump_a"}, 90.0),
      tests::event(570.0, EventSpec::Kind::fail, {"ups_a.module_2"}, 50.0),
      tests::set_event({.at_s = 560.0, .targets = {"loop_1.supply_temperature"}, .by_si = 4.0, .over_s = 120.0}),
      tests::set_event(
          {.at_s = 580.0, .targets = {"loop_1.supply_temperature"}, .by_si = -2.0, .over_s = 60.0, .for_s = 90.0}),
      tests::event(590.0, EventSpec::Kind::open, {"utility_a"}, 40.0)};
  check_is_run_in_one(scenario, GENERATE(false, true));
}

TEST_CASE("an elastic job and jobs that wait go on from a checkpoint on the disk", "[checkpoint][files]") {
  omp_set_num_threads(1);
  const std::string elastic =
      "program: {kind: training, elastic: true, checkpoint_interval: 2 min, checkpoint_time: 4 s, detection_time: 30 "
      "s, "
      "restart_time: 20 s}}";
  Scenario scenario = read_scenario(
      scenarios + "one_rack.yaml",
      std::vector<std::string>{"workload=null", "duration=1270 s",
                               "events=[{at: 200 s, fail: row_1.rack_1.node_2, for: 60 s}, {at: 8 min, fail: "
                               "row_1.rack_1.node_5}, {at: 580 s, fail: row_1.rack_1.node_1}]",
                               "jobs={scheduler: {spare_nodes: 1}, queue: [{name: one, nodes: 5, " + elastic +
                                   ", {name: waits, nodes: 4, submit: 1 min, " + elastic + "]}"});
  check_is_run_in_one(scenario, GENERATE(false, true));
}

/// Two jobs that save from 590 s on, at half of the bandwidth each, and one that restarts meanwhile.
Scenario sharing_storage() {
  const std::string saving =
      "program: {kind: training, step_time: 10 s, evaluation_time: 0 s, evaluation_dip_time: 0 s, detection_time: 10 "
      "s, "
      "restart_time: 20 s, checkpoint: {parameters: 2.6e12, contents: weights, interval: 10 min}}}";
  return read_scenario(scenarios + "one_rack.yaml",
                       std::vector<std::string>{
                           "workload=null", "duration=1270 s", "events=[{at: 565 s, fail: row_1.rack_1.node_6}]",
                           "jobs={storage: {read: 200 GB/s, write: 500 GB/s, per_node: 1 TB/s}, scheduler: "
                           "{spare_nodes: 1}, queue: [{name: a, nodes: 2, " +
                               saving + ", {name: b, nodes: 2, " + saving + ", {name: c, nodes: 2, " + saving + "]}"});
}

TEST_CASE("jobs that share a storage go on from a checkpoint on the disk and from a fork",
          "[checkpoint][files][fork]") {
  omp_set_num_threads(1);
  const Scenario scenario = sharing_storage();
  check_is_run_in_one(scenario, GENERATE(false, true));
  check_forks(scenario, 595.0, true, {tests::event(597.0, EventSpec::Kind::fail, {"row_1.rack_1.node_1"})});
}

TEST_CASE("runs from a fork are the runs alone, to the byte", "[fork]") {
  omp_set_num_threads(1);
  const std::vector<EventSpec> later{tests::event(300.0, EventSpec::Kind::fail, {"cdu_1.pump_a"}),
                                     tests::event(300.0, EventSpec::Kind::open, {"utility_a"}, 40.0),
                                     tests::event(347.0, EventSpec::Kind::fail, {"cdu_1"}, 60.0)};
  const auto name = GENERATE(as<std::string>{}, "one_rack", "halls/nvl72_dry_coolers", "h100_10k");
  INFO(name);
  check_forks(scenario_of(name), 300.0, false, later);
}

TEST_CASE("a fork anywhere is the run that stops there, also where something is under way", "[fork]") {
  omp_set_num_threads(1);
  Scenario scenario = scenario_of("one_rack");
  scenario.events = {
      tests::set_event({.at_s = 60.0, .targets = {"loop_1.supply_temperature"}, .by_si = 4.0, .over_s = 120.0}),
      tests::event(100.0, EventSpec::Kind::fail, {"cdu_1.pump_a"}, 90.0),
      tests::event(120.0, EventSpec::Kind::open, {"utility_a"}, 40.0)};
  const double fork_s = GENERATE(7.0, 101.5, 143.0, 171.25, 360.0);
  INFO(fork_s);
  check_forks(scenario, fork_s, true, {tests::event(fork_s + 11.0, EventSpec::Kind::fail, {"cdu_1.pump_b"})});
}

TEST_CASE("a checkpoint that is damaged, of another hall, or no checkpoint is refused", "[checkpoint][files]") {
  const tests::TemporaryFolder folder;
  const Scenario scenario = scenario_of("one_rack");
  OwnRun run(scenario, folder / "run.h5");
  run.simulation.start();
  std::string bytes = run.all(folder / "good");
  CHECK(is_checkpoint(folder / "good"));
  CHECK(read_checkpoint(folder / "good").checkpoint.state.states == run.simulation.state().states);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  };
  CHECK_FALSE(is_checkpoint(write("text", "title: one\n")));
  CHECK_THROWS_AS(read_checkpoint(folder / "text"), FileError);
  CHECK_THROWS_AS(read_checkpoint(write("short", bytes.substr(0, bytes.size() - 9))), FileError);
  bytes[bytes.size() / 2] ^= 1;
  CHECK_THROWS_AS(read_checkpoint(write("damaged", bytes)), FileError);
  const Scenario other = scenario_of("halls/dgx_h100_air");
  OwnRun theirs(other, folder / "other.h5");
  CHECK_THROWS_AS(take_up(read_checkpoint(folder / "good"), "good", theirs.simulation, theirs.gathering()), FileError);
}
