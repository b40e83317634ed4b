// Numbers in the words of events, counted by hand: how many of how many loads lost power or moved, sets that carry, parts that were beyond a limit,
// and for how long. No two numbers are equal.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/work_run.hpp"
#include "twin/actions/power/part_limits.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Kind = EventSpec::Kind;

namespace {

/// The hall of two sides, each with two generators, whose motors are on one side or the other by turns.
struct TwoSides {
  explicit TwoSides(std::vector<EventSpec> events, double until_s) : scenario(with(std::move(events))) {
    simulation.start();
    simulation.run(until_s);
  }
  static Scenario with(std::vector<EventSpec> events) {
    Scenario scenario = tests::two_sided_scenario();
    scenario.events = std::move(events);
    return scenario;
  }
  /// Of the only event of that kind, target and time.
  std::string detail(double time_s, const std::string& kind, const std::string& target) const {
    for (const EventRecord& event : simulation.events())
      if (event.time_s == time_s && event.kind == kind && event.target == target) return event.detail;
    return "no such event";
  }
  /// Loads of a use, and those of them that have no power.
  std::pair<std::size_t, std::size_t> all_and_dark(const std::string& use) const {
    std::size_t all = 0, dark = 0;
    for (std::size_t load = 0; load < plant.load_use.size(); ++load) {
      if (plant.uses[plant.load_use[load]].name != use) continue;
      const auto [first, second] = simulation.state().switches.cord_share[load];
      ++all;
      dark += first + second == 0.0 ? 1 : 0;
    }
    return {all, dark};
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  RunMethod run_method = by_monolithic();
  tests::ConstantWork work{560.0, 6900.0};
  tests::WorkRun simulation{scenario, plant, work, run_method};
};

/// Memory of the parts of one quantity of a plant, in a state in which nothing else is beyond a limit.
struct BeyondLimits {
  explicit BeyondLimits(const std::string& name) {
    std::size_t before = 0;
    state.limits.parts.resize(part_count(quantities));
    for (const LimitedQuantity& quantity : quantities) {
      if (quantity.name == name) {
        of = &quantity;
        break;
      }
      before += quantity.count();
    }
    REQUIRE(of != nullptr);
    parts = std::span(state.limits.parts).subspan(before, of->count());
  }
  std::vector<EventRecord> report(double now_s) {
    std::vector<EventRecord> events;
    state.time_s = now_s;
    PartLimits(plant).report(state, events);
    return events;
  }

  Scenario scenario = tests::small_hall_scenario();
  Plant plant = build_plant(scenario);
  PlantState state = initial_state(plant);
  std::vector<LimitedQuantity> quantities = limited_quantities(plant);
  const LimitedQuantity* of = nullptr;
  std::span<PartBeyond> parts{};
};

}  // namespace

TEST_CASE("words on switching count the loads that changed of all of their use", "[switching][event_words]") {
  const TwoSides dark({tests::event(20.0, Kind::open, {"utility_a", "utility_b"})}, 20.0);
  const auto [chillers, dark_chillers] = dark.all_and_dark("chiller");
  CHECK(chillers == 3);
  CHECK_THAT(dark.detail(20.0, "lost_power", "chiller"),
             StartsWith(fmt::format("{} of {}: ", dark_chillers, chillers)));
  // One side: motors that were on it move, those of the other side stay; racks draw all from the other.
  const TwoSides half({tests::event(20.0, Kind::fail, {"ups_a"})}, 20.0);
  const auto [pumps, dark_pumps] = half.all_and_dark("cdu_pump");
  const std::string moved = half.detail(20.0, "transfer", "cdu_pump");
  CHECK(dark_pumps == 0);
  REQUIRE(pumps == 2);
  CHECK_THAT(moved, StartsWith("to the second bus, 1 of 2: "));
  CHECK_THAT(half.detail(20.0, "transfer", "node"), StartsWith("to the second bus, 10 of 10: "));
}

TEST_CASE("sets that carry are all that are live, not those that have just joined", "[switching][event_words]") {
  const TwoSides run({tests::event(20.0, Kind::open, {"utility_*"}), tests::event(40.0, Kind::fail, {"generator_a_1"}),
                      tests::event(50.0, Kind::restore, {"generator_a_1"})},
                     61.0);
  CHECK(run.detail(30.0, "generator_on_load", "generator_a_*") == "2 of 2 sets carry");
  CHECK(run.detail(40.0, "generator_off_load", "generator_a_1") == "1 of 2 sets go on to carry");
  CHECK(run.detail(60.0, "generator_on_load", "generator_a_*") == "2 of 2 sets carry");
}

TEST_CASE("parts that go beyond a limit together are one event, of the worst and how many more",
          "[limits][event_words]") {
  BeyondLimits racks("inlet_air_temperature");
  const double limit_k = racks.of->limit[0];
  REQUIRE(racks.of->count() == 8);
  for (const auto& [rack, since_s, above_k] : {std::tuple(1, 31.0, 2.0), {4, 32.0, 5.0}, {6, 33.0, 3.0}}) {
    racks.parts[rack].since_s = racks.parts[rack].first_s = since_s;
    racks.parts[rack].begin_value = racks.parts[rack].worst_since = limit_k + above_k;
  }
  const std::vector<EventRecord> events = racks.report(40.0);
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == "limit_exceeded");
  CHECK(events[0].time_s == 31.0);
  CHECK(events[0].target == racks.of->parts->names()[4]);
  CHECK_THAT(events[0].detail, StartsWith(fmt::format("inlet_air_temperature {:.4g} degC", limit_k + 5.0 - 273.15)) &&
                                   Contains("; and 2 more of 8 racks"));
  CHECK(racks.report(41.0).empty());  // reported once
}

TEST_CASE("parts that come back from beyond a limit are one event, of that which was beyond for longest",
          "[limits][event_words]") {
  BeyondLimits racks("inlet_air_temperature");
  const double limit_k = racks.of->limit[0];
  // Beyond for 60, 180 and 90 s, by 1, 2 and 4 K.
  for (const auto& [rack, since_s, until_s, above_k] :
       {std::tuple(0, 100.0, 160.0, 1.0), {3, 20.0, 200.0, 2.0}, {5, 60.0, 150.0, 4.0}}) {
    PartBeyond& part = racks.parts[rack];
    part.since_s = part.first_s = since_s;
    part.below_since_s = until_s;
    part.worst_since = limit_k + above_k;
    part.is_reported = true;
  }
  const std::vector<EventRecord> events = racks.report(300.0);
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == "limit_cleared");
  CHECK(events[0].target == racks.of->parts->names()[3]);
  CHECK(events[0].detail ==
        fmt::format("inlet_air_temperature after 3 min; at worst {:.4g} degC; and 2 more of 8 racks",
                    limit_k + 2.0 - 273.15));
}

TEST_CASE("the end of an acceptance test counts GPUs, racks and nodes each by their own", "[burn_in][event_words]") {
  tests::ScenarioRun run("one_rack",
                         {"workload={kind: burn_in, matrix_time: 1 min, sweep_time: 20 s, slow_links: "
                          "{row_1.rack_1.node_7: 40 %, row_1.rack_1.node_2: 50 %}}",
                          "duration=4 min", "events=[{at: 0 s, slow: row_1.rack_1.node_3.gpu_5, to: 80 %}]"},
                         tests::ScenarioRun::By::multirate);
  run.to_end();
  const auto over = std::ranges::find(run.events(), "burn_in_done", &EventRecord::kind);
  REQUIRE(over != run.events().end());
  CHECK_THAT(over->detail, StartsWith("1 GPU, 0 racks and 2 nodes beyond "));
}
