// Which nodes a scheduler takes for the coolest: by the dies of a run in which every GPU has a temperature of its own.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;

TEST_CASE("the coolest node is that whose hottest die is coolest, whichever of its GPUs that is",
          "[verification][coolest_nodes]") {
  const std::string program = "program: {kind: training, checkpoint_time: 0 s}}";
  tests::ScenarioRun run(
      "one_rack", {"workload=null", "duration=40 min",
                   "jobs={scheduler: {placement: coolest}, queue: [{name: first, nodes: 8, run_time: 5 min, " +
                       program + ", {name: second, nodes: 4, submit: 9 min, run_time: 10 min, " + program + "]}"});
  run.until(539.0);
  std::vector<std::pair<double, std::size_t>> ranks;
  std::size_t hottest_elsewhere = 0;  // nodes whose hottest GPU is not the last
  for (std::size_t node = 0; node < 8; ++node) {
    double hottest_k = 0.0;
    for (std::size_t gpu = 8 * node; gpu < 8 * (node + 1); ++gpu) hottest_k = std::max(hottest_k, run.die_k(gpu));
    hottest_elsewhere += hottest_k > run.die_k(8 * node + 7) ? 1 : 0;
    ranks.emplace_back(hottest_k, node);
  }
  CHECK(hottest_elsewhere >= 4);
  std::ranges::sort(ranks);
  run.until(600.0);
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    INFO("node " << ranks[k].second << " at " << ranks[k].first << " K");
    const std::uint32_t slot = run.state().work.queue.where.slot_of_node[ranks[k].second];
    CHECK((slot != workload::Placement::free_node) == (k < 4));
  }
}
