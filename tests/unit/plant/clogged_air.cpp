// Coils of rear doors and filters of air handlers that clog: water and air against what their shares leave by hand, heat against the coil's
// own relation at that flow, fans that turn up for a clogged filter, the energy balance, and what events may name.
//
//   a door at the same pressure carries s of a clean one's water     m_s = s m
//   a filter at the same speed lets f of the air through              m_a = f n m_a0,  P = P_0 n^k
#include <cmath>
#include <memory>
#include <vector>

#include "physics/air/crah_unit.hpp"
#include "physics/air/rear_door.hpp"
#include "physics/fluids/fluid.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using wattloop::tests::event;

namespace {

const tests::ConstantWork steady_work(500.0, 8000.0);

EventSpec clog(double at_s, const std::string& part, double to) {
  EventSpec spec = event(at_s, EventSpec::Kind::set, {part + ".passage"});
  spec.to_si = to;
  return spec;
}

struct Run {
  Scenario scenario;
  Plant plant;
  RunMethod run_method;
  tests::WorkRun simulation;

  explicit Run(std::vector<EventSpec> events, bool is_multirate = false, const char* pumps = "pressures")
      : scenario(with(std::move(events), pumps)),
        plant(build_plant(scenario)),
        run_method(is_multirate ? by_multirate() : by_monolithic()),
        simulation(scenario, plant, steady_work, run_method) {
    simulation.start();
  }
  static Scenario with(std::vector<EventSpec> events, const char* pumps) {
    Scenario scenario = tests::small_hall_scenario();
    scenario.cooling.chilled_water.front().pumps.flow = pumps;
    scenario.cooling.crahs.front().count = 6;  // so that fans have something to turn up
    scenario.duration_s = 7200.0;
    scenario.events = std::move(events);
    return scenario;
  }
  double flow(const std::string& link) const {
    return simulation.evaluation().signals[tests::link_named(plant, link).flow_signal];
  }
  double node_k(const std::string& name) const {
    return simulation.state().states[plant.nodes[tests::node_named(plant, name)].temperature_signal];
  }
  double reported(const std::string& group, const std::string& part, const std::string& column) const {
    return PlantSnapshot{plant, simulation.state(), simulation.evaluation()}.reported(group, part, column);
  }
  double residual() const {
    return energy_balance(plant, simulation.state(), simulation.initial_energy()).residual_ratio();
  }
};

std::size_t mistakes_of(const EventSpec& spec) {
  Scenario scenario = tests::small_hall_scenario();
  scenario.events = {spec};
  Problems problems;
  schedule_events(scenario, build_plant(scenario), problems);
  return problems.size();
}

}  // namespace

TEST_CASE("a clogged door gets its share of the water that the others get", "[clogged_air]") {
  for (const char* pumps : {"pressures", "balanced"}) {
    INFO(pumps);
    Run run({clog(60.0, "row_1.rack_2.door", 0.5), clog(60.0, "network_rack_2.door.water", 0.25)}, true, pumps);
    run.simulation.run(1800.0, {});
    const double clean = run.flow("row_1.rack_1.door_supply");
    CHECK(clean > 0.5);
    CHECK(run.flow("row_1.rack_2.door_supply") == Approx(0.5 * clean).epsilon(1e-6));
    CHECK(run.flow("network_rack_2.door_supply") == Approx(0.25 * clean).epsilon(1e-6));
    CHECK(run.flow("network_rack_1.door_supply") == Approx(clean).epsilon(1e-12));
    const physics::RearDoorParams& door = run.scenario.cooling.doors.front().door;
    const double air = run.flow("row_1.rack_2.intake");
    const double heat_w = physics::rear_door_heat_w(
        door, {run.node_k("row_1.rack_2.exhaust"), air, physics::air_specific_heat_j_per_kg_k},
        {run.node_k("chilled_water.supply"), 0.5 * clean, 4184.0});
    const double taken_w = run.flow("row_1.rack_2.door_supply") * 4184.0 *
                           (run.node_k("row_1.rack_2.door") - run.node_k("chilled_water.supply"));
    CHECK(taken_w == Approx(heat_w).epsilon(2e-3));  // in steady state, and 4184 is of water
    CHECK(run.node_k("row_1.rack_2.door") > run.node_k("row_1.rack_1.door") + 1.0);
    CHECK(std::abs(run.residual()) < 1e-9);
  }
}

TEST_CASE("the flow of all doors is set for a clogged one, too, and `restore` cleans it", "[clogged_air]") {
  EventSpec set = event(600.0, EventSpec::Kind::set, {"rear_doors.flow"});
  set.to_si = 0.45;
  Run run({clog(60.0, "row_2.rack_*.door", 0.5), set, event(1200.0, EventSpec::Kind::restore, {"row_2.rack_1.door"})});
  run.simulation.run(1000.0, {});
  CHECK(run.flow("row_2.rack_1.door_supply") == Approx(0.5 * run.flow("row_1.rack_1.door_supply")).epsilon(1e-6));
  run.simulation.run(1300.0, {});
  CHECK(run.flow("row_2.rack_1.door_supply") == Approx(run.flow("row_1.rack_1.door_supply")).epsilon(1e-6));
  CHECK(run.flow("row_2.rack_2.door_supply") == Approx(0.5 * run.flow("row_1.rack_1.door_supply")).epsilon(1e-6));
}

TEST_CASE("a hall of which no door clogs is built as ever, and a shut door takes nothing", "[clogged_air]") {
  const Run none({}), shut({clog(60.0, "row_1.rack_1.door", 0.0)});
  CHECK(none.plant.map.flow_count + 1 == shut.plant.map.flow_count);
  CHECK(clogged_racks(none.scenario).empty());
  CHECK(clogged_racks(shut.scenario) == std::vector<std::string>{"row_1.rack_1.door"});
  Run run({clog(60.0, "row_1.rack_1.door", 0.0)}, true);
  run.simulation.run(1200.0, {});
  CHECK(run.flow("row_1.rack_1.door_supply") == 0.0);
  CHECK(run.node_k("row_1.rack_1.exhaust") > 290.0);
  CHECK(std::abs(run.residual()) < 1e-9);
}

TEST_CASE("a clogged filter lets its share of the air through at the same speed, and the fan turns up",
          "[clogged_air]") {
  for (const bool is_multirate : {false, true}) {
    INFO(is_multirate);
    Run run({clog(600.0, "crah_1.filter", 0.6)}, is_multirate);
    const physics::CrahParams& crah = run.scenario.cooling.crahs.front().crah;
    run.simulation.run(599.0, {});
    const double before = run.reported("crahs", "crah_1", "fan_speed"),
                 before_w = run.reported("crahs", "crah_1", "power");
    CHECK(run.flow("crah_1.air") == Approx(before * crah.air_design_flow_kg_per_s).epsilon(1e-9));
    run.simulation.run(600.5, {});
    for (const double until_s : {600.5, 5400.0}) {
      run.simulation.run(until_s, {});
      const double fan = run.reported("crahs", "crah_1", "fan_speed");
      CHECK(run.flow("crah_1.air") == Approx(0.6 * fan * crah.air_design_flow_kg_per_s).epsilon(1e-9));
      CHECK(run.reported("crahs", "crah_1", "power") == Approx(crah.fan_power_w * std::pow(fan, 3.0)).epsilon(1e-9));
      const physics::CrahNow by_hand =
          physics::crah_now(crah, {run.node_k("room_1"), 0.0, physics::air_specific_heat_j_per_kg_k},
                            {run.node_k("chilled_water.supply"), run.flow("crah_1.supply"), 4184.0},
                            0.6 * fan);  // as much air of a slower fan
      if (until_s > 1000.0) CHECK(run.reported("crahs", "crah_1", "heat") == Approx(by_hand.heat_w).epsilon(5e-3));
    }
    if (before > 0.31 && before < 0.8) CHECK(run.reported("crahs", "crah_1", "power") > 1.05 * before_w);
    CHECK(run.reported("crahs", "crah_2", "airflow") > run.reported("crahs", "crah_1", "airflow"));
    CHECK(std::abs(run.residual()) < 1e-9);
  }
}

TEST_CASE("what of doors and air handlers clogs is known by name", "[clogged_air]") {
  CHECK(mistakes_of(clog(60.0, "row_1.rack_1.door", 0.5)) == 0);
  CHECK(mistakes_of(clog(60.0, "crah_*.filter", 0.5)) == 0);
  CHECK(mistakes_of(clog(60.0, "crah_1.filter", 0.01)) == 0);
  CHECK(mistakes_of(clog(60.0, "crah_1.filter", 0.0)) == 1);
  CHECK(mistakes_of(clog(60.0, "crah_1", 0.5)) == 0);  // its coil, and not its filter
  CHECK(mistakes_of(clog(60.0, "row_1.rack_99.door", 0.5)) == 1);
  CHECK(mistakes_of(clog(60.0, "tower_1.filter", 0.5)) == 1);
  Run run({clog(60.0, "crah_1", 0.5)});
  run.simulation.run(120.0, {});
  const double fan = run.reported("crahs", "crah_1", "fan_speed");
  CHECK(run.flow("crah_1.air") == Approx(fan * run.scenario.cooling.crahs.front().crah.air_design_flow_kg_per_s));
  // Its valve, at an authority of 0.5 as much as the coil where open, takes 1 / f^2 of that; the coil now takes four times what it did.
  const double position = run.reported("crahs", "crah_1", "valve_position"), log_range = std::log(50.0);
  REQUIRE(position < 1.0 / log_range);  // on the tangent of the curve
  const double opening = position * log_range * std::exp(1.0 - log_range), valve = 1.0 / (opening * opening);
  CHECK(run.flow("crah_1.supply") ==
        Approx(run.flow("crah_2.supply") * std::sqrt((valve + 1.0) / (valve + 4.0))).epsilon(1e-6));
}
