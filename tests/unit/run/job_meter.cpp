// Who pays for leakage: in a rack that jobs share, the job whose own dies are warm.
#include "twin/run/meters/job_meter.hpp"

#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("the energy of a shared rack goes by the dies of each node, not by those of another", "[job_meter]") {
  constexpr double warmer_k = 40.0;
  tests::ScenarioRun run("one_rack", {"workload=null",
                                      "jobs={queue: [{name: one, nodes: 1, count: 8, program: {kind: training, "
                                      "gpu_noise: 0 W, node_noise: 0 W, gpu_spread: 0 W, checkpoint_time: 0 s}}]}",
                                      "hall.racks.gpu_spread=none", "duration=10 min"});
  run.until(60.0);
  const double node_w = run.evaluation().loads_w()[run.plant.it.racks.front().load] / 8.0;  // all ask for the same
  const RackGroup& group = run.plant.it.groups.front();
  const UnitGroup& units = *run.plant.groups[group.gpu_units];
  const auto energies_j = [&](const PlantState& state) {
    JobMeter meter(run.plant, *run.jobs().queue());
    meter.integrate(state, run.evaluation(), 10.0);
    return std::vector<double>(meter.energy_j().begin(), meter.energy_j().end());
  };
  const std::vector<std::uint32_t>& slots = run.state().work.queue.where.slot_of_node;
  const std::vector<double> before_j = energies_j(run.state());
  for (const std::size_t node : {std::size_t{0}, std::size_t{2}, std::size_t{7}}) {
    INFO("node " << node);
    PlantState warm = run.state();
    double more_w = 0.0;
    for (std::size_t gpu = 8 * node; gpu < 8 * (node + 1); ++gpu) {
      double& die_k = warm.states[units.state_slot(0, group.unit_of(gpu))];
      more_w += units.leakage_w(group.unit_of(gpu), die_k + warmer_k) - units.leakage_w(group.unit_of(gpu), die_k);
      die_k += warmer_k;
    }
    REQUIRE(more_w > 0.02 * node_w);
    const std::vector<double> after_j = energies_j(warm);
    for (std::size_t other = 0; other < 8; ++other) {
      const std::size_t job = run.state().work.queue.slots[slots[other] - 1].request;
      // The whole is the same; of it the warm node has (node + more) / (8 nodes + more).
      const double share = (node_w + (other == node ? more_w : 0.0)) / (8.0 * node_w + more_w);
      CHECK(after_j[job] / before_j[job] == Approx(8.0 * share).epsilon(5e-3));
    }
  }
}
