// Watts of the fabric against the nodes that work: computed here from counts and the two lines of a switch.
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// Nodes of the first racks work, the others wait.
class PartlyWork final : public workload::Workload {
 public:
  explicit PartlyWork(std::size_t busy_nodes, double until_s = 1e9) : busy_nodes_(busy_nodes), until_s_(until_s) {}
  double next_change_s(double t_s) const override { return t_s < until_s_ ? until_s_ : 1e9; }
  void sample(double t_s, workload::NodeRange nodes, std::span<double> gpu_w,
              std::span<double> node_ac_w) const override {
    const std::size_t gpus = gpu_w.size() / nodes.count;
    for (std::size_t n = 0; n < nodes.count; ++n) {
      const double gpu = t_s < until_s_ && nodes.first + n < busy_nodes_ ? 600.0 : 80.0;
      std::fill_n(gpu_w.begin() + static_cast<std::ptrdiff_t>(n * gpus), gpus, gpu);
      node_ac_w[n] = 1600.0 + 1.12 * 8.0 * gpu;
    }
  }

 private:
  std::size_t busy_nodes_;
  double until_s_;
};

Scenario hall() {
  Scenario scenario = tests::small_hall_scenario();
  scenario.network.switches = {.idle_w = 1000.0, .typical_w = 1100.0, .typical_traffic_fraction = 0.5, .max_w = 1700.0};
  return scenario;
}

struct Ran {
  double fabric_w, fabric_j;
};

Ran ran(const Scenario& scenario, const workload::Workload& work, bool is_multirate, double end_s) {
  const Plant plant = build_plant(scenario);
  tests::WorkRun simulation(scenario, plant, work, is_multirate ? by_multirate() : by_monolithic());
  simulation.start();
  simulation.run(end_s, {});
  return {simulation.evaluation().sinks[tests::meter_of_use(plant, "fabric")],
          simulation.state().states[tests::meter_of_use(plant, "fabric")]};
}

}  // namespace

TEST_CASE("the fabric draws typical watts in the traffic of a job, less with fewer nodes at work, idle watts with none",
          "[fabric]") {
  // 64 nodes: 16 leaf and 8 spine switches, at 50 % of line rate where all nodes work.
  const bool is_multirate = GENERATE(false, true);
  CHECK(ran(hall(), PartlyWork(64), is_multirate, 20.0).fabric_w == Approx(24.0 * 1100.0).epsilon(1e-12));
  CHECK(ran(hall(), PartlyWork(16), is_multirate, 20.0).fabric_w == Approx(24.0 * 1025.0).epsilon(1e-12));
  CHECK(ran(hall(), PartlyWork(0), is_multirate, 20.0).fabric_w == Approx(24.0 * 1000.0).epsilon(1e-12));
}

TEST_CASE("the fabric follows its work at whole minutes, with either integrator", "[fabric]") {
  const double expected_j = 24.0 * (120.0 * 1100.0 + 60.0 * 1000.0);
  for (const bool is_multirate : {false, true}) {
    CHECK(ran(hall(), PartlyWork(64, 73.0), is_multirate, 180.0).fabric_j == Approx(expected_j).epsilon(1e-10));
  }
}

TEST_CASE("a rack that loses power takes its share of the traffic with it at once, until it has booted", "[fabric]") {
  Scenario scenario = hall();  // eight racks on eight PDUs, ten with those of the network
  const double boot_s = GENERATE(0.0, 4.0);
  scenario.racks.front().hardware.boot_time_s = boot_s;
  scenario.power.pdus = 10;
  scenario.events = {tests::event(33.0, EventSpec::Kind::open, {"pdu_1"}, 60.0)};
  const double expected_j = 24.0 * (100.0 * 1100.0 - (60.0 + boot_s) * 100.0 / 8.0);
  for (const bool is_multirate : {false, true}) {
    CHECK(ran(scenario, PartlyWork(64), is_multirate, 100.0).fabric_j == Approx(expected_j).epsilon(1e-10));
  }
}

TEST_CASE("800 switches of the reference hall draw 0.9 to 1.0 MW in training", "[fabric][case]") {
  const tests::ScenarioRun run("h100_10k", {"duration=1 min"});
  const double fabric_w = run.use_w("fabric");
  CHECK(fabric_w > 0.9e6);
  CHECK(fabric_w < 1.0e6);
  CHECK(fabric_w == Approx(800.0 * (747.0 + 32.0 * 15.0)).epsilon(1e-12));
}
