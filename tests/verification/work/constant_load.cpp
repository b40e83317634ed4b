// A constant load against sums by hand: GPUs by the split of an H100 node, (P - 1.6 kW) / 1.12 / 8 from 72 to
// 700 W, and energy as power times time.
#include "workload/constant_load.hpp"
#include "tests/support/halls/plant_names.hpp"

#include <limits>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// One rack of eight nodes for ten minutes.
Scenario rack_with(const std::string& workload) {
  return read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/one_rack.yaml",
                       {"workload=" + workload, "duration=600 s"});
}

struct Watts {
  std::vector<double> gpu, node;
};

Watts sample(const workload::Workload& work, double t_s) {
  Watts watts{std::vector<double>(64, -1.0), std::vector<double>(8, -1.0)};
  work.sample_all(t_s, watts.gpu, watts.node);
  return watts;
}

}  // namespace

TEST_CASE("a constant load asks the same of every node and never changes", "[constant]") {
  const struct {
    double node_w, gpu_w;
  } cases[] = {
      {6850.0, 5250.0 / 1.12 / 8.0},  // 585.9 W
      {10200.0, 700.0},               // would be 960 W: the rest of the node takes what is left
      {2000.0, 72.0},                 // would be 45 W
      {400.0, 50.0},                  // less than eight idle GPUs draw: they share it
  };
  const workload::NodeSet nodes{.nodes = 8, .gpus_per_node = 8, .split = {1600.0, 1.12, 72.0, 700.0}};
  for (const auto& [node_w, gpu_w] : cases) {
    const auto work = workload::make_constant_load(node_w, nodes);
    CAPTURE(node_w);
    for (const double t_s : {0.0, 0.3, 86400.0}) {
      const Watts watts = sample(*work, t_s);
      CHECK(watts.node == std::vector<double>(8, node_w));
      for (const double w : watts.gpu) CHECK(w == Approx(gpu_w).epsilon(1e-12));
      CHECK(work->next_change_s(t_s) == std::numeric_limits<double>::infinity());
    }
  }
}

TEST_CASE("without node_power a constant load is the nameplate of the node", "[constant]") {
  CHECK(sample(*make_work(rack_with("{ kind: constant }")).workload, 0.0).node == std::vector<double>(8, 10200.0));
  CHECK(sample(*make_work(rack_with("{ kind: constant, node_power: 7 kW }")).workload, 0.0).node ==
        std::vector<double>(8, 7000.0));
}

TEST_CASE("a constant load above the nameplate is refused where it is written", "[constant]") {
  const Scenario scenario = rack_with("{ kind: constant, node_power: 10.3 kW }");
  try {
    make_work(scenario);
    FAIL("10.3 kW was taken");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 1);
    CHECK(error.problems().front().message == "node_power: 10.3 kW is more than a node can draw, 10.2 kW");
    CHECK(error.problems().front().hint == "leave it out for the nameplate power of the node");
  }
}

TEST_CASE("nodes of a constant load draw their power times the time, without leakage on top", "[constant]") {
  const Scenario scenario = rack_with("{ kind: constant, node_power: 6.85 kW }");
  const Work work = make_work(scenario);
  const Plant plant = build_plant(scenario);
  tests::WorkRun simulation(scenario, plant, *work.workload, by_monolithic());
  simulation.start();
  simulation.run(scenario.duration_s, {});
  REQUIRE(simulation.state().time_s == scenario.duration_s);
  const double node_j = simulation.state().states[tests::meter_of_use(plant, "node")];
  CHECK(node_j == Approx(8.0 * 6850.0 * 600.0).epsilon(1e-9));
  for (const double gpu_w : simulation.evaluation().unit_power_w[plant.it.groups.front().gpu_units]) {
    CHECK(gpu_w == Approx(5250.0 / 1.12 / 8.0).epsilon(1e-12));
  }
  tests::report_verification({"constant load of 6.85 kW on 8 nodes for 600 s", "power times time", "node energy",
                              node_j / 3.6e6, 8.0 * 6850.0 * 600.0 / 3.6e6, 1e-6, "kWh"});
}
