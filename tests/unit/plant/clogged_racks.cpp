// Racks that clog by an event: their flow against a ladder computed by hand and against what a controlled pressure leaves, dies against the
// cold plate's resistances in series, halls with and without branches of their own, mistakes, forks.
//
//   at the same pressure between the headers a rack clogged to s carries s of a clean one's flow, whatever the exponent
//   T_die - T_in = P / G_dp + P / (m c eps),   eps = 1 - exp(-UA / (m c)),   UA = UA_0 (m / m_0)^0.6
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "physics/fluids/fluid.hpp"
#include "physics/units/cold_plate.hpp"
#include "physics/water/loop_pressure.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/build/assembly/loop_network.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/plant/equipment/network_flows.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/ratings/part_list.hpp"
#include "workload/constant_load.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using wattloop::tests::event;
using Kind = EventSpec::Kind;

namespace {

const tests::ConstantWork steady_work(500.0, 8000.0);

EventSpec clog(double at_s, const std::string& rack, double to, double over_s = 0.0, double for_s = 0.0) {
  EventSpec spec = event(at_s, Kind::set, {rack + ".passage"}, for_s);
  spec.to_si = to;
  spec.over_s = over_s;
  return spec;
}

/// Loops at 60 kPa between their headers, or pumps at full speed.
struct Run {
  Scenario scenario;
  Plant plant;
  RunMethod run_method;
  tests::WorkRun simulation;

  explicit Run(std::vector<EventSpec> events, bool is_multirate = false, double controlled_pa = 60e3)
      : scenario(with(std::move(events), controlled_pa)),
        plant(build_plant(scenario)),
        run_method(is_multirate ? by_multirate() : by_monolithic()),
        simulation(scenario, plant, steady_work, run_method) {
    simulation.start();
  }
  static Scenario with(std::vector<EventSpec> events, double controlled_pa) {
    Scenario scenario = tests::small_hall_scenario();
    scenario.workload.params = workload::ConstantParams{};  // watts contain leakage
    scenario.cooling.loops.front().differential_pressure_pa = controlled_pa;
    scenario.racks.front().gpu_spread = UnitSpread::none();  // as the hand reckons: no GPU differs
    scenario.duration_s = 7200.0;
    scenario.events = std::move(events);
    return scenario;
  }
  double state(const std::string& name) const {
    for (std::size_t slot = 0; slot < plant.map.state_count; ++slot) {
      if (plant.layout.name(slot) == name) return simulation.state().states[slot];
    }
    FAIL("no state " << name);
    return 0.0;
  }
  double die_k(const std::string& rack) const { return state(rack + ".node_1.gpu_1.die_temperature"); }
  double flow(const std::string& rack) const {
    return simulation.evaluation().signals[tests::link_named(plant, rack + ".cold_plates").flow_signal];
  }
};

/// What results report a loop, in kg/s.
double reported_flow(const Run& run, std::size_t loop) {
  const auto& loops = parts_of<physics::LoopPressure>(run.plant);
  const auto signal = [&](std::size_t number) { return run.simulation.evaluation().signals[number]; };
  const auto now = loops.now(loop, signal);
  const auto shown = loops.shown(loop, signal);
  return physics::LoopPressure::flow_kg_per_s({loops.params(loop), now, shown, 0.0});
}

/// Of a die over the coolant that comes to its rack, by hand.
double die_rise_k(const Scenario& scenario, double rack_kg_per_s, double gpu_w) {
  const auto& plate =
      std::any_cast<const physics::ColdPlate::Params&>(scenario.racks.front().hardware.units.front().spec.params);
  const LoopsSpec& loops = scenario.cooling.loops.front();
  const double c = physics::find_fluid(loops.coolant).specific_heat_j_per_kg_k(loops.supply_k);
  const double m = 0.75 * rack_kg_per_s / (8.0 * scenario.racks.front().nodes);
  const double film = plate.design_conductance_w_per_k * std::pow(m / plate.design_flow_kg_per_s, 0.6);
  return gpu_w / plate.die_to_plate_w_per_k + gpu_w / (m * c * (1.0 - std::exp(-film / (m * c))));
}

/// Resistance of a branch that takes a pressure at a flow, with what bends its law near zero flow (docs/models/coolant_network.md).
double bent_resistance(double drop_pa, double flow_kg_per_s, double strongest_pa) {
  const double half = 0.5e-6 * std::sqrt(strongest_pa) / flow_kg_per_s;
  const double r = -half + std::sqrt(half * half + drop_pa / (flow_kg_per_s * flow_kg_per_s));
  return r * r;
}

std::vector<Problem> mistakes_of(const EventSpec& spec) {
  Scenario scenario = tests::small_hall_scenario();
  scenario.events = {spec};
  Problems problems;
  schedule_events(scenario, build_plant(scenario), problems);
  return problems.all();
}

}  // namespace

TEST_CASE("a clogged rack among clean ones flows as a ladder computed by hand", "[clogged_racks]") {
  // Seven clean racks of 0.8 kg/s and two clogged ones, to 50 % and 25 %, between headers 100 kPa apart: 6.2 kg/s in all. The pump's
  // own branch takes 5 kPa, the exchanger what is left of what the pump gives at 6.2 kg/s.
  const double a = 200e3, total = 7 * 0.8 + 0.4 + 0.2;
  const double unit = bent_resistance(5e3, total, a) / 0.2;
  const double exchanger_pa = 0.8 * unit * total * (total + 1e-6 * std::sqrt(a / (0.8 * unit)));
  const double rack = bent_resistance(100e3, 0.8, a);
  LoopFlows loop{.racks = {{.count = 7.0, .resistance_pa_s2_per_kg2 = rack, .flow_signal = 1},
                           {.count = 1.0, .resistance_pa_s2_per_kg2 = rack, .flow_signal = 2, .passage_signal = 6},
                           {.count = 1.0, .resistance_pa_s2_per_kg2 = rack, .flow_signal = 3, .passage_signal = 7}},
                 .cdu_resistance_pa_s2_per_kg2 = unit,
                 .pump = {a, 0.0, (100e3 + 5e3 + exchanger_pa - a) / (total * total)},
                 .cdus = {{{0}, {4}, 5}}};
  const NetworkModel network(network_of(loop), 1);
  std::array<double, 8> signals{1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.25};
  NetworkScratch scratch = network.make_scratch();
  network.evaluate(signals, scratch);
  CHECK(signals[1] == Approx(0.8).epsilon(1e-9));
  CHECK(signals[2] == Approx(0.4).epsilon(1e-9));
  CHECK(signals[3] == Approx(0.2).epsilon(1e-9));
  CHECK(signals[5] == Approx(total).epsilon(1e-9));
  signals[6] = signals[7] = 1.0;  // clean again: as nine that are alike
  network.evaluate(signals, scratch);
  CHECK(signals[2] == Approx(signals[1]).epsilon(1e-12));
  loop.racks = {{.count = 9.0, .resistance_pa_s2_per_kg2 = rack, .flow_signal = 1}};
  const NetworkModel alike(network_of(loop), 1);
  std::array<double, 8> together{1.0};
  NetworkScratch of_alike = alike.make_scratch();
  alike.evaluate(together, of_alike);
  CHECK(signals[1] == Approx(together[1]).epsilon(1e-9));
}

TEST_CASE("only racks that an event clogs have a branch of their own", "[clogged_racks]") {
  const Scenario plain = Run::with({}, 60e3);
  CHECK(clogged_racks(plain).empty());
  const auto named = [](const std::string& pattern) {
    return clogged_racks(Run::with({clog(0.0, pattern, 0.5)}, 60e3));
  };
  using Names = std::vector<std::string>;
  CHECK(named("row_2.rack_3") == Names{"row_2.rack_3"});
  CHECK(named("row_2.rack_3.coolant") == Names{"row_2.rack_3"});
  CHECK(named("row_*.rack_4") == Names{"row_1.rack_4", "row_2.rack_4"});
  CHECK(named("cdu_*").empty());
  CHECK(named("cdu_1.technology").empty());
  const Plant lumped = build_plant(plain);
  const Plant plant = build_plant(Run::with({clog(0.0, "row_*.rack_4", 0.5)}, 60e3));
  CHECK(plant.map.flow_count == lumped.map.flow_count + 4);  // on each of two loops a rack and a sum
  CHECK(plant.settings.size() == lumped.settings.size() + 2);
  CHECK(plant.map.state_count == lumped.map.state_count);
}

TEST_CASE(
    "where the pressure is controlled a clogged rack carries its share, and its dies are hotter by what that leaves",
    "[clogged_racks]") {
  for (const bool is_multirate : {false, true}) {
    INFO(is_multirate);
    Run run({clog(600.0, "row_1.rack_2", 0.5), clog(600.0, "row_2.rack_*", 0.8)}, is_multirate);
    const double clean = run.flow("row_1.rack_1");
    CHECK(run.flow("row_1.rack_2") == Approx(clean).epsilon(1e-9));
    CHECK(run.flow("row_2.rack_1") == Approx(clean).epsilon(1e-6));  // the line of a sensor instead of clean racks
    run.simulation.run(5400.0, {});
    CHECK(run.flow("row_1.rack_1") == Approx(clean).epsilon(1e-4));
    CHECK(run.flow("row_1.rack_2") == Approx(0.5 * run.flow("row_1.rack_1")).epsilon(1e-9));
    CHECK(run.flow("row_2.rack_1") == Approx(0.8 * clean).epsilon(1e-4));
    CHECK(run.flow("row_2.rack_4") == run.flow("row_2.rack_1"));
    CHECK(reported_flow(run, 0) == Approx(3.0 * run.flow("row_1.rack_1") + run.flow("row_1.rack_2")).epsilon(1e-12));
    CHECK(reported_flow(run, 1) == Approx(4.0 * run.flow("row_2.rack_1")).epsilon(1e-12));
    for (const char* rack : {"row_1.rack_1", "row_1.rack_2", "row_2.rack_1"}) {
      INFO(rack);
      const double rise_k = run.die_k(rack) - run.state(std::string(rack) + ".supply.temperature");
      CHECK(rise_k == Approx(die_rise_k(run.scenario, run.flow(rack), 500.0)).epsilon(1e-4));
    }
    CHECK(run.die_k("row_1.rack_2") > run.die_k("row_1.rack_1") + 3.0);
    const EnergyBalance balance = energy_balance(run.plant, run.simulation.state(), run.simulation.initial_energy());
    CHECK(std::abs(balance.residual_ratio()) < 1e-9);
  }
}

TEST_CASE("with pumps at one speed clean racks of the loop get more, those of another loop nothing",
          "[clogged_racks]") {
  Run run({clog(60.0, "row_1.rack_2", 0.3)}, false, 0.0);
  const double before = run.flow("row_1.rack_1"), other = run.flow("row_2.rack_1");
  run.simulation.run(120.0, {});
  CHECK(run.flow("row_1.rack_1") > 1.02 * before);
  CHECK(run.flow("row_1.rack_2") == Approx(0.3 * run.flow("row_1.rack_1")).epsilon(1e-9));
  CHECK(run.flow("row_2.rack_1") == other);
}

TEST_CASE("a rack with a branch of its own that never clogs is as it was among the others", "[clogged_racks]") {
  Run own({clog(7000.0, "row_1.rack_2", 0.5)}), lumped({});
  own.simulation.run(1800.0, {});
  lumped.simulation.run(1800.0, {});
  for (const char* rack : {"row_1.rack_1", "row_1.rack_2", "row_2.rack_3"}) {
    CHECK(own.die_k(rack) == Approx(lumped.die_k(rack)).margin(1e-4));
    CHECK(own.flow(rack) == Approx(lumped.flow(rack)).epsilon(1e-7));
  }
}

TEST_CASE("both integrators agree while racks clog and are cleaned, and the log reports it",
          "[clogged_racks][multirate]") {
  const std::vector<EventSpec> events{clog(30.0, "row_1.rack_2", 0.4, 60.0, 400.0), clog(60.0, "row_2.rack_1", 0.6),
                                      event(600.0, Kind::restore, {"row_2.rack_1"})};
  Run rates(events, true), reference(events, false);
  for (const double until_s : {60.0, 200.0, 450.0, 900.0}) {
    INFO(until_s);
    rates.simulation.run(until_s, {});
    reference.simulation.run(until_s, {});
    for (const char* rack : {"row_1.rack_1", "row_1.rack_2", "row_2.rack_1"}) {
      CHECK(rates.die_k(rack) == Approx(reference.die_k(rack)).margin(0.02));
      CHECK(rates.flow(rack) == Approx(reference.flow(rack)).epsilon(2e-3));
    }
  }
  std::vector<std::string> reported;
  for (const EventRecord& e : reference.simulation.events()) {
    if (e.kind == "clog" || e.kind == "restore") reported.push_back(e.kind + " " + e.target + ": " + e.detail);
  }
  CHECK(reported == std::vector<std::string>{"clog row_1.rack_2.coolant: from 100 % to 40 % over 1 min",
                                             "clog row_2.rack_1.coolant: from 100 % to 60 %",
                                             "restore row_1.rack_2.coolant: from 40 % to 100 % over 1 min",
                                             "restore row_2.rack_1.coolant: from 60 % to 100 %"});
  CHECK(reference.flow("row_1.rack_2") == Approx(reference.flow("row_1.rack_1")).epsilon(1e-9));
}

TEST_CASE("coolant of one clogged rack is judged, though that of its loop is well", "[clogged_racks][limits]") {
  Run run({clog(60.0, "row_1.rack_2", 0.1)}, true);
  run.simulation.run(900.0);
  const double limit_k = physics::find_fluid("pg25").highest_k;
  CHECK(run.state("row_1.rack_2.return.temperature") > limit_k);
  CHECK(run.state("loop_1.return.temperature") < limit_k - 5.0);
  std::vector<EventRecord> reported;
  for (const EventRecord& e : run.simulation.events())
    if (e.kind == "limit_exceeded" && e.target == "row_1.rack_2") reported.push_back(e);
  REQUIRE(reported.size() == 1);
  CHECK(reported.front().detail.find("return_temperature 70") != std::string::npos);
  CHECK(reported.front().detail.find("coolant hotter than the range of its known properties: 70 degC") !=
        std::string::npos);
  CHECK(reported.front().time_s > 60.0);
}

TEST_CASE("racks that may clog are listed so, and what cannot is reported with the nearest that can",
          "[clogged_racks]") {
  const auto check = [](const std::vector<Problem>& problems, const std::string& message, const std::string& hint) {
    REQUIRE(problems.size() == 1);
    CHECK(problems.front().message == message);
    CHECK(problems.front().hint == hint);
  };
  check(mistakes_of(clog(0.0, "row_2.rack_33", 0.5)), "this hall has no 'row_2.rack_33' with a passage",
        "did you mean 'row_2.rack_3'?");
  check(mistakes_of(clog(0.0, "row_2.rack_3", 0.0)),
        "row_2.rack_3 clogged to 0 %: no coolant would take the heat of its cold plates",
        "write `to` as a share above 0 %");
  check(mistakes_of(clog(0.0, "row_2.rack_3.coolant", 0.0)),
        "row_2.rack_3.coolant clogged to 0 %: no coolant would take the heat of its cold plates",
        "write `to` as a share above 0 %");
  CHECK(mistakes_of(clog(0.0, "tower_1", 0.0)).empty());
  const std::vector<PartRow> parts = part_list(build_plant(Run::with({clog(0.0, "row_1.rack_2", 0.5)}, 60e3)));
  const auto events = [&](const std::string& name) { return std::ranges::find(parts, name, &PartRow::name)->events; };
  CHECK(events("row_1.rack_1") == std::vector<std::string>{"clog", "open", "close", "fail fans"});
  CHECK(events("row_1.rack_2") == std::vector<std::string>{"clog", "open", "close", "fail fans", "restore"});
  CHECK(events("row_1.rack_2.coolant") == std::vector<std::string>{"clog", "restore"});
}
