// The split of a node's watts, by hand for an H100 node: base 1.6 kW, 1.12 W for each watt of 8 GPUs, 72 to
// 700 W.
#include "workload/nodes/node_split.hpp"

#include "tests/support/catch.hpp"

using namespace wattloop::workload;

namespace {
const NodeSplitParams h100{.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
}  // namespace

TEST_CASE("GPUs get what the base and the overhead leave", "[split]") {
  CHECK(gpu_from_node_w(h100, 6976.0, 8) == Approx(600.0).epsilon(1e-14));  // 1600 + 1.12 * 8 * 600
  CHECK(gpu_from_node_w(h100, 4288.0, 8) == Approx(300.0).epsilon(1e-14));
}

TEST_CASE("GPU power stays between idle and limit", "[split]") {
  CHECK(gpu_from_node_w(h100, 10200.0, 8) == 700.0);  // 959.8 W by the formula
  CHECK(gpu_from_node_w(h100, 2000.0, 8) == 72.0);    // 44.6 W
  CHECK(gpu_from_node_w(h100, 1000.0, 8) == 72.0);
}

TEST_CASE("the rest of a node that is off or starting never gets negative power", "[split]") {
  for (double node_w = 0.0; node_w < 12000.0; node_w += 7.0) {
    const double gpu_w = gpu_from_node_w(h100, node_w, 8);
    CAPTURE(node_w);
    CHECK(gpu_w >= 0.0);
    CHECK(node_w - 8.0 * gpu_w >= 0.0);
  }
  CHECK(gpu_from_node_w(h100, 0.0, 8) == 0.0);
  CHECK(gpu_from_node_w(h100, 400.0, 8) == 50.0);
}

TEST_CASE("a node made of its GPUs splits back into them", "[split]") {
  for (const double gpu_w : {72.0, 156.0, 446.0, 618.0, 700.0}) {
    CHECK(gpu_from_node_w(h100, node_from_gpus_w(h100, 8.0 * gpu_w), 8) == Approx(gpu_w).epsilon(1e-14));
  }
  CHECK(node_from_gpus_w(h100, 0.0) == 1600.0);
}
