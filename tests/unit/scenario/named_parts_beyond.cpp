// Which part is named where several are beyond limits of their own, and where an event clogs what cannot clog.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "physics/units/node_rack.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/actions/power/part_limits.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/plant/state/limited_quantities.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

Scenario scenario_of(const std::string& name) {
  return read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "halls" / (name + ".yaml"));
}

std::vector<Problem> mistakes_of(Scenario scenario, const std::string& clogged) {
  EventSpec spec = tests::event(0.0, EventSpec::Kind::set, {clogged + ".passage"});
  spec.to_si = 0.5;
  scenario.events = {spec};
  Problems problems;
  schedule_events(scenario, build_plant(scenario), problems);
  return problems.all();
}

void check(const std::vector<Problem>& problems, const std::string& message, const std::string& hint) {
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().message == message);
  CHECK(problems.front().hint == hint);
}

}  // namespace

TEST_CASE("of racks beyond limits of their own that which is farthest beyond is named", "[limits][words]") {
  Scenario scenario = scenario_of("mixed");
  scenario.racks[0].hardware.inlet_air.highest_allowed_k = 310.0;
  scenario.racks[1].hardware.inlet_air.highest_allowed_k = 300.0;
  const Plant plant = build_plant(scenario);
  PlantState state = initial_state(plant);
  state.limits.parts.resize(part_count(limited_quantities(plant)));
  PartBeyond* parts = state.limits.parts.data();
  for (const LimitedQuantity& quantity : limited_quantities(plant)) {
    if (quantity.name == "inlet_air_temperature" && quantity.side == Side::above) break;
    parts += quantity.count();
  }
  const std::size_t hot = 3, cool = plant.it.groups[1].first_rack + 2;
  for (const auto& [rack, inlet_k] : {std::pair{hot, 311.0}, {cool, 305.0}}) {
    parts[rack].since_s = parts[rack].first_s = 1.0;
    parts[rack].begin_value = parts[rack].worst_since = parts[rack].worst = inlet_k;
  }
  std::vector<EventRecord> events;
  PartLimits(plant).report(state, events);
  REQUIRE(events.size() == 1);
  CHECK(events.front().target == plant.it.racks[cool].name);
  CHECK(events.front().detail.find("inlet_air_temperature 31.85 degC") == 0);
}

TEST_CASE("a rack that air cools is answered with what of it clogs, and no other rack is proposed",
          "[clogged_racks][words]") {
  const Scenario air = scenario_of("dgx_h100_air"), mixed = scenario_of("mixed");
  check(mistakes_of(air, "row_3.rack_2"), "row_3.rack_2 has no coolant passage that could clog",
        "write a part that contains a liquid: parts that are cooled only by air cannot clog");
  check(mistakes_of(air, "row_3.rack_2.door"), "row_3.rack_2 has no rear door",
        "write a part that contains a liquid: parts that are cooled only by air cannot clog");
  check(mistakes_of(mixed, "row_3.rack_2"), "row_3.rack_2 has no coolant passage that could clog",
        "to clog its door, write row_3.rack_2.door");
  CHECK(mistakes_of(mixed, "row_3.rack_2.door").empty());
  check(mistakes_of(mixed, "row_1.rack_22.door"), "this hall has no 'row_1.rack_22.door' with a passage",
        "did you mean 'row_1.rack_2.door'?");
}
