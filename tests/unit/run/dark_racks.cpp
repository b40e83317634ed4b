// Racks without power at the end of a run: of nodes, of switches and of storage, each counted once.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/run/figures/summary.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("racks of nodes and of switches that lose their supply are all without power", "[summary]") {
  const std::vector<std::string> small{"duration=6 s",      "workload={kind: constant}",  "hall.racks.count=8",
                                       "hall.racks.rows=2", "hall.cooling.loops.count=1", "hall.network.racks=3"};
  const auto dark_at_end = [&](const std::string& events) {
    std::vector<std::string> changes = small;
    changes.push_back("events=" + events);
    tests::ScenarioRun run("h100_10k", changes, tests::ScenarioRun::By::multirate);
    REQUIRE(run.plant.it.racks.size() == 8);
    REQUIRE(run.plant.it.network_racks.size() == 3);
    run.to_end();
    return racks_without_power({run.plant, run.scenario, run.simulation(), run.statistics});
  };
  CHECK(dark_at_end("[]") == 0);
  CHECK(dark_at_end("[{at: 2 s, open: 'pdu_*'}]") == 8 + 3);
  CHECK(dark_at_end("[{at: 2 s, open: 'pdu_*'}, {at: 4 s, close: 'pdu_*'}]") == 0);
}
