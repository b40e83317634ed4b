// A run through a checkpoint is the run without it, to the byte: states, meters, inputs, events, all that observers see, the
// results file and the summary. So is a run in pieces. The hall is on generators, throttles, stages a chiller and has
// settings under way while it is left and taken up again.

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/actions/events/applied_events.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/run_planner.hpp"
#include "twin/results/reader/results_equality.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/recording/recorder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double checkpoint_s = 600.0, end_s = 940.0;

Scenario eventful_hall() {
  Scenario scenario = tests::small_hall_scenario();
  scenario.duration_s = end_s;
  scenario.racks.front().count = 4;  // small enough for the monolithic integrator
  scenario.power.pdus = 4;
  scenario.racks.front().hardware.protection.throttle_k = 273.15 + 50.0;  // so low that work at 600 W throttles
  scenario.racks.front().hardware.protection.slowdown_k = 273.15 + 60.0;
  scenario.initial = InitialState::cold;  // with all chillers on duty
  scenario.cooling.chilled_water.front().chillers.count = 3;
  scenario.cooling.chilled_water.front().chillers.stage_interval_s = 310.0;
  scenario.cooling.chilled_water.front().chillers.restart_delay_s = 10.0;
  scenario.power.ups.battery_time_s = 60.0;
  scenario.power.flow = "radial";
  scenario.power.has_substation = true;
  scenario.power.substation = {
      .rated_va = 2e6, .no_load_loss_w = 900.0, .load_loss_w = 6000.0, .high_voltage_v = 110e3, .low_voltage_v = 20e3};
  scenario.power.generators.is_given = true;
  scenario.power.generators.count = 2;
  scenario.power.generators.generator = {.rated_w = 600e3};
  scenario.record.facility_s = 1.0;
  scenario.record.racks_s = 5.0;
  scenario.record.gpus_s = 15.0;
  scenario.events = {
      tests::set_event({.at_s = 540.0, .targets = {"loop_1.supply_temperature"}, .by_si = 4.0, .over_s = 120.0}),
      tests::event(555.3, EventSpec::Kind::fail, {"cdu_1.pump_a"}, 90.0),
      tests::set_event(
          {.at_s = 560.0, .targets = {"loop_2.supply_temperature"}, .by_si = 2.0, .over_s = 10.0, .for_s = 50.0}),
      tests::set_event({.at_s = 580.0, .targets = {"loop_1.supply_temperature"}, .to_si = 303.15, .for_s = 35.0}),
      tests::event(592.0, EventSpec::Kind::open, {"utility_a"}, 40.0),
  };
  return scenario;
}

using MakeIntegrator = std::function<std::unique_ptr<Integrator>(const Plant&)>;

struct Method {
  const char* name;
  MakeIntegrator make;
};

const Method methods[] = {
    {"multirate", [](const Plant& plant) { return make_multirate_integrator(plant, {}); }},
    {"multirate, core by CVODE",
     [](const Plant& plant) { return make_multirate_integrator(plant, {.core = MultirateOptions::Core::cvode}); }},
    {"monolithic", [](const Plant& plant) { return make_monolithic_integrator(plant, {}); }},
};

/// All that an observer can see.
class Keeper final : public Observer {
 public:
  struct Sight {
    double time_s;
    std::vector<double> states, inputs, signals, sinks, clocks;
    std::vector<std::vector<double>> unit_power_w;
    std::vector<RackDigest> racks;
    double throttled_gpu_s, feed_w;
    bool operator==(const Sight&) const = default;
  };

  void observe(const PlantState& state, const Evaluation& evaluation) override {
    sights.push_back({state.time_s, state.states, state.inputs, evaluation.signals, evaluation.sinks,
                      state.work.clock_fraction, evaluation.unit_power_w, evaluation.racks, state.work.throttled_gpu_s,
                      evaluation.power.source_total_w});
  }

  std::vector<Sight> sights;
};

/// What two runs have in common.
struct Setup {
  const Scenario& scenario;
  const workload::Workload& work;
  const Method& method;
};

/// A run with everything of its own: plant, integrator, file.
class OwnRun {
 public:
  OwnRun(const Setup& setup, const std::filesystem::path& file) : OwnRun(setup, file, nullptr) {}

  /// Taken up where `earlier` stands, which must outlive it.
  OwnRun(const Setup& setup, const std::filesystem::path& file, const OwnRun& earlier)
      : OwnRun(setup, file, &earlier.statistics) {
    simulation.resume(earlier.simulation.checkpoint());
  }

  void until(double time_s, bool keeps) {
    std::vector<Observer*> observers{&recorder_, &statistics};
    if (keeps) observers.push_back(&keeper);
    simulation.run(time_s, observers);
  }

  std::vector<NamedValue> finish() {
    const std::vector<NamedValue> summary = summarise({plant_, scenario_, simulation, statistics, 0.0});
    writer_.write_events(simulation.events());
    writer_.finish();
    return summary;
  }

 private:
  OwnRun(const Setup& setup, const std::filesystem::path& file, const Statistics* earlier)
      : scenario_(setup.scenario),
        plant_(build_plant(scenario_)),
        plan_(plan_run(scenario_, plant_, setup.work)),
        integrator_(setup.method.make(plant_)),
        writer_(file, scenario_.start),
        recorder_(plant_, scenario_.record, writer_),
        simulation(plant_, plan_, setup.work, *integrator_),
        statistics(earlier != nullptr ? *earlier : Statistics(plant_)) {}

  const Scenario& scenario_;
  const Plant plant_;
  const RunPlan plan_;
  std::unique_ptr<Integrator> integrator_;
  ResultsWriter writer_;
  Recorder recorder_;

 public:
  Simulation simulation;
  Statistics statistics;
  Keeper keeper;
};

/// Equal to the byte, also where both are not a number.
bool is_same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void check_same(const std::vector<NamedValue>& a, const std::vector<NamedValue>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    INFO(a[k].name);
    const double* number = std::get_if<double>(&a[k].value);
    const double* other = std::get_if<double>(&b[k].value);
    const bool is_nan = number != nullptr && other != nullptr && std::isnan(*number) && std::isnan(*other);
    CHECK((is_nan || a[k] == b[k]));
  }
}

bool happens(const std::vector<EventRecord>& events, const std::string& kind, double from_s, double to_s) {
  return std::any_of(events.begin(), events.end(), [&](const EventRecord& event) {
    return event.kind == kind && event.time_s > from_s && event.time_s <= to_s;
  });
}

/// The rows of `part` are the last ones of `whole`, from the first after `after_s` on.
void check_is_tail(const ResultsReader& part, const ResultsReader& whole, double after_s) {
  REQUIRE(part.tables() == whole.tables());
  std::size_t compared = 0;
  for (const std::string& group : whole.tables()) {
    const std::vector<double> times_s = whole.times_s(group);
    const auto first = std::upper_bound(times_s.begin(), times_s.end(), after_s);
    const auto skipped = static_cast<std::size_t>(first - times_s.begin());
    CHECK(part.times_s(group) == std::vector<double>(first, times_s.end()));
    const TableSpec table = whole.table(group);
    for (const ColumnSpec& column : table.columns) {
      const std::vector<float> all = whole.column(group, column.name);
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(skipped * table.item_count());
      INFO(group << "/" << column.name);
      CHECK(is_same(part.column(group, column.name), std::vector<float>(begin, all.end())));
      compared += static_cast<std::size_t>(all.end() - begin);
    }
  }
  CHECK(compared > 1000);
}

void check_is_eventful(const Checkpoint& end, const Checkpoint& checkpoint) {
  CHECK(happens(checkpoint.events, "on_battery", 0.0, checkpoint_s));
  CHECK(happens(checkpoint.events, "generator_start", 0.0, checkpoint_s));
  CHECK(happens(checkpoint.events, "stage", 0.0, checkpoint_s));
  for (const char* kind : {"generator_on_load", "generator_stop", "restore", "set", "start"}) {
    INFO(kind);
    CHECK(happens(end.events, kind, checkpoint_s, end_s));
  }
  CHECK(is_a_setting_moving(checkpoint.state));
  CHECK(checkpoint.state.work.throttled_gpu_s > 0.0);
  CHECK(end.state.work.throttled_gpu_s > checkpoint.state.work.throttled_gpu_s);
}

/// Runs a setup in one, and again with a checkpoint; compares all there is.
std::pair<Checkpoint, Checkpoint> check_checkpoint(const Setup& setup, bool keeps) {
  const tests::TemporaryFolder folder;
  OwnRun whole(setup, folder / "whole.h5");
  whole.simulation.start();
  whole.until(end_s, keeps);
  const std::vector<NamedValue> summary = whole.finish();

  OwnRun before(setup, folder / "before.h5");
  before.simulation.start();
  before.until(checkpoint_s, keeps);
  OwnRun after(setup, folder / "after.h5", before);
  after.until(end_s, keeps);
  check_same(after.finish(), summary);

  const PlantState& end = after.simulation.state();
  CHECK(end.states == whole.simulation.state().states);
  CHECK(end.inputs == whole.simulation.state().inputs);
  CHECK(after.simulation.events() == whole.simulation.events());
  CHECK(after.simulation.initial_energy() == whole.simulation.initial_energy());
  const std::vector<Keeper::Sight>& seen = after.keeper.sights;
  const std::vector<Keeper::Sight>& expected = whole.keeper.sights;
  REQUIRE(seen.size() <= expected.size());
  CHECK((keeps ? seen.size() >= 160 : seen.empty()));
  CHECK(std::equal(seen.begin(), seen.end(), expected.end() - static_cast<std::ptrdiff_t>(seen.size())));
  check_is_tail(ResultsReader(folder / "after.h5"), ResultsReader(folder / "whole.h5"), checkpoint_s);
  return {{whole.simulation.state(), whole.simulation.events(), 0.0}, before.simulation.checkpoint()};
}

}  // namespace

TEST_CASE("a run through a checkpoint is the run without it, to the byte", "[checkpoint]") {
  omp_set_num_threads(1);
  const Method& method = methods[GENERATE(0u, 1u, 2u)];
  const bool keeps = GENERATE(true, false);  // with and without somebody who looks at every unit at every instant
  INFO(method.name);
  const Scenario scenario = eventful_hall();
  const tests::SquareWork work(16.0);
  const auto [whole, before] = check_checkpoint({scenario, work, method}, keeps);
  check_is_eventful(whole, before);
}

// At the checkpoint of the hall above weather and work jump, so that all integrators restart there anyway. Here nothing does.
TEST_CASE("where nothing jumps at a checkpoint, a run through it is the run without it, too", "[checkpoint]") {
  omp_set_num_threads(1);
  const Method& method = methods[GENERATE(0u, 1u, 2u)];
  INFO(method.name);
  Scenario scenario = tests::one_rack_scenario();
  scenario.initial = InitialState::cold;  // under way, so that there is a history to forget
  scenario.duration_s = end_s;
  const tests::ConstantWork work(600.0, 7000.0);
  check_checkpoint({scenario, work, method}, true);
}

TEST_CASE("a run in pieces is the run in one, and no instant is seen twice", "[checkpoint]") {
  omp_set_num_threads(1);
  const Method& method = methods[GENERATE(0u, 1u, 2u)];
  INFO(method.name);
  Scenario scenario = eventful_hall();
  scenario.duration_s = 300.0;
  const tests::TemporaryFolder folder;
  const tests::SquareWork work(16.0);
  const Setup setup{scenario, work, method};
  OwnRun one(setup, folder / "one.h5"), pieces(setup, folder / "pieces.h5");
  one.simulation.start();
  one.until(300.0, true);
  pieces.simulation.start();
  for (const double until_s : {0.0, 0.0, 60.0, 60.0, 180.0, 240.0, 300.0, 300.0}) pieces.until(until_s, true);
  CHECK(pieces.keeper.sights == one.keeper.sights);
  check_same(pieces.finish(), one.finish());
  const ResultsEquality same = results_equal(folder / "one.h5", folder / "pieces.h5");
  INFO(same.difference);
  CHECK(same.equal);
}

TEST_CASE("a checkpoint is taken where integrators forget, and taken up by its own plant", "[checkpoint]") {
  Scenario scenario = tests::one_rack_scenario();
  scenario.duration_s = 900.0;
  const Plant plant = build_plant(scenario);
  const auto integrator = make_multirate_integrator(plant, {});
  const tests::SquareWork work(16.0);
  const RunPlan plan = plan_run(scenario, plant, work);
  Simulation simulation(plant, plan, work, *integrator);
  simulation.start();
  CHECK(simulation.checkpoint().state.time_s == 0.0);
  simulation.run(125.0, {});
  CHECK_THROWS_AS(simulation.checkpoint(), std::logic_error);
  simulation.run(checkpoint_s, {});
  Checkpoint checkpoint = simulation.checkpoint();
  CHECK(checkpoint.state.time_s == checkpoint_s);
  checkpoint.state.states.pop_back();
  CHECK_THROWS_AS(simulation.resume(checkpoint), std::invalid_argument);
}
