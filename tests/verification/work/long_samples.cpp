// Samples of work longer than a second: units take one step for each, firmware and staging still miss nothing. The judge is the
// monolithic integrator, which stops at every second whatever the samples are.

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/meters/statistics.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// One rack of 64 GPUs in training, on one CDU.
Scenario coarse_rack(const std::string& sample_interval, double duration_s) {
  Scenario scenario =
      read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/one_rack.yaml",
                    {"workload.sample_interval=" + sample_interval, "record.facility=" + sample_interval,
                     "record.racks=" + sample_interval, "record.gpus.every=" + sample_interval, "initial=steady"});
  scenario.duration_s = duration_s;
  return scenario;
}

/// Dies and supply at whole multiples of an interval.
class Watch final : public Observer {
 public:
  Watch(const Plant& plant, double interval_s) : plant_(plant), interval_s_(interval_s) {}

  void observe(const PlantState& state, const Evaluation& evaluation) override {
    if (!is_multiple(state.time_s, interval_s_)) return;
    const UnitGroup& gpus = *plant_.groups[plant_.it.groups.front().gpu_units];
    for (std::size_t gpu = 0; gpu < gpus.count(); ++gpu) die_k.push_back(state.states[gpus.state_slot(0, gpu)]);
    supply_k.push_back(evaluation.signals[plant_.nodes[system_named(plant_, "loop_1").supply_node].temperature_signal]);
  }

  std::vector<double> die_k, supply_k;

 private:
  const Plant& plant_;
  double interval_s_;
};

struct Run {
  Watch watch;
  double residual_ratio;
  double throttled_gpu_s;
  std::vector<EventRecord> events;
  SolverStatistics solver;
};

Run run(const Scenario& scenario, const Plant& plant, double interval_s, const RunMethod& method) {
  const Work work = make_work(scenario);
  tests::WorkRun simulation(scenario, plant, *work.workload, method);
  Run done{Watch(plant, interval_s), 0.0, 0.0, {}, {}};
  simulation.start();
  simulation.run(scenario.duration_s, {&done.watch});
  done.residual_ratio = energy_balance(plant, simulation.state(), simulation.initial_energy()).residual_ratio();
  done.throttled_gpu_s = simulation.state().work.throttled_gpu_s;
  done.events = simulation.events();
  done.solver = simulation.solver_statistics();
  return done;
}

struct Pair {
  Run ours, theirs;
};

Pair run_both(const Scenario& scenario, double interval_s, const MultirateOptions& options = {}) {
  const Plant plant = build_plant(scenario);
  return {run(scenario, plant, interval_s, by_multirate(options)),
          run(scenario, plant, interval_s, by_monolithic({.relative_tolerance_ratio = 1e-8}))};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace

TEST_CASE("units that take one step for a sample of 15 s, or windows of a minute, stay with the reference integrator",
          "[multirate][calm]") {
  struct Case {
    const char* sample_interval;
    double interval_s, duration_s;
    std::int64_t windows;                // as far as the next record or sample, a minute where these are closer
    double die_limit_k, supply_limit_k;  // twice what is reached, or what the reference integrator is worth
    double longest_window_s;
  };
  for (const Case& at :
       {Case{"15 s", 15.0, 900.0, 60, 0.009, 0.018, 60.0}, Case{"10 min", 600.0, 3600.0, 60, 1e-5, 2e-5, 60.0},
        Case{"10 min", 60.0, 3600.0, 60, 0.009, 1.6e-3, 60.0}, Case{"10 min", 600.0, 3600.0, 6, 1e-4, 1e-4, 600.0}}) {
    INFO("samples of " << at.sample_interval << ", seen every " << at.interval_s << " s");
    const Pair both = run_both(coarse_rack(at.sample_interval, at.duration_s), at.interval_s,
                               {.longest_window_s = at.longest_window_s});
    const double die_k = largest_difference(both.ours.watch.die_k, both.theirs.watch.die_k);
    const double supply_k = largest_difference(both.ours.watch.supply_k, both.theirs.watch.supply_k);
    tests::report_verification(
        {fmt::format("multirate against monolithic, samples of {} seen every {:.0f} s, windows of {:.0f} s",
                     at.sample_interval, at.interval_s, at.longest_window_s),
         "reference integrator", "largest difference of a die", die_k, 0.0, at.die_limit_k, "K"});
    CHECK(die_k < at.die_limit_k);
    CHECK(supply_k < at.supply_limit_k);
    CHECK(std::abs(both.ours.residual_ratio) < 1e-9);
    CHECK(both.ours.solver.windows == at.windows);
  }
}

TEST_CASE("firmware and events keep their second where samples are long", "[multirate][calm]") {
  Scenario scenario = coarse_rack("60 s", 900.0);
  EventSpec warmer;
  warmer.kind = EventSpec::Kind::set;
  warmer.at_s = 307.0;
  warmer.targets = {"loop_1.supply_temperature"};
  warmer.by_si = 45.0;
  EventSpec failure;
  failure.at_s = 641.5;
  failure.targets = {"cdu_1.pump_a"};
  scenario.events = {warmer, failure};
  const Pair both = run_both(scenario, 60.0);
  const auto is_throttle = [](const EventRecord& event) { return event.kind == "first_throttle"; };
  REQUIRE(std::ranges::any_of(both.theirs.events, is_throttle));
  REQUIRE(both.ours.events.size() == both.theirs.events.size());
  for (std::size_t e = 0; e < both.ours.events.size(); ++e) {
    INFO("event " << e << ", " << both.theirs.events[e].kind);
    CHECK(both.ours.events[e].kind == both.theirs.events[e].kind);
    CHECK(std::abs(both.ours.events[e].time_s - both.theirs.events[e].time_s) <= protection_interval_s);
  }
  CHECK(both.ours.throttled_gpu_s == Approx(both.theirs.throttled_gpu_s).epsilon(0.02));
  CHECK(both.theirs.throttled_gpu_s > 100.0);
}

namespace {

struct Day {
  std::vector<double> die_k;  ///< of all racks, every quarter of an hour
  std::vector<EventRecord> events;
  double pue = 0.0, water_m3 = 0.0;
  SolverStatistics solver;
};

Day run_day(const Scenario& scenario, const Plant& plant, const MultirateOptions& options) {
  const Work work = make_work(scenario);
  HallRun run(scenario, plant, *work.workload, by_multirate(options));
  Watch watch(plant, 900.0);
  run.show(watch);
  run.begin();
  run.advance_to(scenario.duration_s);
  const std::vector<NamedValue> summary = summarise(run.finished());
  const auto value = [&](std::string_view name) {
    return std::get<double>(std::ranges::find(summary, name, &NamedValue::name)->value);
  };
  return {std::move(watch.die_k), run.events(), value("pue"), value("water_use"), run.simulation().solver_statistics()};
}

/// What windows may change: dies 0.05 K, PUE 1e-5, water 1e-3, no event, and when it comes by a minute.
void compare_windows(const Scenario& scenario, const std::string& of, std::ptrdiff_t least_stagings) {
  omp_set_num_threads(1);  // tests run side by side
  const Plant plant = build_plant(scenario);
  const Day minutes = run_day(scenario, plant, {.longest_window_s = 60.0}), ours = run_day(scenario, plant, {});
  const auto report = [&](const char* what, double is, double expected, double tolerance, const char* unit) {
    tests::report_verification(
        {"windows of 600 s against 60 s, " + of, "reference integrator", what, is, expected, tolerance, unit});
  };
  const double die_k = largest_difference(ours.die_k, minutes.die_k);
  report("largest difference of a die", die_k, 0.0, 0.05, "K");
  report("PUE", ours.pue, minutes.pue, 1e-5 * minutes.pue, "1");
  report("water", ours.water_m3, minutes.water_m3, 1e-3 * minutes.water_m3, "m3");
  CHECK(die_k < 0.05);
  CHECK(ours.pue == Approx(minutes.pue).epsilon(1e-5));
  CHECK(ours.water_m3 == Approx(minutes.water_m3).epsilon(1e-3));
  CHECK(ours.solver.windows * 3 < minutes.solver.windows);
  REQUIRE(std::ranges::count(minutes.events, std::string_view("stage"), &EventRecord::kind) >= least_stagings);
  REQUIRE(ours.events.size() == minutes.events.size());
  for (std::size_t e = 0; e < ours.events.size(); ++e) {
    INFO("event " << e << ", " << minutes.events[e].kind << " of " << minutes.events[e].target);
    CHECK(ours.events[e].kind == minutes.events[e].kind);
    CHECK(std::abs(ours.events[e].time_s - minutes.events[e].time_s) <= 60.0);
  }
}

}  // namespace

TEST_CASE("windows of ten minutes stay with windows of a minute, and stage in the same minute", "[multirate][calm]") {
  static_cast<void>(wattloop::tests::reference_data());  // names a weather file, which is taken out
  compare_windows(
      read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/halls/economiser_chicago.yaml",
                    {"weather.file=null", "weather.design_day=mild", "duration=13 h", "workload.sample_interval=15 min",
                     "hall.cooling.chilled_water.chillers.warm_supply=100 K",  // staged by heat alone: more often
                     "record.facility=15 min", "record.racks=15 min", "record.gpus.every=15 min"}),
      "reference hall with an economiser, 13 h", 3);
}

// Minutes: hidden, asked for by its tag.
TEST_CASE("windows of ten minutes stay with windows of a minute for a year of real weather", "[.year]") {
  const std::string weather =
      wattloop::tests::reference_data() + "/weather/USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw";
  compare_windows(read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/bench/scenarios/year_by_rack.yaml",
                                {"weather.design_day=null", "weather.file=" + weather}),
                  "reference hall by racks, 8,760 h, weather of Chicago", 0);
}
