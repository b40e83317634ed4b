// Racks of a storage that jobs share: watts by hand, P = P_idle + (P_active - P_idle) x, of a storage of ten appliances in two racks with 100 W idle,
// 300 W active, 100 GB/s of reads and 50 GB/s of writes each. A save has 5.2 TB: at 500 GB/s 10.4 s, at 160 GB/s 32.5 s.
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/records/recorded_run.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "workload/checkpoints/storage_appliance.hpp"

using namespace wattloop;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Run = tests::ScenarioRun;

constexpr std::array both_ways{Run::By::monolithic, Run::By::multirate};
constexpr double idle_w = 10 * 100.0, active_w = 10 * 300.0;

const std::string appliances =
    "hardware: storage_appliance, with: {idle_power: 100 W, active_power: 300 W, read_bandwidth: 100 GB/s, "
    "write_bandwidth: 50 GB/s, per_rack: 5, airflow: 0.02 kg/s}";
const std::string limited = "storage: {read: 1 TB/s, write: 500 GB/s, per_node: 40 GB/s, " + appliances + "}";
const std::string wide = "storage: {read: 1 TB/s, write: 500 GB/s, per_node: 1 TB/s, " + appliances + "}";

/// A job of steps of 10 s that saves 5.2 TB.
const std::string program =
    "program: {kind: training, step_time: 10 s, evaluation_time: 0 s, evaluation_dip_time: 0 s, stage_lag: 0 s, "
    "detection_time: 1 min, restart_time: 2 min, checkpoint: {contents: weights, parameters: 2.6e12, interval: 5 min}}";

std::vector<std::string> hall(const std::string& storage, const std::string& queue,
                              const std::string& events = "events=[]") {
  return {"workload=null", "jobs={" + storage + ", scheduler: {interval: 5 s, spare_nodes: 2}, queue: [" + queue + "]}",
          "duration=10 min", events};
}

const std::string one = "{name: a, nodes: 3, " + program + "}";
const std::string two_of_four =
    "{name: a, nodes: 4, " + program + "}, {name: b, nodes: 4, submit: 5 s, " + program + "}";

std::vector<std::string> whole_hall(const std::string& storage, const std::string& queue) {
  return {"workload=null", "jobs={" + storage + ", scheduler: {interval: 5 s}, queue: [" + queue + "]}",
          "duration=10 min"};
}

double power_w(double share) { return idle_w + (active_w - idle_w) * share; }

double power_at(Run& run, double time_s) {
  run.until(time_s);
  return run.use_w("storage");
}

double number_of(const std::vector<twin::NamedValue>& summary, const std::string& name) {
  for (const twin::NamedValue& value : summary) {
    if (value.name == name) return std::get<double>(value.value);
  }
  return std::nan("");
}

}  // namespace

TEST_CASE("appliances draw idle power, and a share of the rest for the bandwidth in use",
          "[verification][storage_racks]") {
  constexpr workload::ApplianceParams params{
      .idle_w = 100.0, .active_w = 300.0, .read_b_per_s = 100e9, .write_b_per_s = 50e9, .per_rack = 5};
  const auto watts = [&](double count, double read, double write) {
    return appliance_power_w(params, used_share(params, count, {read, write}));
  };
  CHECK(watts(10.0, 0.0, 0.0) == 100.0);
  CHECK(watts(10.0, 0.0, 500e9) == 300.0);
  CHECK_THAT(watts(10.0, 250e9, 100e9), WithinRel(100.0 + 200.0 * (0.25 + 0.2), 1e-15));
  CHECK(watts(10.0, 1e12, 500e9) == 300.0);  // no more than active power
  CHECK(watts(0.0, 1.0, 1.0) == 100.0);
  CHECK(appliances_for(params, {1e12, 500e9}) == 10.0);
  CHECK(appliances_for(params, {1e12, 500.1e9}) == 11.0);
  CHECK(appliances_for(params, {1.0, 1.0}) == 1.0);
}

TEST_CASE("storage racks draw watts for the save of one job, and of two jobs at once",
          "[verification][storage_racks]") {
  // Four nodes write 160 of 500 GB/s: the first job from 270 s on, the other from 275 s on, and again 302.5 s later.
  for (const Run::By integrator : both_ways) {
    Run run("one_rack", whole_hall(limited, two_of_four), integrator);
    CHECK_THAT(power_at(run, 100.0), WithinRel(power_w(0.0), 1e-12));
    CHECK_THAT(power_at(run, 272.0), WithinRel(power_w(0.32), 1e-9));
    CHECK_THAT(power_at(run, 290.0), WithinRel(power_w(0.64), 1e-9));
    CHECK_THAT(power_at(run, 305.0), WithinRel(power_w(0.32), 1e-9));
    CHECK_THAT(power_at(run, 320.0), WithinRel(power_w(0.0), 1e-12));
    run.to_end();
    const double writing_s = 2.0 * 32.5 + (600.0 - 572.5) + (600.0 - 577.5);
    CHECK_THAT(run.used_j("storage"), WithinRel(600.0 * idle_w + 0.32 * (active_w - idle_w) * writing_s, 1e-7));
    CHECK(std::abs(run.energy_residual()) < 1e-7);
  }
}

TEST_CASE("two jobs that share the bandwidth draw its power for twice as long", "[verification][storage_racks]") {
  const std::string queue = "{name: a, nodes: 4, count: 2, " + program + "}";
  for (const Run::By integrator : both_ways) {
    Run run("one_rack", whole_hall(wide, queue), integrator);
    CHECK_THAT(power_at(run, 295.0), WithinRel(active_w, 1e-9));
    CHECK_THAT(power_at(run, 310.0), WithinRel(active_w, 1e-9));
    CHECK_THAT(power_at(run, 312.0), WithinRel(idle_w, 1e-9));
    run.to_end();
    CHECK_THAT(run.used_j("storage"), WithinRel(600.0 * idle_w + 20.8 * (active_w - idle_w), 1e-7));
  }
}

TEST_CASE("a restart reads from storage racks", "[verification][storage_racks]") {
  // A minute until the loss is noticed, two for the restart, and 5.2 s at 1 TB/s.
  for (const Run::By integrator : both_ways) {
    Run run("one_rack", hall(wide, one, "events=[{at: 100 s, fail: row_1.rack_1.node_2}]"), integrator);
    CHECK_THAT(power_at(run, 279.0), WithinRel(idle_w, 1e-9));
    CHECK_THAT(power_at(run, 283.0), WithinRel(active_w, 1e-9));
    CHECK_THAT(power_at(run, 286.0), WithinRel(idle_w, 1e-9));
  }
}

TEST_CASE("racks of storage without power draw nothing, and saves wait for them", "[verification][storage_racks]") {
  for (const Run::By integrator : both_ways) {
    // From 292 to 296 s half of the appliances write at full bandwidth: the save ends two seconds later.
    Run half("one_rack", hall(wide, one, "events=[{at: 292 s, open: storage_rack_1, for: 4 s}]"), integrator);
    CHECK_THAT(power_at(half, 291.0), WithinRel(active_w, 1e-9));
    CHECK_THAT(power_at(half, 294.0), WithinRel(0.5 * active_w, 1e-9));
    CHECK_THAT(power_at(half, 302.0), WithinRel(active_w, 1e-9));
    CHECK_THAT(power_at(half, 303.0), WithinRel(idle_w, 1e-9));
    half.to_end();
    CHECK_THAT(twin::tallies_of(*half.jobs().queue(), half.state()).at(0).stint.lost.storage_wait_s,
               WithinAbs(2.0, 1e-6));
    Run none("one_rack", hall(wide, one, "events=[{at: 292 s, open: storage_rack_*, for: 30 s}]"), integrator);
    CHECK_THAT(power_at(none, 300.0), WithinAbs(0.0, 1e-12));
    none.to_end();
    CHECK_THAT(twin::tallies_of(*none.jobs().queue(), none.state()).at(0).stint.lost.storage_wait_s,
               WithinAbs(30.0, 1e-3));
  }
}

TEST_CASE("the energy of storage racks in the summary is that of the tables, by both integrators",
          "[verification][storage_racks]") {
  const twin::Scenario scenario =
      twin::read_scenario(WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", whole_hall(limited, two_of_four));
  const twin::Work work = twin::make_work(scenario);
  const tests::TemporaryFolder folder;
  std::vector<double> energies_j;
  for (const tests::RunWith integrator : {tests::RunWith::monolithic, tests::RunWith::multirate}) {
    const std::filesystem::path file =
        folder.path() / (integrator == tests::RunWith::multirate ? "multirate.h5" : "monolithic.h5");
    const tests::RecordedRun run = tests::record_run(scenario, *work.workload, file, integrator);
    const twin::ResultsReader results(file);
    const auto energy_j = [&](const std::string& group, const std::string& column, std::size_t item) {
      const std::vector<double> times_s = results.times_s(group);
      const std::vector<float> powers_w = results.series(group, column, item);
      double sum_j = 0.0;
      for (std::size_t row = 1; row < times_s.size(); ++row)
        sum_j += static_cast<double>(powers_w[row]) * (times_s[row] - times_s[row - 1]);
      return sum_j;
    };
    const double summary_j = number_of(run.summary, "storage_energy");
    CHECK_THAT(energy_j("facility", "storage_power", 0), WithinRel(summary_j, 1e-6));
    CHECK_THAT(energy_j("storage_racks", "power", 0) + energy_j("storage_racks", "power", 1),
               WithinRel(summary_j, 1e-6));
    CHECK_THAT(number_of(run.summary, "mean_storage_power"), WithinRel(summary_j / 600.0, 1e-12));
    energies_j.push_back(summary_j);
  }
  CHECK_THAT(energies_j.front(), WithinRel(energies_j.back(), 1e-7));
}
