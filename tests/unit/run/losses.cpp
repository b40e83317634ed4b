// GPU-time that is lost, by hand: nodes that are off count from the instant at which they are, to that at which they are back.
#include "twin/run/figures/losses.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/state/plant_state.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("GPU-time is lost from when a node is off until it is back, whatever the length of the intervals beside",
          "[losses]") {
  const Scenario scenario = tests::small_hall_scenario();
  const Plant plant = build_plant(scenario);
  const Evaluation evaluation(plant);
  PlantState state = initial_state(plant);
  state.work.node_is.assign(plant.it.node_count(), NodeIs::at_work);
  Losses losses(plant);
  const auto observe = [&](double time_s) {
    state.time_s = time_s;
    losses.observe(state, evaluation);
  };
  const double gpus_per_node = 8.0;
  observe(0.0);
  observe(100.0);
  CHECK(losses.lost_gpu_s == 0.0);
  state.work.node_is[9] = NodeIs::failed;
  observe(107.0);
  CHECK(losses.lost_gpu_s == 0.0);
  CHECK(losses.first_s == 107.0);
  CHECK(losses.first == plant.it.racks[9 / plant.it.nodes_in(0)].name + " failed");
  state.work.node_is[20] = NodeIs::booting;
  state.work.node_is[21] = NodeIs::idle;  // a spare one loses nothing
  observe(110.0);
  CHECK(losses.lost_gpu_s == gpus_per_node * 3.0);
  state.work.node_is[9] = NodeIs::at_work;
  observe(130.0);
  CHECK(losses.lost_gpu_s == gpus_per_node * (3.0 + 2.0 * 20.0));
  state.work.node_is[20] = NodeIs::at_work;
  observe(170.0);
  observe(400.0);
  CHECK(losses.lost_gpu_s == gpus_per_node * (3.0 + 2.0 * 20.0 + 40.0));
  CHECK(losses.first_s == 107.0);
}
