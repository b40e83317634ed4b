// Several rooms of air in one hall. Two that are halves of one report the numbers of one: with half of its air, mass, racks, air handlers and
// PDUs each has half of every flow and watt in its balance,
//
//   C/2 dT/dt = Q/2 - K/2 (T - T_m),  C_m/2 dT_m/dt = K/2 (T - T_m),  rows draw and get the same air at the same temperatures,
//
// and on the same waters the two halves never differ: T is that of the whole room. What is left is round-off in steady state, and what the integrator
// allows itself between instants. A room that loses its air handlers is held against the other, which shares nothing with it but water and power.
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "workload/constant_load.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using wattloop::tests::event;

namespace {

const tests::SquareWork lively_work(600.0);
const tests::ConstantWork steady_work(500.0, 8000.0);

/// Eight racks in two rows, four air handlers; without switches.
Scenario one_room() {
  Scenario scenario = tests::small_hall_scenario();
  scenario.network.is_given = false;
  scenario.workload.params = workload::ConstantParams{};
  scenario.racks.front().gpu_spread = UnitSpread::none();
  scenario.cooling.crahs.front().count = 4;
  scenario.duration_s = 3600.0;
  return scenario;
}

/// The same with a wall between its rows: half of everything on either side, on the same loops.
Scenario two_rooms() {
  Scenario scenario = one_room();
  RacksSpec racks = scenario.racks.front();
  RoomSpec room = scenario.cooling.rooms.front();
  CrahsSpec crahs = scenario.cooling.crahs.front();
  racks.count /= 2;
  racks.rows = {1};
  room.volume_m3 /= 2.0;
  room.mass_heat_capacity_j_per_k /= 2.0;
  crahs.count /= 2;
  scenario.racks.clear();
  scenario.cooling.rooms.clear();
  scenario.cooling.crahs.clear();
  for (const char* name : {"east", "west"}) {
    racks.name = std::string("racks_of_") + name;
    room.name = crahs.name = racks.on.room = name;
    scenario.racks.push_back(racks);
    scenario.cooling.rooms.push_back(room);
    scenario.cooling.crahs.push_back(crahs);
  }
  return scenario;
}

struct Run {
  Scenario scenario;
  Plant plant;
  RunMethod run_method;
  tests::WorkRun simulation;

  Run(Scenario of, const workload::Workload& work, bool is_multirate = false)
      : scenario(std::move(of)),
        plant(build_plant(scenario)),
        run_method(is_multirate ? by_multirate() : by_monolithic()),
        simulation(scenario, plant, work, run_method) {
    simulation.start();
  }
  double node_k(const std::string& name) const {
    return simulation.state().states[plant.nodes[tests::node_named(plant, name)].temperature_signal];
  }
  double flow(const std::string& link) const {
    return simulation.evaluation().signals[tests::link_named(plant, link).flow_signal];
  }
  double residual() const {
    return energy_balance(plant, simulation.state(), simulation.initial_energy()).residual_ratio();
  }
};

/// By how much the halves and the whole differ in any aisle, room, door, loop or water.
double largest_difference_k(const Run& one, const Run& two) {
  double largest_k = 0.0;
  const auto compare = [&](const std::string& of_one, const std::string& of_two) {
    largest_k = std::max(largest_k, std::abs(one.node_k(of_one) - two.node_k(of_two)));
  };
  for (const char* room : {"east", "west"}) {
    compare("room_1", room);
    for (const char* part : {".mass", ".plenum"}) compare(std::string("room_1") + part, room + std::string(part));
  }
  for (const int row : {1, 2}) {
    for (const char* aisle : {"cold_aisle", "hot_aisle"}) {
      const std::string name = fmt::format("row_{}.{}", row, aisle);
      compare(name, name);
    }
    for (int rack = 1; rack <= 4; ++rack) {
      for (const char* what : {"exhaust", "door", "return"}) {
        const std::string name = fmt::format("row_{}.rack_{}.{}", row, rack, what);
        compare(name, name);
      }
    }
  }
  for (const char* water : {"chilled_water.supply", "chilled_water.return", "facility.supply", "loop_1.supply",
                            "loop_2.return", "electrical_room_a"})
    compare(water, water);
  return largest_k;
}

}  // namespace

TEST_CASE("two rooms that are halves of one are at its temperatures, and draw its power", "[rooms]") {
  const Run one(one_room(), steady_work), two(two_rooms(), steady_work);
  CHECK(two.plant.rooms.size() == one.plant.rooms.size() + 1);
  CHECK(largest_difference_k(one, two) < 1e-6);
  const double feed_w = one.simulation.evaluation().sinks[one.plant.meters.feed];
  CHECK(two.simulation.evaluation().sinks[two.plant.meters.feed] == Approx(feed_w).epsilon(1e-9));
  const auto loss_w = [](const Run& run, std::size_t room) {
    return run.simulation.evaluation().power.room_loss_w[room];
  };
  CHECK(loss_w(two, 0) + loss_w(two, 1) == Approx(loss_w(one, 0)).epsilon(1e-9));  // of PDUs
  CHECK(loss_w(two, 0) == Approx(loss_w(two, 1)).epsilon(1e-9));
}

TEST_CASE("two halves stay at the temperatures of the whole while their load jumps", "[rooms]") {
  for (const bool is_multirate : {false, true}) {
    INFO(is_multirate);
    Run one(one_room(), lively_work, is_multirate), two(two_rooms(), lively_work, is_multirate);
    for (const double until_s : {200.0, 900.0, 3600.0}) {
      one.simulation.run(until_s, {});
      two.simulation.run(until_s, {});
      INFO(until_s);
      CHECK(largest_difference_k(one, two) < (is_multirate ? 0.01 : 1e-3));
    }
    CHECK(std::abs(one.residual()) < 1e-9);
    CHECK(std::abs(two.residual()) < 1e-9);
  }
}

TEST_CASE("rows of a room get air by what their racks draw, and have one cold aisle", "[rooms]") {
  for (const bool is_multirate : {false, true}) {
    Scenario scenario = one_room();
    scenario.racks.front().rows = {6, 2};
    Run run(scenario, lively_work, is_multirate);
    for (const double until_s : {0.0, 900.0, 1500.0}) {
      run.simulation.run(until_s, {});
      CHECK(run.flow("row_1.supply") == Approx(3.0 * run.flow("row_2.supply")).epsilon(1e-12));
      CHECK(run.flow("row_1.intake") == Approx(3.0 * run.flow("row_2.intake")).epsilon(1e-9));
      CHECK(std::abs(run.node_k("row_1.cold_aisle") - run.node_k("row_2.cold_aisle")) < 0.2);
    }
    CHECK(std::abs(run.residual()) < 1e-9);
  }
}

TEST_CASE("air of a room goes round in it and nowhere else", "[rooms][conservation]") {
  Scenario scenario = two_rooms();
  scenario.network.is_given = true;
  scenario.network.rooms.names = {"east", "west"};
  const Run run(scenario, steady_work);
  for (const auto& [room, row] : {std::pair("east", 1), std::pair("west", 2)}) {
    double handled_kg_per_s = 0.0;
    for (int crah = 2 * row - 1; crah <= 2 * row; ++crah)
      handled_kg_per_s += run.flow(fmt::format("crah_{}.air", crah));
    CHECK(handled_kg_per_s > 0.5);
    const double nodes_kg_per_s = run.flow(fmt::format("row_{}.exhaust", row)),
                 switches_kg_per_s = run.flow(fmt::format("network_row_{}.exhaust", row));
    const double share = nodes_kg_per_s / (nodes_kg_per_s + switches_kg_per_s);
    CHECK(run.flow(fmt::format("row_{}.supply", row)) == Approx(share * handled_kg_per_s).epsilon(1e-12));
    CHECK(run.flow(fmt::format("network_row_{}.supply", row)) ==
          Approx((1.0 - share) * handled_kg_per_s).epsilon(1e-12));
  }
  for (const Link& link : run.plant.links) {
    const auto is_of = [&](std::size_t node, const std::string& room) {
      const std::string& name = run.plant.nodes[node].name;
      return name == room || name.starts_with(room + ".");
    };
    CHECK_FALSE((is_of(link.from_node, "east") && is_of(link.to_node, "west")));
    CHECK_FALSE((is_of(link.from_node, "west") && is_of(link.to_node, "east")));
  }
}

TEST_CASE("a room that loses its air handlers gets hot alone: the other moves by less than a tenth of a kelvin",
          "[rooms]") {
  for (const bool is_multirate : {false, true}) {
    INFO(is_multirate);
    Scenario scenario = two_rooms();
    scenario.racks.back().on.door = "none";  // air handlers alone cool west
    scenario.cooling.crahs.back().count = 4;
    scenario.cooling.chilled_water.clear();  // water at a given temperature: halls/two_halls.yaml has a plant
    scenario.events = {event(600.0, EventSpec::Kind::fail, {"crah_3", "crah_4", "crah_5", "crah_6"})};
    Run run(scenario, steady_work, is_multirate);
    run.simulation.run(600.0, {});
    const double east_k = run.node_k("row_1.cold_aisle"), west_k = run.node_k("row_2.cold_aisle");
    double most_k = 0.0;
    for (const double until_s : {660.0, 720.0, 780.0, 900.0}) {
      run.simulation.run(until_s, {});
      most_k = std::max(most_k, std::abs(run.node_k("row_1.cold_aisle") - east_k));
    }
    CHECK(most_k < 0.1);
    CHECK(run.node_k("row_2.cold_aisle") > west_k + 15.0);
    CHECK(run.node_k("row_2.rack_1.exhaust") > run.node_k("row_1.rack_1.exhaust") + 15.0);
    CHECK(std::abs(run.residual()) < 1e-9);
  }
}
