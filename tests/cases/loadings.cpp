// Loadings of machines with fans when something fails: what a machine moves is at most what it can move, or its rating where that is less, and
// never less than nothing (docs/decisions/0058-loading-of-machines-with-fans.md).
#include <algorithm>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double of_fans = 1e-4;  ///< the tolerance of their speeds

struct Span {
  double lowest = 1.0, highest = 0.0;
};

/// Of all towers, or all air handlers, through a run in steps of 5 s.
Span loadings(const std::string& scenario, const std::string& group, double until_s,
              const std::vector<std::string>& overrides = {}) {
  tests::ScenarioRun run(scenario, overrides);
  const auto kind = std::ranges::find(part_kinds(), group, [](const PartKind& of) { return of.table.group; });
  REQUIRE(kind != part_kinds().end());
  const PartSet& set = *run.plant.components[static_cast<std::size_t>(kind - part_kinds().begin())];
  Span found;
  for (double t_s = 5.0; t_s <= until_s; t_s += 5.0) {
    run.until(t_s);
    const PlantSnapshot snapshot{run.plant, run.state(), run.evaluation()};
    for (const std::string& name : set.names()) {
      const double loading = snapshot.reported(group, name, "loading");
      found = {std::min(found.lowest, loading), std::max(found.highest, loading)};
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a tower whose fan fails is loaded by all that it still can", "[loadings]") {
  const Span of = loadings("part_faults/tower_fan_fails", "towers", 300.0);
  CHECK(of.lowest >= 0.0);
  CHECK(of.highest <= 1.0 + of_fans);
  CHECK(of.highest > 0.99);
}

TEST_CASE("air handlers on water that becomes too warm are loaded by no more than they can", "[loadings]") {
  const Span of = loadings("limits/all_chillers_lost", "crahs", 1500.0);
  CHECK(of.lowest >= 0.0);
  CHECK(of.highest <= 1.0 + of_fans);
}

TEST_CASE("an air handler with a clogged filter is loaded by no more than it can", "[loadings]") {
  const Span of = loadings("h100_10k", "crahs", 120.0, {"events=[{at: 20 s, clog: crah_3.filter, to: 10 %}]"});
  CHECK(of.lowest >= 0.0);
  CHECK(of.highest <= 1.0 + of_fans);
}
