// Several chilled waters, against one and against balances by hand.
//
//   halves    two waters that are halves of one, each with half of its racks, pumps, machines and volume: everything of the one, to 1e-9
//   apart     doors at 20 degC and air handlers at 12 degC: each water takes the heat of its own users, and no other
//   passing   machines that let less through than users draw, r = given / drawn: return water mixes with theirs,
//             T_supply - T_set = (1 / r - 1) (T_return - T_supply), mass and heat at the supply header alone
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/actions/weather/condensation.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/weather/condensation_warnings.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/ratings/load_at_rating.hpp"
#include "twin/ratings/nameplate_hall.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double zero_c = 273.15;

DoorsSpec doors_on(const DoorsSpec& like, const std::string& name, const std::string& water) {
  DoorsSpec doors = like;
  doors.name = name;
  doors.on = water;
  doors.supply_k = DoorsSpec::at_water;
  return doors;
}

/// Racks in two groups alike, with doors of two sorts; no air handlers.
Scenario hall_of_doors() {
  Scenario scenario = tests::small_hall_scenario();
  scenario.network.is_given = false;
  CoolingSpec& cooling = scenario.cooling;
  cooling.crahs.front().is_given = false;
  scenario.power.rooms.is_given = false;
  RacksSpec racks = scenario.racks.front();
  racks.count /= 2;
  racks.rows = {1};
  scenario.racks.clear();
  for (const char* name : {"east", "west"}) {
    racks.name = name;
    racks.on.door = std::string(name) + "_doors";
    scenario.racks.push_back(racks);
  }
  ChilledWaterSpec& water = cooling.chilled_water.front();
  water.supply_k = zero_c + 18.0;
  water.pumps.duty = water.pumps.count = 2;
  water.pumps.pump.rated_flow_kg_per_s = 4.0;
  water.chillers.stage_up_fraction = 0.02;  // all run
  water.chillers.stage_down_fraction = 0.01;
  return scenario;
}

Scenario on_one_water() {
  Scenario scenario = hall_of_doors();
  CoolingSpec& cooling = scenario.cooling;
  const DoorsSpec doors = cooling.doors.front();
  cooling.doors = {doors_on(doors, "east_doors", ""), doors_on(doors, "west_doors", "")};
  return scenario;
}

Scenario on_two_halves() {
  Scenario scenario = hall_of_doors();
  CoolingSpec& cooling = scenario.cooling;
  const DoorsSpec doors = cooling.doors.front();
  cooling.doors = {doors_on(doors, "east_doors", "east_water"), doors_on(doors, "west_doors", "west_water")};
  ChilledWaterSpec half = cooling.chilled_water.front();
  half.volume_m3 /= 2.0;
  half.pumps.duty = half.pumps.count = 1;
  half.chillers.count /= 2;
  cooling.chilled_water.clear();
  for (const char* name : {"east_water", "west_water"}) {
    half.name = name;
    cooling.chilled_water.push_back(half);
  }
  return scenario;
}

/// Doors at 20 degC, all air handlers at 12 degC.
Scenario apart() {
  Scenario scenario = tests::small_hall_scenario();
  CoolingSpec& cooling = scenario.cooling;
  ChilledWaterSpec water = cooling.chilled_water.front();
  water.pumps.pump.rated_flow_kg_per_s = 8.0;
  cooling.chilled_water.clear();
  for (const auto& [name, supply_c] : {std::pair{"cold", 12.0}, std::pair{"mild", 20.0}}) {
    water.name = name;
    water.supply_k = zero_c + supply_c;
    cooling.chilled_water.push_back(water);
  }
  cooling.doors.front() = doors_on(cooling.doors.front(), "rear_doors", "mild");
  cooling.crahs.front().on = scenario.power.rooms.crahs.on = "cold";
  return scenario;
}

struct Run {
  explicit Run(const Scenario& from, const workload::Workload& work)
      : scenario(from), simulation(scenario, plant, work, run_method) {
    simulation.start();
  }
  Run& to(double end_s) {
    simulation.run(end_s, {});
    return *this;
  }
  double node_k(const std::string& name) const {
    return simulation.evaluation().signals[plant.nodes[tests::node_named(plant, name)].temperature_signal];
  }
  double used_j(const char* use) const {
    return simulation.state().states[plant.meters.energy[use_number(plant, use)]];
  }
  double feed_j() const { return simulation.state().states[plant.meters.feed]; }
  /// What leaves a junction by links of that ending less what comes, of all parts whose names begin so.
  double warmed_w(const std::string& begin, const std::string& out, const std::string& in) const {
    double heat_w = 0.0;
    for (const Link& link : plant.links) {
      if (!link.name.starts_with(begin)) continue;
      const double sign = link.name.ends_with(out) ? 1.0 : link.name.ends_with(in) ? -1.0 : 0.0;
      if (sign == 0.0) continue;
      const double kg_per_s = simulation.evaluation().signals[link.flow_signal];
      const double from_k = simulation.evaluation().signals[plant.nodes[link.from_node].temperature_signal];
      heat_w += sign * kg_per_s * link.specific_heat_j_per_kg_k * from_k;
    }
    return heat_w;
  }
  double chilled_w(int chiller) const {
    const std::string name = "chiller_" + std::to_string(chiller);
    return -warmed_w(name, ".chilled_supply", ".chilled_return");
  }
  std::size_t running(const std::string& group_name) const {
    const auto group = std::ranges::find(plant.motor_groups, group_name, &MotorGroup::name);
    return static_cast<std::size_t>(std::ranges::count_if(
        group->motors, [&](std::size_t motor) { return simulation.state().equipment.is_running[motor] != 0; }));
  }
  double flow_kg_per_s(std::size_t flow) const { return simulation.evaluation().signals[plant.map.flow(flow)]; }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  RunMethod run_method = by_multirate();
  tests::WorkRun simulation;
};

}  // namespace

TEST_CASE("two chilled waters that are halves of one are the one", "[chilled_waters]") {
  const tests::SquareWork work(40.0);
  Run one(on_one_water(), work), two(on_two_halves(), work);
  one.to(600.0);
  two.to(600.0);
  CHECK(two.running("east_water.chillers") == 1);
  CHECK(two.running("west_water.chillers") == 1);
  CHECK(one.running("chillers") == 2);
  for (const char* use : {"chiller", "chilled_water_pump", "facility_pump", "tower", "cdu_pump", "node"}) {
    CAPTURE(use);
    CHECK(two.used_j(use) == Approx(one.used_j(use)).epsilon(1e-9));
  }
  CHECK(two.feed_j() == Approx(one.feed_j()).epsilon(1e-9));
  for (const char* header : {".supply", ".return"}) {
    const double one_k = one.node_k(std::string("chilled_water") + header);
    CHECK(two.node_k(std::string("east_water") + header) == Approx(one_k).epsilon(1e-9));
    CHECK(two.node_k(std::string("west_water") + header) == Approx(one_k).epsilon(1e-9));
  }
  CHECK(two.node_k("room_1") == Approx(one.node_k("room_1")).epsilon(1e-9));
  CHECK(two.node_k("row_1.rack_1.door") == Approx(one.node_k("row_1.rack_1.door")).epsilon(1e-9));
}

TEST_CASE("doors and air handlers on two chilled waters give each the heat of its own", "[chilled_waters]") {
  const tests::ConstantWork work(700.0, 10200.0);
  Run run(apart(), work);
  const double doors_w = run.warmed_w("row_", ".door_return", ".door_supply") +
                         run.warmed_w("network_rack_", ".door_return", ".door_supply");
  const double handlers_w = run.warmed_w("crah_", ".return", ".supply");
  CHECK(doors_w > 50e3);
  CHECK(handlers_w > 20e3);
  const auto pumps_w = [&](const std::string& water) {  // hydraulic: what pumps give to the water
    const std::size_t supply = tests::node_named(run.plant, water + ".supply");
    double in_w = 0.0, out_w = 0.0;
    for (const Link& link : run.plant.links) {
      const double kg_per_s = run.simulation.evaluation().signals[link.flow_signal];
      const double from_k = run.simulation.evaluation().signals[run.plant.nodes[link.from_node].temperature_signal];
      if (link.to_node == supply) in_w += kg_per_s * link.specific_heat_j_per_kg_k * from_k;
      if (link.from_node == supply) out_w += kg_per_s * link.specific_heat_j_per_kg_k * from_k;
    }
    return out_w - in_w;
  };
  CHECK(run.chilled_w(1) + run.chilled_w(2) == Approx(handlers_w + pumps_w("cold")).epsilon(1e-4));
  CHECK(run.chilled_w(3) + run.chilled_w(4) == Approx(doors_w + pumps_w("mild")).epsilon(1e-4));
  run.to(900.0);
  CHECK(run.node_k("cold.supply") == Approx(zero_c + 12.0).margin(0.5));
  CHECK(run.node_k("mild.supply") == Approx(zero_c + 20.0).margin(0.5));
  CHECK(std::abs(energy_balance(run.plant, run.simulation.state(), run.simulation.initial_energy()).residual_ratio()) <
        1e-9);
}

TEST_CASE("each chilled water has its own staging, pumps and set-point", "[chilled_waters]") {
  const tests::ConstantWork work(700.0, 10200.0);
  Scenario scenario = apart();
  for (ChilledWaterSpec& water : scenario.cooling.chilled_water) water.chillers.stage_interval_s = 30.0;
  EventSpec fail;
  fail.kind = EventSpec::Kind::fail;
  fail.at_s = 30.0;
  fail.targets = {"mild.pump_a", "chiller_3"};
  scenario.events.push_back(fail);
  EventSpec set;
  set.kind = EventSpec::Kind::set;
  set.at_s = 30.0;
  set.targets = {"cold.supply_temperature"};
  set.to_si = zero_c + 13.0;
  scenario.events.push_back(set);
  Run run(scenario, work);
  run.to(1800.0);
  CHECK(run.node_k("cold.supply") == Approx(zero_c + 13.0).margin(0.5));
  CHECK(run.node_k("mild.supply") == Approx(zero_c + 20.0).margin(1.0));
  CHECK(run.running("mild.pumps") == 1);
  CHECK(run.running("mild.chillers") == 1);
  CHECK(run.simulation.state().equipment.is_running[tests::motor_named(run.plant, "chiller_4")] == 1);
}

TEST_CASE("a chilled water runs as many machines as its own heat asks for", "[chilled_waters][staging]") {
  const tests::ConstantWork work(700.0, 10200.0);
  const Run begin(apart(), work);
  const double cold_w = begin.chilled_w(1) + begin.chilled_w(2), mild_w = begin.chilled_w(3) + begin.chilled_w(4);
  REQUIRE(mild_w > 1.5 * cold_w);
  Scenario scenario = apart();
  for (ChilledWaterSpec& water : scenario.cooling.chilled_water) {
    ChillersSpec& chillers = water.chillers;
    chillers.stage_up_fraction = 0.5 * (cold_w + mild_w) / chillers.chiller.rated_heat_w;  // between what the two take
    chillers.stage_down_fraction = 0.9 * chillers.stage_up_fraction;
    chillers.warm_supply_k = 100.0;
    chillers.stage_interval_s = 30.0;
  }
  Run run(scenario, work);
  CHECK(run.running("cold.chillers") == 1);
  CHECK(run.running("mild.chillers") == 2);
  run.to(600.0);
  CHECK(run.running("cold.chillers") == 1);
  CHECK(run.running("mild.chillers") == 2);
}

TEST_CASE("of two waters in a room each drips by itself", "[chilled_waters][condensation]") {
  Scenario scenario = apart();
  scenario.cooling.rooms.front().humidity = {.is_given = true,
                                             .dew_point_k = zero_c + 11.0};  // above 13 degC nothing drips
  scenario.power.rooms.room.humidity = {.is_given = true, .dew_point_k = zero_c + 5.0};
  const Outdoors outdoors = make_outdoors(scenario);
  const auto drips = [&](const Scenario& hall) {
    const Plant plant = build_plant(hall);
    PlantState state = initial_state(plant);
    std::vector<EventRecord> events;
    note_condensation(plant, outdoors, state, events);
    note_condensation(plant, outdoors, state, events);  // each once
    std::vector<std::string> details;
    for (const EventRecord& event : events) details.push_back(event.target + ": " + event.detail.substr(0, 22));
    return details;
  };
  using Texts = std::vector<std::string>;
  CHECK(drips(scenario) == Texts{"room_1: water of cold at 12.00"});
  CHECK(condensation_warnings(scenario, outdoors).size() == 1);
  scenario.cooling.rooms.front().humidity.dew_point_k = zero_c + 19.0;
  CHECK(drips(scenario) == Texts{"room_1: water of mild at 20.00", "room_1: water of cold at 12.00"});
  const Texts reported = condensation_warnings(scenario, outdoors);
  REQUIRE(reported.size() == 2);
  CHECK(reported[0].starts_with("air handlers of the hall on cold may drip: water of 12.00 degC"));
  CHECK(reported[1].starts_with("rear doors on mild may drip: water of 20.00 degC"));
}

TEST_CASE("check takes a machine of each chilled water out, and reports what each carries",
          "[chilled_waters][ratings]") {
  Scenario scenario = on_two_halves();
  scenario.cooling.doors[0].on = scenario.cooling.chilled_water[0].name = "water_1";
  scenario.cooling.doors[1].on = scenario.cooling.chilled_water[1].name = "water_2";
  for (ChilledWaterSpec& water : scenario.cooling.chilled_water) water.chillers.count = water.pumps.count = 2;
  NameplateHall hall(scenario);
  std::vector<std::string> out;
  for (const Outage& outage : outages(hall.plant())) out.push_back(outage.text);
  for (const char* name : {"chiller_1", "chiller_3", "water_1.pump_a", "water_2.pump_a"}) {
    CAPTURE(name);
    CHECK(std::ranges::find(out, name) != out.end());
  }
  hall.settle(Outage{});
  const std::vector<LoadAtRating> loads = loads_at_rating(hall.scenario(), hall.snapshot());
  for (const char* kind : {"chiller of water_1", "chiller of water_2", "chiller pumps of water_1", "water_2 pumps"}) {
    CAPTURE(kind);
    CHECK(std::ranges::find(loads, kind, &LoadAtRating::kind) != loads.end());
  }
}

TEST_CASE("return water that flows past the machines that run mixes with theirs, until one more starts",
          "[chilled_waters][staging]") {
  const tests::ConstantWork work(250.0, 4000.0);  // little heat: one machine could carry it
  Scenario scenario = tests::small_hall_scenario();
  ChillersSpec& chillers = scenario.cooling.chilled_water.front().chillers;
  chillers.chilled_pump.rated_flow_kg_per_s = 8.0;  // of 16 kg/s that doors and air handlers draw
  chillers.chilled_pump.pressure_pa = 100.0;        // so that pumps do not warm the water
  scenario.cooling.chilled_water.front().pumps.pump.pressure_pa = 100.0;
  const double set_k = scenario.cooling.doors.front().supply_k;

  chillers.warm_supply_k = 100.0;  // heat alone counts
  Run warm(scenario, work);
  REQUIRE(warm.running("chillers") == 1);
  const SystemPart& water = system_named(warm.plant, "chilled_water");
  const double ratio = warm.flow_kg_per_s(water.load_flow) / warm.flow_kg_per_s(water.source_flow);
  const double users_k = warm.node_k("chilled_water.return") - warm.node_k("chilled_water.supply");
  const double above_k = warm.node_k("chilled_water.supply") - set_k;
  REQUIRE(ratio > 1.3);
  CHECK(above_k > 0.5);
  CHECK(above_k == Approx((ratio - 1.0) * users_k).epsilon(1e-3));

  chillers.warm_supply_k = 0.5;
  Run held(scenario, work);
  CHECK(held.running("chillers") == 2);
  CHECK(held.node_k("chilled_water.supply") - set_k < 0.3);
  held.to(3600.0);
  CHECK(held.running("chillers") == 2);
  CHECK(std::ranges::none_of(held.simulation.events(), [](const EventRecord& event) { return event.kind == "stop"; }));
}
