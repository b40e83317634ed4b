// GPU protection in a run: coolant stops, dies heat up, firmware acts at 87, 89 and 95 degC. The expected clock is written
// out here from the limits that an H100 reports [nvidia_smi_h100], not taken from the model.

#include <cmath>
#include <map>

#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

double expected_clock(double die_k) {
  const double die_c = die_k - 273.15;
  if (die_c >= 95.0) return 0.0;
  if (die_c >= 89.0) return 0.5;
  if (die_c > 87.0) return 1.0 - 0.25 * (die_c - 87.0) / 2.0;
  return 1.0;
}

/// Compares clocks with die temperatures every second and remembers what happened.
class Watch final : public Observer {
 public:
  explicit Watch(const Plant& plant) : plant_(plant) {}

  void observe(const PlantState& state, const Evaluation& evaluation) override {
    const UnitGroup& gpus = *plant_.groups[plant_.it.groups.front().gpu_units];
    for (std::size_t gpu = 0; gpu < gpus.count(); ++gpu) {
      const std::size_t node = gpu / plant_.it.groups.front().gpus_per_node;
      const double die_k = state.states[gpus.state_slot(0, gpu)];
      const double clock = state.work.clock_fraction[gpu];
      const double load_w = evaluation.signals[gpus.first_load + gpu];
      if (state.work.node_is[node] == NodeIs::off_by_die) {
        CHECK(load_w == 0.0);
        CHECK(evaluation.unit_power_w[plant_.it.groups.front().gpu_units][gpu] == 0.0);  // no leakage without power
        shut_down_at_s.try_emplace(node, state.time_s);
        continue;
      }
      CHECK(clock == Approx(expected_clock(die_k)).margin(1e-12));
      CHECK(load_w == Approx(72.0 + (560.0 - 72.0) * clock * clock).margin(1e-9));
      if (clock < 1.0 && clock > 0.5) ramp_seen = true;
      if (clock == 0.5) slowdown_seen = true;
    }
  }

  bool ramp_seen = false;
  bool slowdown_seen = false;
  std::map<std::size_t, double> shut_down_at_s;

 private:
  const Plant& plant_;
};

}  // namespace

TEST_CASE("firmware throttles from 87, halves the clock at 89 and switches off at 95 degC", "[protection]") {
  Scenario scenario = tests::one_rack_scenario();
  scenario.duration_s = 400.0;
  EventSpec failure;
  failure.at_s = 10.0;
  failure.targets = {"cdu_1"};
  scenario.events.push_back(failure);
  const Plant plant = build_plant(scenario);
  const tests::ConstantWork work(560.0, 6900.0);
  tests::WorkRun simulation(scenario, plant, work, by_monolithic());
  Watch watch(plant);
  simulation.start();
  simulation.run(400.0, {&watch});
  CHECK(watch.ramp_seen);
  CHECK(watch.slowdown_seen);
  CHECK(simulation.state().work.has_throttled);
  CHECK(simulation.state().work.first_throttle_s > 10.0);
  CHECK(simulation.state().work.throttled_gpu_s > 0.0);
  REQUIRE(watch.shut_down_at_s.size() == 8);
  for (const auto& [node, at_s] : watch.shut_down_at_s) CHECK(at_s > simulation.state().work.first_throttle_s);
}

TEST_CASE("with protection off nothing is throttled", "[protection]") {
  Scenario scenario = tests::one_rack_scenario();
  scenario.racks.front().hardware.protection.is_enabled = false;
  EventSpec failure;
  failure.at_s = 10.0;
  failure.targets = {"cdu_1"};
  scenario.events.push_back(failure);
  const Plant plant = build_plant(scenario);
  const tests::ConstantWork work(560.0, 6900.0);
  tests::WorkRun simulation(scenario, plant, work, by_monolithic());
  simulation.start();
  simulation.run(90.0);  // at 101 s a die is beyond what the models are valid for
  CHECK_FALSE(simulation.state().work.has_throttled);
  CHECK(simulation.state().states[plant.groups[plant.it.groups.front().gpu_units]->state_slot(0, 0)] > 368.15);
}
