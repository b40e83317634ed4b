// Valves that stick, passages that clog, fans that stand: against what a characteristic, a pump curve and a lag give by hand, and
// what the log and a mistake say of them.
#include "twin/planning/events/fault_events.hpp"
#include "twin/planning/events/event_resolver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "physics/water/cdu_valve.hpp"
#include "physics/water/dry_cooler.hpp"
#include "physics/water/tower_cell.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/build/assembly/loop_network.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using wattloop::tests::event;
using Kind = EventSpec::Kind;

namespace {

const tests::ConstantWork steady_work(500.0, 8000.0);

EventSpec stick(double at_s, const std::string& valve, std::optional<double> position = {}, double for_s = 0.0) {
  EventSpec spec = event(at_s, Kind::set, {valve + ".stuck_at"}, for_s);
  spec.to_si = position;
  return spec;
}

EventSpec clog(double at_s, const std::string& part, double to, double over_s = 0.0, double for_s = 0.0) {
  EventSpec spec = event(at_s, Kind::set, {part + ".passage"}, for_s);
  spec.to_si = to;
  spec.over_s = over_s;
  return spec;
}

struct Run {
  Scenario scenario;
  Plant plant;
  RunMethod run_method;
  tests::WorkRun simulation;

  explicit Run(std::vector<EventSpec> events, bool is_multirate = false)
      : scenario(with(std::move(events))),
        plant(build_plant(scenario)),
        run_method(is_multirate ? by_multirate() : by_monolithic()),
        simulation(scenario, plant, steady_work, run_method) {
    simulation.start();
  }
  static Scenario with(std::vector<EventSpec> events) {
    Scenario scenario = tests::small_hall_scenario();
    scenario.duration_s = 3600.0;
    scenario.events = std::move(events);
    return scenario;
  }
  double state(const std::string& name) const {
    for (std::size_t slot = 0; slot < plant.map.first_unit_state; ++slot) {
      if (plant.layout.name(slot) == name) return simulation.state().states[slot];
    }
    FAIL("no state " << name);
    return 0.0;
  }
  double flow(const std::string& link) const {
    return simulation.evaluation().signals[tests::link_named(plant, link).flow_signal];
  }
};

std::vector<Problem> mistakes_of(const EventSpec& spec) {
  Scenario scenario = tests::small_hall_scenario();
  const Plant plant = build_plant(scenario);
  scenario.events = {spec};
  Problems problems;
  schedule_events(scenario, plant, problems);
  return problems.all();
}

/// Flow of one CDU, its pump at full speed, against a pressure between the headers: the quadratic of its curve.
double cdu_kg_per_s(const physics::PumpCurve& pump, double resistance, double passage, double headers_pa) {
  const double a = pump.quadratic_pa_s2_per_kg2 - resistance * (0.2 + 0.8 / (passage * passage));
  const double b = pump.linear_pa_s_per_kg, c = pump.shutoff_pa - headers_pa;
  return (-b - std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
}

}  // namespace

TEST_CASE("a stuck valve goes where it sticks with its lag, and its controller goes on in vain", "[faults]") {
  physics::CduParams cdu;
  cdu.sensor_lag_s = 3.0;
  const physics::CduValve::Now now{310.0, 305.0, {309.0, 0.4, 0.7}, 0.3};
  const auto rate = physics::CduValve::effect(cdu, now).rate;
  CHECK(rate.valve_fraction == Approx((0.3 - 0.7) / cdu.valve_lag_s).epsilon(1e-14));
  auto moving = now;
  moving.stuck_fraction = moves_freely;
  const auto free_rate = physics::CduValve::effect(cdu, moving).rate;
  CHECK(free_rate.valve_fraction == Approx((0.06 * 4.0 + 0.4 - 0.7) / cdu.valve_lag_s).epsilon(1e-12));
  CHECK(rate.integral_fraction == free_rate.integral_fraction);
  CHECK(rate.sensor_k == free_rate.sensor_k);
}

TEST_CASE("a fan that failed runs down, draws nothing, and leaves the draught to the tower", "[faults]") {
  Run run({event(60.0, Kind::fail, {"tower_1.fan"}), event(900.0, Kind::restore, {"tower_1.fan"})});
  run.simulation.run(60.0, {});
  const double fan = run.state("tower_1.fan_speed"), flow = run.flow("tower_1.supply");
  REQUIRE(fan > 0.1);
  const double lag_s = run.scenario.cooling.water.front().towers.fan_lag_s;
  run.simulation.run(60.0 + lag_s, {});
  CHECK(run.state("tower_1.fan_speed") == Approx(fan * std::exp(-1.0)).margin(1e-3));
  run.simulation.run(900.0, {});
  CHECK(run.state("tower_1.fan_speed") < 1e-4);
  CHECK(run.flow("tower_1.supply") == Approx(flow).epsilon(1e-6));
  run.simulation.run(1200.0, {});
  CHECK(run.state("tower_1.fan_speed") == Approx(run.state("tower_2.fan_speed")).margin(1e-3));
}

TEST_CASE("a clogged exchanger beside a clean one carries what pump curve and resistances leave it", "[faults]") {
  LoopFlows loop{.racks = {{.count = 12.0, .resistance_pa_s2_per_kg2 = 4e4}},
                 .cdu_resistance_pa_s2_per_kg2 = 100.0,
                 .pump = {4.8e5, 5e3, -750.0},
                 .cdus = {}};
  // Signals: two speeds, flows of two pumps and two CDUs, two passages.
  for (const std::size_t cdu : {0u, 1u}) loop.cdus.push_back({{cdu}, {2 + cdu}, 4 + cdu, 6 + cdu});
  const NetworkModel network(network_of(loop), 2);
  CHECK(network.levers().size() == 2);  // speeds: no one differentiates by what events move
  std::array<double, 8> signals{1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5};
  NetworkScratch scratch = network.make_scratch();
  const double racks = 4e4 / 144.0;
  for (const double passage : {1.0, 0.5, 0.25}) {
    INFO(passage);
    signals[7] = passage;
    network.evaluate(signals, scratch);
    double low_pa = 0.0, high_pa = 4.8e5;
    for (int k = 0; k < 200; ++k) {
      const double middle = 0.5 * (low_pa + high_pa);
      const double sum = cdu_kg_per_s(loop.pump, 100.0, 1.0, middle) + cdu_kg_per_s(loop.pump, 100.0, passage, middle);
      (racks * sum * sum > middle ? low_pa : high_pa) = middle;
    }
    CHECK(signals[4] == Approx(cdu_kg_per_s(loop.pump, 100.0, 1.0, low_pa)).epsilon(1e-6));
    CHECK(signals[5] == Approx(cdu_kg_per_s(loop.pump, 100.0, passage, low_pa)).epsilon(1e-6));
  }
  signals[7] = 0.0;
  network.evaluate(signals, scratch);
  CHECK(signals[5] == 0.0);
}

TEST_CASE("the flow of a stuck valve follows from its characteristic, that of a clogged side from its share",
          "[faults]") {
  for (const bool is_multirate : {false, true}) {
    INFO(is_multirate);
    Run run({stick(60.0, "cdu_1.valve", 0.3), clog(600.0, "cdu_1.facility", 0.1), clog(600.0, "tower_2", 0.8)},
            is_multirate);
    const double tower = run.flow("tower_2.supply");
    run.simulation.run(500.0, {});
    const auto& cdu = run.scenario.cooling.loops.front().cdu;
    CHECK(run.state("cdu_1.valve_position") == Approx(0.3).epsilon(1e-6));
    const double open = std::pow(cdu.valve_rangeability_ratio, 0.3 - 1.0);
    // Half of the drop of the facility side is that of the open valve; two pumps of 10 kg/s hold their pressure, less a twentieth.
    const auto expected = [&](double passage) {
      double all_kg_per_s = 0.0;
      for (int k = 1; k <= 4; ++k) all_kg_per_s += run.flow("cdu_" + std::to_string(k) + ".facility_return");
      const double over_design = (1.0 - 0.05 * std::pow(all_kg_per_s / 20.0, 2)) / 0.95;
      const double clean_and_valve = 0.5 / (passage * passage) + 0.5 / (open * open);
      return cdu.facility_design_flow_kg_per_s * std::sqrt(over_design / clean_and_valve);
    };
    CHECK(run.flow("cdu_1.facility_return") == Approx(expected(1.0)).epsilon(1e-4));
    CHECK(run.state("cdu_1.valve_integral") <= 1.0 + 1e-6);
    run.simulation.run(900.0, {});
    CHECK(run.flow("cdu_1.facility_return") == Approx(expected(0.1)).epsilon(1e-4));
    CHECK(run.flow("tower_2.supply") == Approx(0.8 * tower).epsilon(1e-4));
    const EnergyBalance balance = energy_balance(run.plant, run.simulation.state(), run.simulation.initial_energy());
    CHECK(std::abs(balance.residual_ratio()) < 1e-9);
  }
}

TEST_CASE("both integrators agree through stick, clog, failed fan and their ends", "[faults][multirate]") {
  const std::vector<EventSpec> events{stick(30.0, "cdu_*.valve", 0.2, 200.0), stick(40.0, "cdu_3.valve"),
                                      clog(50.0, "cdu_2", 0.4, 60.0), event(70.0, Kind::fail, {"tower_*.fan"}, 300.0),
                                      event(400.0, Kind::restore, {"cdu_2", "cdu_3.valve"})};
  Run rates(events, true), reference(events, false);
  for (const double until_s : {100.0, 300.0, 500.0, 900.0}) {
    INFO(until_s);
    rates.simulation.run(until_s, {});
    reference.simulation.run(until_s, {});
    for (const char* name : {"cdu_1.outlet.temperature", "cdu_2.outlet.temperature", "cdu_3.outlet.temperature",
                             "facility.supply.temperature"})
      CHECK(rates.state(name) == Approx(reference.state(name)).margin(0.02));
    for (const char* name : {"cdu_1.valve_position", "cdu_3.valve_position"})
      CHECK(rates.state(name) == Approx(reference.state(name)).margin(2e-3));
    for (const char* link : {"cdu_2.discharge", "cdu_2.facility_return"})
      CHECK(rates.flow(link) == Approx(reference.flow(link)).epsilon(2e-3));
  }
  REQUIRE(rates.simulation.events().size() == reference.simulation.events().size());
  Run again(events, true);
  again.simulation.run(900.0, {});
  CHECK(again.simulation.state().states == rates.simulation.state().states);
}

TEST_CASE("what sticks and clogs goes on through a checkpoint as without it", "[faults][checkpoint]") {
  const std::vector<EventSpec> events{stick(100.0, "cdu_1.valve", 0.2), stick(110.0, "cdu_2.valve", {}, 700.0),
                                      clog(500.0, "cdu_3.technology", 0.4, 300.0),
                                      event(70.0, Kind::fail, {"tower_1.fan"}, 700.0)};
  for (const bool is_multirate : {false, true}) {
    INFO(is_multirate);
    Run whole(events, is_multirate), first(events, is_multirate), second(events, is_multirate);
    whole.simulation.run(1200.0, {});
    first.simulation.run(600.0, {});
    second.simulation.resume(first.simulation.checkpoint());
    second.simulation.run(1200.0, {});
    CHECK(second.simulation.state().states == whole.simulation.state().states);
    CHECK(second.simulation.state().inputs == whole.simulation.state().inputs);
    CHECK(second.simulation.events() == whole.simulation.events());
  }
}

TEST_CASE("what sticks, clogs or fails for a while is as it would be without it afterwards, and the log says so",
          "[faults][orders]") {
  Run run({stick(10.0, "cdu_1.valve", 0.3, 60.0), stick(20.0, "cdu_1.valve", 0.8, 20.0),
           clog(30.0, "cdu_2", 0.5, 10.0, 50.0), event(35.0, Kind::fail, {"cdu_1"}),
           event(90.0, Kind::restore, {"cdu_1"})});
  const auto input = [&](const char* name) {
    return run.simulation.state().inputs[tests::input_named(run.plant, name)];
  };
  run.simulation.run(30.0, {});
  CHECK(input("cdu_1.valve.stuck_at") == 0.8);
  run.simulation.run(35.0, {});
  CHECK(input("cdu_2.technology.passage") == Approx(0.75).margin(0.06));
  run.simulation.run(50.0, {});
  CHECK(input("cdu_1.valve.stuck_at") == 0.3);
  CHECK(input("cdu_2.technology.passage") == 0.5);
  CHECK(input("cdu_2.facility.passage") == 0.5);
  run.simulation.run(100.0, {});
  CHECK(input("cdu_1.valve.stuck_at") == moves_freely);
  CHECK(input("cdu_2.facility.passage") == 1.0);
  std::vector<std::string> reported;
  for (const EventRecord& e : run.simulation.events()) {
    if (e.kind == "stick" || e.kind == "clog" || e.kind == "restore")
      reported.push_back(e.kind + " " + e.target + ": " + e.detail);
  }
  const std::vector<std::string> expected{
      "stick cdu_1.valve: from free to 30 %",
      "stick cdu_1.valve: from 30 % to 80 %",
      "clog cdu_2.facility: from 100 % to 50 % over 10 s",
      "clog cdu_2.technology: from 100 % to 50 % over 10 s",
      "restore cdu_1.valve: from 80 % to 30 %",
      "restore cdu_1.valve: from 30 % to free",
      "restore cdu_2.facility: from 50 % to 100 % over 10 s",
      "restore cdu_2.technology: from 50 % to 100 % over 10 s",
      "restore cdu_1.pump_a: scenario",
      "restore cdu_1.pump_b: scenario",
  };
  CHECK(reported == expected);
}

TEST_CASE("an event for what cannot stick or clog says what can", "[faults]") {
  const auto check = [](const EventSpec& spec, const std::string& message, const std::string& hint) {
    const std::vector<Problem> problems = mistakes_of(spec);
    REQUIRE(problems.size() == 1);
    CHECK(problems.front().message == message);
    CHECK(problems.front().hint == hint);
  };
  check(stick(0.0, "cdu_1", 0.3), "cdu_1 has no position", "cdu_1.valve has");
  check(stick(0.0, "cdu_11.valve", 0.3), "this hall has no 'cdu_11.valve' with a position",
        "did you mean 'cdu_1.valve'?");
  check(stick(0.0, "tower_1", 0.3), "this hall has no 'tower_1' with a position",
        "possible events there: clog: tower_1, fail: tower_1");
  check(clog(0.0, "tower_9", 0.3), "this hall has no 'tower_9' with a passage", "did you mean 'tower_1'?");
  check(event(0.0, Kind::fail, {"tower_9.fan"}), "this hall has no component 'tower_9.fan' that can fail",
        "did you mean 'tower_1.fan'?");
  CHECK(mistakes_of(event(0.0, Kind::restore, {"*.valve", "*.fan", "tower_*"})).empty());
}
