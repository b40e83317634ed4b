// Case: halls on blocks of power, scenarios/halls/power_*.yaml. What `wattloop check` says of them with modules or a block out is what
// runs at nameplate carry.
//
// Expected values and where they come from:
//   loadings      check against runs with the same out from the start, 1 %: chillers and towers are not in steady state after ten minutes
//   ratings       modules that are left x 1500 kW of the library
//   one of nine   n / (n - 1) of what the others carried, as far as 200 racks on 36 pairs spread evenly
//   three of 11   600 s x 0.1^((L - 1.25) / 0.25) [mge_galaxy_pw], L from the load present
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/ratings/load_at_rating.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;

namespace {

/// Loading of all UPS, PDUs and transformers by name.
std::map<std::string, double> loadings(const electrical::PowerTree& tree, const electrical::PowerFlow& power) {
  std::map<std::string, double> by_name;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch)
    by_name[tree.branch_name[branch]] = power.branch_loading_fraction[branch];
  return by_name;
}

std::string fail_override(const Outage& outage) {
  std::string names;
  for (const EventSpec& event : outage.events) {
    for (const std::string& name : event.targets) names += (names.empty() ? "" : ", ") + name;
  }
  return "events=[{ at: 0 s, fail: [" + names + "] }]";
}

/// Compares every loading of the hall in steady state with those of a run after ten minutes.
void compare(const std::string& name, const Outage& outage, NameplateHall& hall) {
  hall.settle(outage);
  ScenarioRun run(name, {fail_override(outage), "duration=10 min", "hall.network.traffic=100 %"},
                  ScenarioRun::By::multirate);
  run.to_end();
  const PlantSnapshot rest = hall.snapshot();
  const auto reported = loadings(hall.plant().power_tree, rest.evaluation.power);
  const auto carried = loadings(run.plant.power_tree, run.evaluation().power);
  REQUIRE(reported.size() == carried.size());
  for (const auto& [branch, loading] : reported) {
    INFO(name << ", out: " << outage.text << "; " << branch);
    CHECK(loading == Approx(carried.at(branch)).epsilon(0.01).margin(0.001));
  }
}

Outage outage_named(const Plant& plant, const std::string& text) {
  const std::vector<Outage> all = outages(plant);
  const auto found = std::ranges::find(all, text, &Outage::text);
  REQUIRE(found != all.end());
  return *found;
}

Scenario scenario_named(const std::string& name) { return ScenarioRun(name, {"events=null", "duration=1 s"}).scenario; }

}  // namespace

TEST_CASE("check says of modules that are out what a run carries", "[ratings][modules]") {
  omp_set_num_threads(1);
  const std::string name = "halls/power_n_plus_1";
  const Scenario scenario = scenario_named(name);
  NameplateHall hall(scenario);
  for (const char* text : {"ups_a.module_1", "transformer_a_1"}) {
    const Outage outage = outage_named(hall.plant(), text);
    CHECK(outage.kind == Outage::Kind::module);
    compare(name, outage, hall);
  }
  hall.settle(outage_named(hall.plant(), "ups_a.module_1"));
  for (const LoadAtRating& load : loads_at_rating(scenario, hall.snapshot())) {
    if (load.kind == "ups") CHECK(load.rating == Approx(10 * 1500e3));
    if (load.kind == "ups") CHECK(load.load < load.rating);
  }
}

TEST_CASE("check says of a block that is out what a run carries, 9 / 8 of what it did", "[ratings][blocks]") {
  omp_set_num_threads(1);
  const std::string name = "halls/power_distributed";
  NameplateHall hall(scenario_named(name));
  hall.settle({});
  const auto before = loadings(hall.plant().power_tree, hall.snapshot().evaluation.power);
  compare(name, outage_named(hall.plant(), "block c"), hall);
  const auto after = loadings(hall.plant().power_tree, hall.snapshot().evaluation.power);
  double sum = 0.0;
  for (const char* block : {"a", "b", "d", "e", "f", "g", "h", "i"}) {
    const std::string ups = std::string("ups_") + block;
    INFO(ups);
    CHECK(after.at(ups) / before.at(ups) == Approx(9.0 / 8.0).epsilon(0.06));
    sum += after.at(ups) / before.at(ups) / 8.0;
  }
  // 2 of 9 racks, those on block c, are on one cord: 10.752 instead of 10.20 kW for their nodes.
  CHECK(sum == Approx(9.0 / 8.0 * (1.0 + 2.0 / 9.0 * (10.752 / 10.20 - 1.0))).epsilon(0.01));
  CHECK(after.at("ups_c") == 0.0);
}

TEST_CASE("of N+1 modules one is not missed, a second is endured, a third leaves the load to the bypass", "[modules]") {
  ScenarioRun run("halls/power_n_plus_1", {}, ScenarioRun::By::multirate);
  const std::size_t ups = *electrical::find_branch(run.plant.power_tree, "ups_a");
  const auto loading = [&] { return run.evaluation().power.branch_loading_fraction[ups]; };
  run.until(290.0);
  const double output_w = run.evaluation().power.branch_output_w[ups];
  CHECK(loading() == Approx(output_w / 16.5e6));
  run.until(600.0);
  CHECK(loading() == Approx(output_w / 15e6).epsilon(1e-3));
  CHECK(loading() < 1.0);
  run.until(1200.0);
  CHECK(loading() == Approx(output_w / 13.5e6).epsilon(1e-3));
  CHECK(loading() > 1.0);
  CHECK(loading() < 1.1);  // without limit
  CHECK(run.times_s("limit_exceeded", "ups_a").size() == 1);
  run.until(1510.0);
  CHECK(loading() == Approx(output_w / 12e6).epsilon(1e-3));
  const double trips_s = 1500.0 + 600.0 * std::pow(0.1, (loading() - 1.25) / 0.25);
  run.to_end();
  REQUIRE(run.times_s("tripped").size() == 1);
  CHECK(run.times_s("tripped", "ups_a").front() == Approx(trips_s).margin(5.0));
  CHECK(run.times_s("on_bypass", "ups_a") == run.times_s("tripped", "ups_a"));
  CHECK(run.use_w("node") == Approx(1280 * 10.2e3).epsilon(1e-3));
  CHECK(std::abs(run.energy_residual()) < 1e-9);
}

TEST_CASE("no one is without power when one of nine blocks is lost", "[blocks]") {
  ScenarioRun run("halls/power_distributed", {}, ScenarioRun::By::multirate);
  run.until(200.0);
  const double nodes_w = run.use_w("node");
  run.until(600.0);
  const double on_one_cord = 2.0 / 9.0 * (10.752 / 10.20 - 1.0);  // of nodes on the lost block
  CHECK(run.use_w("node") == Approx(nodes_w * (1.0 + on_one_cord)).epsilon(1e-3));
  CHECK(run.times_s("lost_power", "node").empty());
  CHECK(run.times_s("lost_power", "network_switch").empty());
  CHECK(run.times_s("limit_exceeded").empty());
  run.to_end();
  CHECK(run.times_s("tripped").empty());
  CHECK(std::abs(run.energy_residual()) < 1e-9);
}
