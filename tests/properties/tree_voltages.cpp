// Voltages in runs: both integrators agree through a lost transformer and its return, energy closes, dead buses have no voltage, and a run without
// voltages has nothing of them.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/actions/power/voltages.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;

namespace {

const std::vector<std::string> with_voltages{"power.flow=radial", "duration=20 min",
                                             "events=[{ at: 5 min, fail: [transformer_a, tie], for: 5 min }]"};

std::size_t bus_named(const Plant& plant, const std::string& name) {
  const auto& names = plant.power_tree.bus_name;
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

double ratio(const ScenarioRun& run, const std::string& bus) {
  return std::abs(run.state().voltages.bus[bus_named(run.plant, bus)]);
}

}  // namespace

TEST_CASE("both integrators have the same events and energies with voltages", "[tree_voltages][properties]") {
  ScenarioRun one("one_line/main_tie_main", with_voltages, ScenarioRun::By::multirate);
  ScenarioRun other("one_line/main_tie_main", with_voltages, ScenarioRun::By::monolithic);
  for (const double time_s : {299.0, 400.0, 1200.0}) {
    one.until(time_s);
    other.until(time_s);
    for (std::size_t bus = 0; bus < one.state().voltages.bus.size(); ++bus) {
      INFO(one.plant.power_tree.bus_name[bus] << " at " << time_s);
      // voltages are those of the loads one instant before, which swing between samples
      CHECK(std::abs(one.state().voltages.bus[bus] - other.state().voltages.bus[bus]) < 2e-3);
    }
  }
  REQUIRE(one.events().size() == other.events().size());
  for (std::size_t k = 0; k < one.events().size(); ++k) {
    CHECK(one.events()[k].kind == other.events()[k].kind);
    CHECK(one.events()[k].target == other.events()[k].target);
    CHECK(one.events()[k].time_s == Approx(other.events()[k].time_s).margin(1.0));
  }
  CHECK(one.energy_residual() < 1e-9);
  CHECK(other.energy_residual() < 1e-9);
  const std::size_t feed = one.plant.meters.feed, loss = one.plant.meters.electrical_loss;
  CHECK(one.state().states[feed] == Approx(other.state().states[feed]).epsilon(1e-5));
  CHECK(one.state().states[loss] == Approx(other.state().states[loss]).epsilon(1e-4));
}

TEST_CASE("both integrators have the same events and energies while a ring and a tie between feeds are closed",
          "[tree_voltages][properties]") {
  const auto [hall, events] = GENERATE(
      table<const char*, const char*>({{"one_line/ring", "events=[{ at: 2 min, close: cable_2, for: 3 min }]"},
                                       {"one_line/main_tie_main", "events=[{ at: 2 min, close: tie, for: 3 min }]"}}));
  std::vector<std::string> overrides{"power.flow=auto", "duration=8 min", events};
  if (hall == std::string("one_line/main_tie_main")) overrides.emplace_back("power.one_line.interlocks=null");
  ScenarioRun one(hall, overrides, ScenarioRun::By::multirate), other(hall, overrides, ScenarioRun::By::monolithic);
  one.until(200.0);
  const auto& factors = one.state().switches.branch_factors;
  CHECK(std::ranges::count_if(factors, [](const auto& each) { return each.link_ratio != 0.0; }) == 1);
  one.to_end();
  other.to_end();
  REQUIRE(one.events().size() == other.events().size());
  for (std::size_t k = 0; k < one.events().size(); ++k) CHECK(one.events()[k].kind == other.events()[k].kind);
  const bool joins_feeds = hall == std::string("one_line/main_tie_main");
  CHECK(one.times_s("feeds_in_parallel", "tie") == (joins_feeds ? std::vector<double>{120.0} : std::vector<double>{}));
  CHECK(one.energy_residual() < 1e-9);
  CHECK(other.energy_residual() < 1e-9);
  const std::size_t feed = one.plant.meters.feed, loss = one.plant.meters.electrical_loss;
  CHECK(one.state().states[feed] == Approx(other.state().states[feed]).epsilon(1e-5));
  CHECK(one.state().states[loss] == Approx(other.state().states[loss]).epsilon(1e-4));
}

TEST_CASE("a run with a closed ring goes on from a checkpoint, and from a fork, with the same bits",
          "[tree_voltages]") {
  const std::vector<std::string> overrides{"power.flow=auto", "duration=30 min",
                                           "events=[{ at: 5 min, close: cable_2, for: 10 min }]"};
  const auto scenario = [&] {
    return read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/one_line/ring.yaml", overrides);
  };
  HallRun whole(scenario(), by_multirate()), first(scenario(), by_multirate()), second(scenario(), by_multirate());
  for (HallRun* run : {&whole, &first}) run->begin();
  whole.advance_to(1500.0);
  first.advance_to(600.0);
  second.resume(first.checkpoint(false), "a checkpoint");
  second.advance_to(1500.0);
  CHECK(second.state().states == whole.state().states);
  CHECK(second.state().switches == whole.state().switches);
  const std::optional<HallFork> fork = whole.fork_at(1560.0);
  REQUIRE(fork);
  whole.advance_to(1700.0);
  const std::vector<double> states = whole.state().states;
  whole.resume(*fork, scenario());
  whole.advance_to(1700.0);
  CHECK(whole.state().states == states);
}

TEST_CASE("voltages of a run are those that its loads have, and a dead bus has none", "[tree_voltages]") {
  ScenarioRun run("one_line/main_tie_main", with_voltages);
  run.until(299.0);
  CHECK(ratio(run, "feed_a") == 1.0);
  CHECK(ratio(run, "lv_a") < 0.997);
  CHECK(ratio(run, "lv_a") > 0.97);
  CHECK(ratio(run, "ups_a.output") == 1.0);
  PlantState settled = run.state();  // from nominal voltages instead of from the last instant
  VoltageScratch scratch;
  std::vector<EventRecord> events;
  follow_voltages(run.plant, run.evaluation(), true, scratch, settled, events);
  for (std::size_t bus = 0; bus < settled.voltages.bus.size(); ++bus)
    CHECK(std::abs(settled.voltages.bus[bus] - run.state().voltages.bus[bus]) < 1e-4);
  run.until(310.0);
  CHECK(ratio(run, "lv_a") == 0.0);
  CHECK(run.charge("ups_a") < 1.0);
  for (const electrical::Complex& voltage : run.state().voltages.bus) CHECK(std::isfinite(std::abs(voltage)));
}

TEST_CASE("losses with voltages are more than those at unity power factor", "[tree_voltages]") {
  ScenarioRun with("one_line/ring", {"power.flow=radial", "duration=10 min", "events=[]"});
  ScenarioRun without("one_line/ring", {"duration=10 min", "events=[]"});
  with.to_end();
  without.to_end();
  CHECK(without.state().switches.branch_factors.empty());
  CHECK(without.state().voltages.bus.empty());
  const auto lost_w = [](const ScenarioRun& run, const char* branch) {
    return run.evaluation().power.branch_loss_w[*electrical::find_branch(run.plant.power_tree, branch)];
  };
  // cable_1 carries all of side a at a power factor below 1
  CHECK(lost_w(with, "cable_1") > 1.01 * lost_w(without, "cable_1"));
  CHECK(lost_w(with, "cable_1") < 1.2 * lost_w(without, "cable_1"));
}
