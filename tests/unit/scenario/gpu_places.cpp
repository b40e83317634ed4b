// GPUs that stand in front of others in the air of their node: who is warmer by how much, who they are by name, and what cannot be.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "physics/fluids/fluid.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;

namespace {

constexpr std::size_t gpus = 2 * 4 * 8;  // two racks of four nodes of eight

/// Two racks of the hall of DGX at constant power, with fans at full speed and these values of the GPU.
ScenarioRun hall(const std::string& gpu, const std::string& spread = "none") {
  return ScenarioRun(
      "halls/dgx_h100_air",
      {"workload={kind: constant}", "hall.racks.count=2", "hall.racks.rows=1", "hall.racks.gpu_spread=" + spread,
       "hall.racks.with={fans: {controlled: false}, units: {gpu: {with: {" + gpu + "}}}}"});
}

std::string problem_of(const std::string& node, const std::string& gpu) {
  try {
    read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "halls" / "dgx_h100_air.yaml",
                  {"hall.racks.with={units: {gpu: {" + node + "with: {" + gpu + "}}}}"});
  } catch (const InputError& error) {
    const Problem& problem = error.problems().front();
    return problem.message + " | " + problem.hint;
  }
  return {};
}

}  // namespace

TEST_CASE("rear GPUs are warmer than those in front by the heat of one in the air of both", "[gpu_places]") {
  const ScenarioRun run = hall("front_gpus: 4"), alike = hall("front_gpus: 0, gpus_upstream: 0.5");
  const RackPart& rack = run.plant.it.racks.front();
  const double node_kg_per_s = run.state().inputs[rack.airflow_input] / 4.0;
  const double stream_w_per_k = 2.0 * 0.55 / 8.0 * node_kg_per_s * physics::air_specific_heat_j_per_kg_k;
  const double gpu_w = run.evaluation().unit_power_w[run.plant.it.groups.front().gpu_units].front();
  REQUIRE(gpu_w > 500.0);
  for (std::size_t node = 0; node < gpus / 8; ++node) {
    INFO("node " << node);
    for (std::size_t gpu = 1; gpu < 4; ++gpu) {
      CHECK(run.die_k(8 * node + gpu) == Approx(run.die_k(8 * node)).epsilon(1e-9));
      CHECK(run.die_k(8 * node + 4 + gpu) == Approx(run.die_k(8 * node + 4)).epsilon(1e-9));
    }
    const double front_k = run.die_k(8 * node), rear_k = run.die_k(8 * node + 4);
    CHECK(rear_k - front_k == Approx(gpu_w / stream_w_per_k).epsilon(1e-3));
    CHECK(0.5 * (front_k + rear_k) == Approx(alike.die_k(8 * node)).margin(0.02));
  }
  CHECK(alike.hottest_die_k(gpus) - alike.mean_die_k(8) < 0.5);
}

TEST_CASE("the hottest GPU of a node is one that stands behind others, by its name, too", "[gpu_places]") {
  const ScenarioRun run = hall("front_gpus: 6", "{resistance: 2 %, flow: 0 %, leakage: 0 %}");
  std::size_t hottest = 0;
  for (std::size_t gpu = 1; gpu < gpus; ++gpu) {
    if (run.die_k(gpu) > run.die_k(hottest)) hottest = gpu;
  }
  CHECK(hottest % 8 >= 6);
  const std::string name = gpu_name(run.plant, hottest);
  CHECK((name.ends_with(".gpu_7") || name.ends_with(".gpu_8")));
}

TEST_CASE("sinks of another class stand behind", "[gpu_places]") {
  const ScenarioRun alike = hall("front_gpus: 4"), better = hall("front_gpus: 4, rear_conductance: 1.5");
  CHECK(better.die_k(0) == Approx(alike.die_k(0)).margin(0.02));
  const double film_w_per_k = 100.0, gpu_w = alike.evaluation().unit_power_w[0].front();
  CHECK(better.die_k(4) < alike.die_k(4) - 0.2 * gpu_w / film_w_per_k);
}

TEST_CASE("plates in series: the second is warmer by the heat of the first in the coolant of both", "[gpu_places]") {
  const auto rack = [](const std::string& gpu) {
    return ScenarioRun("one_rack", {"workload={kind: constant}", "hall.racks.gpu_spread=none",
                                    "hall.racks.with={units: {gpu: {with: {" + gpu + "}}}}"});
  };
  const ScenarioRun run = rack("gpus_in_stream: 2, front_gpus: 4"),
                    alike = rack("gpus_in_stream: 2, gpus_upstream: 0.5");
  const double gpu_w = run.evaluation().unit_power_w[run.plant.it.groups.front().gpu_units].front();
  const double front_k = run.die_k(0), rear_k = run.die_k(4);
  for (std::size_t gpu = 0; gpu < 64; ++gpu)
    CHECK(run.die_k(gpu) == Approx(gpu % 8 < 4 ? front_k : rear_k).epsilon(1e-9));
  const Link& plates = tests::link_named(run.plant, "row_1.rack_1.cold_plates");
  const double share = run.scenario.racks.front().hardware.units.front().liquid_share_fraction;
  const double stream_w_per_k =
      2.0 * share / 64.0 * run.evaluation().signals[plates.flow_signal] * plates.specific_heat_j_per_kg_k;
  REQUIRE(gpu_w > 500.0);
  CHECK(rear_k - front_k == Approx(gpu_w / stream_w_per_k).epsilon(1e-3));
  CHECK(0.5 * (front_k + rear_k) == Approx(alike.die_k(0)).margin(0.02));
}

TEST_CASE("front GPUs are some of the eight of a node", "[gpu_places][errors]") {
  const std::string hint =
      "write a whole number from 1 to 7 (of the eight GPUs of a node), or 0 if all GPUs have the same place in the "
      "stream";
  CHECK(problem_of("", "front_gpus: 8") == "front_gpus: 8 of 8 in unit 'gpu' | " + hint);
  CHECK(problem_of("", "front_gpus: 2.5") == "front_gpus: 2.5 of 8 in unit 'gpu' | " + hint);
  CHECK(problem_of("count: 4, ", "front_gpus: 2") == "front_gpus: 2 of 4 in unit 'gpu' | " + hint);
  CHECK(problem_of("", "front_gpus: 4") == "");
}
