// Fans of active doors as a load: on the cords of their rack, warming the air behind the coil, still without power.
#include "physics/fluids/fluid.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <filesystem>

#include "electrical/one_line.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const tests::ConstantWork steady_work(500.0, 8000.0);

Scenario hall_with_active_doors() {
  Scenario scenario = tests::small_hall_scenario();
  scenario.cooling.doors.front().door.fan_power_w = 1000.0;  // at 1.2 kg/s: what eight nodes move; network racks 1.5
  return scenario;
}

double fans_w(const tests::WorkRun& simulation, const Plant& plant) {
  return simulation.evaluation().sinks[tests::meter_of_use(plant, "rear_door_fan")];
}

}  // namespace

TEST_CASE("fans of doors draw their power at the cords of their rack, and their heat stays in the hall", "[doors]") {
  const Scenario scenario = hall_with_active_doors();
  const Plant plant = build_plant(scenario);
  for (const RackPart& rack : plant.it.racks) {
    REQUIRE(rack.door_fans.load != no_part);
    CHECK(plant.power_tree.load_name[rack.door_fans.load] == rack.name + ".door_fans");
    CHECK(plant.power_tree.load_bus[rack.door_fans.load] == plant.power_tree.load_bus[rack.load]);
    CHECK(plant.load_use[rack.door_fans.load] == use_number(plant, "rear_door_fan"));
  }
  tests::WorkRun simulation(scenario, plant, steady_work, by_monolithic());
  simulation.start();
  CHECK(fans_w(simulation, plant) == Approx(10 * 1000.0));
  // At rest, all that is drawn leaves for the sky: the watts of the fans, too.
  const Evaluation& now = simulation.evaluation();
  double gone_w = now.sinks[plant.meters.outdoors];
  for (const std::size_t meter : plant.meters.boundaries) gone_w += now.sinks[meter];
  CHECK(gone_w == Approx(now.sinks[plant.meters.feed]).epsilon(1e-8));
  // Behind the doors of a row: exhaust air, less what its doors give to the water, and the watts of their fans.
  const PlantSnapshot m{plant, simulation.state(), now};
  const auto k = [&](const std::string& node) { return m.node_k(tests::node_named(plant, node)); };
  double capacity_w_per_k = 0.0, heat_w = 0.0;
  for (const RackPart& rack : plant.it.racks) {
    if (!rack.name.starts_with("row_1.")) continue;
    const Link& water = tests::link_named(plant, rack.name + ".door_return");
    const double air_w_per_k = m.input(rack.airflow_input) * physics::air_specific_heat_j_per_kg_k;
    const double water_w_per_k = now.signals[water.flow_signal] * water.specific_heat_j_per_kg_k;
    capacity_w_per_k += air_w_per_k;
    heat_w += air_w_per_k * k(rack.name + ".exhaust") + 1000.0 -
              water_w_per_k * (k(rack.name + ".door") - k("chilled_water.supply"));
  }
  CHECK(k("row_1.hot_aisle") == Approx(heat_w / capacity_w_per_k).margin(1e-4));
}

TEST_CASE("a passive door has no fans, no load and no input", "[doors]") {
  const Plant plant = build_plant(tests::small_hall_scenario());
  CHECK(plant.it.racks.front().door_fans.load == no_part);
  CHECK(std::ranges::find(plant.load_use, use_number(plant, "rear_door_fan")) == plant.load_use.end());
}

TEST_CASE("fans of doors stop where their rack has no power, and start when it is back", "[doors]") {
  Scenario scenario = hall_with_active_doors();
  scenario.duration_s = 60.0;
  scenario.events = {
      tests::event(10.0, EventSpec::Kind::open, {"pdu_1"}, 20.0)};  // feeds a rack and a network rack of the ten
  const Plant plant = build_plant(scenario);
  const bool is_multirate = GENERATE(false, true);
  tests::WorkRun simulation(scenario, plant, steady_work, is_multirate ? by_multirate() : by_monolithic());
  simulation.start();
  simulation.run(15.0, {});
  CHECK(fans_w(simulation, plant) == Approx(8 * 1000.0));
  const auto is_of_fans = [](const EventRecord& event) { return event.target == "rear_door_fan"; };
  CHECK(std::ranges::count_if(simulation.events(), is_of_fans) == 1);
  simulation.run(60.0, {});
  CHECK(fans_w(simulation, plant) == Approx(10 * 1000.0));
  CHECK(simulation.state().states[tests::meter_of_use(plant, "rear_door_fan")] ==
        Approx(10e3 * 60.0 - 2e3 * 20.0).epsilon(1e-6));
  const EnergyBalance balance = energy_balance(plant, simulation.state(), simulation.initial_energy());
  CHECK(std::abs(balance.residual_ratio()) < 1e-6);
}

TEST_CASE("fans of a door follow the cords of their rack", "[doors]") {
  const auto file = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "h100_10k.yaml";
  const Plant plant =
      build_plant(read_scenario(file, {"power.cords=[{racks: \"row_1.rack_*\", pdus: [pdu_a_7, pdu_b_7]}]"}));
  const RackPart& rack = plant.it.racks.at(3);
  CHECK(plant.power_tree.bus_name[plant.power_tree.load_bus[rack.load][0]] == "pdu_a_7.output");
  CHECK(plant.power_tree.load_bus[rack.door_fans.load] == plant.power_tree.load_bus[rack.load]);
  const RackPart& other = plant.it.racks.at(40);
  CHECK(plant.power_tree.load_bus[other.door_fans.load] == plant.power_tree.load_bus[other.load]);
}
