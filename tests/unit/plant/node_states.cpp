// Nodes that go and come back: what the board management controllers make of inlet air, at each threshold and one millionth of a
// kelvin beside it, what a lost supply and hot dies make of nodes, and what the log says. Watts by hand: a node whose GPUs idle
// draws 1600 W + 1.12 x 8 x 72 W = 2245.12 W.
#include "twin/actions/work/node_states.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/node_couplings.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;
using Times = std::vector<double>;
using workload::InletStage;

namespace {

constexpr double beside_k = 1e-6;
constexpr double booting_w = 1600.0 + 1.12 * 8.0 * 72.0;
constexpr double working_w = 6900.0;
const tests::ConstantWork work(560.0, working_w);

/// Racks of a hall whose air is what the test says.
struct Racks {
  explicit Racks(Scenario from)
      : scenario(std::move(from)),
        node(node_couplings(scenario)),
        plant(build_plant(scenario)),
        watch(plant, node),
        state(initial_state(plant)) {
    for (std::size_t gpu = 0; gpu < plant.it.gpu_count(); ++gpu) die_k(gpu) = 320.0;
    set_air("row_1", 298.15);
    set_air("row_2", 298.15);
  }

  double& die_k(std::size_t gpu) {
    return state.states[plant.groups[plant.it.groups.front().gpu_units]->state_slot(0, gpu)];
  }
  void set_air(const std::string& row, double air_k) {
    state.states[plant.nodes[tests::node_named(plant, row + ".cold_aisle")].temperature_signal] = air_k;
  }

  /// What happens with this air before row 1: at most one event.
  std::string kind_at(double air_k) {
    set_air("row_1", air_k);
    events.clear();
    const bool would = watch.would_act(state);
    CHECK(watch.act(state, events) == would);
    CHECK_FALSE(watch.would_act(state));
    CHECK(events.size() == (would ? 1 : 0));
    return events.empty() ? std::string() : events.front().kind;
  }

  const Scenario scenario;
  const NodeCouplings node;
  const Plant plant;
  const InletWatch watch;
  PlantState state;
  std::vector<EventRecord> events;
};

Scenario two_rows() {
  Scenario scenario = tests::small_hall_scenario();
  scenario.racks.front().nodes = 2;
  return scenario;
}

/// A run that can be asked.
struct Run {
  Run(Scenario from, bool is_multirate)
      : scenario(std::move(from)), run_method(is_multirate ? by_multirate() : by_monolithic()) {
    simulation.start();
  }

  double nodes_w_at(double time_s) {
    simulation.run(time_s, {});
    return simulation.evaluation().sinks[tests::meter_of_use(plant, "node")];
  }
  Times times(const std::string& kind, const std::string& target = {}) const {
    Times found;
    for (const EventRecord& event : simulation.events()) {
      if (event.kind == kind && (target.empty() || event.target == target)) found.push_back(event.time_s);
    }
    return found;
  }
  const EventRecord& only(const std::string& kind) const {
    const auto& events = simulation.events();
    REQUIRE(std::ranges::count(events, kind, &EventRecord::kind) == 1);
    return *std::ranges::find(events, kind, &EventRecord::kind);
  }

  const Scenario scenario;
  const Plant plant = build_plant(scenario);
  RunMethod run_method;
  tests::WorkRun simulation{scenario, plant, work, run_method};
};

/// Ten racks of one node lose their supply from 31.25 to 51.25 s; no battery stands between.
Scenario dark_for_20s(double boot_time_s) {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 420.0;
  scenario.racks.front().hardware.boot_time_s = boot_time_s;
  scenario.events = {tests::event(31.25, Kind::open, {"pdu_a_*", "pdu_b_*"}, 20.0)};
  return scenario;
}

/// The coolant of a rack stops from 10 to 400 s, so that its dies get too hot.
Scenario hot_dies(double restart_after_s) {
  Scenario scenario = tests::one_rack_scenario();
  scenario.duration_s = 1700.0;
  scenario.racks.front().hardware.protection.restart_after_s = restart_after_s;
  scenario.racks.front().hardware.boot_time_s = 100.0;
  scenario.events = {tests::event(10.0, Kind::fail, {"cdu_1"}, 390.0)};
  return scenario;
}

}  // namespace

TEST_CASE("racks are slowed from 35 degC until their air is 2 K colder, and all that happens at once is reported once",
          "[inlet]") {
  Racks racks(two_rows());
  for (const double degc : {-10.0, 5.0, 30.0, 33.5}) CHECK(racks.kind_at(degc + 273.15).empty());
  CHECK(racks.kind_at(308.15 - beside_k).empty());
  CHECK(racks.kind_at(308.15) == "inlet_slowdown");
  CHECK(racks.events.front().target == "4 racks");
  CHECK(racks.events.front().detail ==
        "8 nodes, row_1.rack_1 to row_1.rack_4; inlet air at 35.00 degC, clocks at 50 % at most from 35 degC");
  for (std::size_t gpu = 0; gpu < 128; ++gpu) CHECK(racks.state.work.clock_fraction[gpu] == (gpu < 64 ? 0.5 : 1.0));
  for (std::size_t rack = 0; rack < 8; ++rack) CHECK(racks.state.work.is_restrained[rack] == (rack < 4 ? 1 : 0));
  CHECK(racks.kind_at(306.15 + beside_k).empty());
  CHECK(racks.kind_at(306.15) == "inlet_slowdown_over");
  CHECK(racks.events.front().detail ==
        "8 nodes, row_1.rack_1 to row_1.rack_4; inlet air at 33.00 degC, full clocks at and below 33 degC");
  for (const double clock : racks.state.work.clock_fraction) CHECK(clock == 1.0);
  for (const std::uint8_t restrained : racks.state.work.is_restrained) CHECK(restrained == 0);
}

TEST_CASE("nodes are switched off from 45 degC and start again at 30", "[inlet]") {
  Racks racks(two_rows());
  racks.state.time_s = 100.0;
  CHECK(racks.kind_at(318.15 - beside_k) == "inlet_slowdown");
  CHECK(racks.kind_at(318.15) == "inlet_shutdown");
  CHECK(racks.events.front().detail ==
        "8 nodes, row_1.rack_1 to row_1.rack_4; inlet air at 45.00 degC, switched off from 45 degC");
  CHECK(switched_off_gpus(racks.plant, racks.state) == 64);
  for (std::size_t gpu = 0; gpu < 64; ++gpu) CHECK(racks.state.work.clock_fraction[gpu] == 0.0);
  for (const double degc : {50.0, 44.0, 33.0}) CHECK(racks.kind_at(degc + 273.15).empty());
  CHECK(racks.kind_at(303.15 + beside_k).empty());
  CHECK(racks.kind_at(303.15) == "node_start");
  CHECK(racks.events.front().detail ==
        "8 nodes, row_1.rack_1 to row_1.rack_4; inlet air at 30.00 degC, allowed at and below 30 degC, at work after a "
        "boot of 5 min");
  CHECK(switched_off_gpus(racks.plant, racks.state) == 0);
  for (std::size_t node = 0; node < 8; ++node) CHECK(racks.state.work.node_is[node] == NodeIs::booting);
  CHECK(next_node_s(racks.plant, racks.state) == 400.0);
}

TEST_CASE("one rack is reported by its name, and with protection off, or without supply, nothing happens to it",
          "[inlet]") {
  Scenario scenario = two_rows();
  scenario.racks.front().count = 2;
  Racks racks(scenario);
  CHECK(racks.kind_at(319.0) == "inlet_shutdown");
  CHECK(racks.events.front().target == "row_1.rack_1");
  CHECK(racks.events.front().detail == "2 nodes; inlet air at 45.85 degC, switched off from 45 degC");
  Racks dark(scenario);
  dark.state.switches.cord_share[dark.plant.it.racks[0].load] = {0.0, 0.0};
  CHECK(dark.kind_at(319.0).empty());
  scenario.racks.front().hardware.inlet_air.is_enabled = false;
  CHECK(Racks(scenario).kind_at(350.0).empty());
}

TEST_CASE("the clock that holds is the smaller of what die and inlet air allow", "[inlet]") {
  Scenario scenario = two_rows();
  scenario.racks.front().hardware.inlet_air.slowdown_clock_fraction = 0.8;
  Racks racks(scenario);
  REQUIRE(racks.kind_at(309.0) == "inlet_slowdown");
  racks.die_k(0) = 273.15 + 87.8;  // 0.9 by the die
  racks.die_k(1) = 273.15 + 88.8;  // 0.775
  racks.die_k(2) = 273.15 + 90.0;  // 0.5
  racks.die_k(3) = 273.15 + 95.0 - beside_k;
  const auto protect = [&] {
    std::vector<EventRecord> events;
    return protect_rack({racks.plant, racks.node, 0, 0.0}, digest_rack(racks.plant, 0, racks.state), racks.state,
                        events);
  };
  CHECK(protect().has_changed);
  const std::vector<double>& clock = racks.state.work.clock_fraction;
  CHECK(clock[0] == 0.8);
  CHECK(clock[1] == Approx(0.775).epsilon(1e-12));
  CHECK(clock[2] == 0.5);
  CHECK(clock[3] == 0.5);
  CHECK(clock[4] == 0.8);
  CHECK_FALSE(protect().has_changed);
  for (std::size_t gpu = 0; gpu < 4; ++gpu) racks.die_k(gpu) = 320.0;
  const RackFirmware found = protect();
  CHECK(found.is_limited_by_inlet);
  CHECK(found.clock_fraction == 0.8);
  CHECK(racks.state.work.is_restrained[0] == 1);
}

TEST_CASE("inlet air slows racks whose dies no one protects", "[inlet]") {
  Scenario scenario = two_rows();
  scenario.racks.front().hardware.protection.is_enabled = false;
  Racks racks(scenario);
  REQUIRE(racks.kind_at(309.0) == "inlet_slowdown");
  std::vector<RackDigest> digests(racks.plant.it.racks.size());
  digest_racks(racks.plant, racks.state, digests);
  CHECK(digests[0].throttled_gpus == 16);
  CHECK_FALSE(protect_gpus(racks.plant, racks.node, racks.state, digests, racks.events));
  CHECK(racks.state.work.clock_fraction[0] == 0.5);
  CHECK(racks.events.back().kind == "first_throttle");
  CHECK_THAT(racks.events.back().detail, Catch::Matchers::EndsWith("clock limited by inlet air"));
}

TEST_CASE("limits of inlet air rise from the coldest allowed to the shutdown", "[inlet]") {
  CHECK(workload::check(workload::InletParams{}).empty());
  workload::InletParams params;
  params.slowdown_k = 303.0;
  params.shutdown_k = 302.0;
  const std::vector<std::string> messages = workload::check(params);
  REQUIRE(messages.size() == 3);
  CHECK(messages[0] == "slowdown_temperature: 29.85 degC is below highest_allowed of 30 degC");
  CHECK(messages[1] == "shutdown_temperature: 28.85 degC is below slowdown_temperature of 29.85 degC");
  CHECK(messages[2] == "shutdown_temperature: 28.85 degC is not above highest_allowed of 30 degC");
  CHECK(workload::check({.hysteresis_k = 100.0}).front() ==
        "slowdown_temperature minus hysteresis: -65 degC is below lowest_allowed of 5 degC");
  params = {.lowest_allowed_k = 303.15};
  CHECK(workload::check(params).front() == "highest_allowed: 30 degC is not above lowest_allowed of 30 degC");
}

TEST_CASE("nodes whose supply was lost boot on the watts of idle GPUs, then take up the work", "[nodes]") {
  const bool is_multirate = GENERATE(false, true);
  INFO((is_multirate ? "multirate" : "monolithic"));
  Run run(dark_for_20s(300.0), is_multirate);
  CHECK(run.nodes_w_at(30.0) == Approx(10.0 * working_w).epsilon(1e-9));
  CHECK(run.nodes_w_at(51.0) == 0.0);
  CHECK(run.nodes_w_at(52.0) == Approx(10.0 * booting_w).epsilon(1e-9));
  const RackPart& rack = run.plant.it.racks.front();
  CHECK(run.simulation.state().inputs[rack.airflow_input] == run.plant.initial_inputs[rack.airflow_input]);
  CHECK(run.nodes_w_at(351.0) == Approx(10.0 * booting_w).epsilon(1e-9));
  CHECK(run.nodes_w_at(352.0) == Approx(10.0 * working_w).epsilon(1e-9));
  CHECK(run.only("node_start") == EventRecord{51.25, "node_start", "10 racks",
                                              "10 nodes, row_1.rack_1 to row_1.rack_10; supply back, at work after a "
                                              "boot of 5 min"});
  CHECK(run.only("nodes_back") ==
        EventRecord{351.25, "nodes_back", "10 racks", "10 nodes, row_1.rack_1 to row_1.rack_10; booted in 5 min"});
  CHECK(switched_off_gpus(run.plant, run.simulation.state()) == 0);
  for (const std::uint8_t restrained : run.simulation.state().work.is_restrained) CHECK(restrained == 0);
}

TEST_CASE("nodes that need no time to boot are back with their supply", "[nodes]") {
  const bool is_multirate = GENERATE(false, true);
  Run run(dark_for_20s(0.0), is_multirate);
  CHECK(run.nodes_w_at(51.0) == 0.0);
  CHECK(run.nodes_w_at(51.25) == Approx(10.0 * working_w).epsilon(1e-9));
  CHECK(run.times("node_start").empty());
  CHECK(run.times("nodes_back") == Times{51.25});
}

TEST_CASE("a supply that is lost once more during a boot begins it anew", "[nodes]") {
  Scenario scenario = dark_for_20s(60.0);
  scenario.events.push_back(tests::event(90.0, Kind::open, {"pdu_a_*", "pdu_b_*"}, 10.0));
  Run run(scenario, true);
  run.nodes_w_at(200.0);
  CHECK(run.times("node_start") == Times{51.25, 100.0});
  CHECK(run.times("nodes_back") == Times{160.0});
}

TEST_CASE("batteries that carry through a transfer keep nodes at work", "[nodes]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 100.0;
  scenario.events = {tests::event(20.0, Kind::open, {"utility_a", "utility_b"}, 20.0)};
  Run run(scenario, true);
  CHECK(run.nodes_w_at(30.0) == Approx(10.0 * working_w).epsilon(1e-9));
  run.nodes_w_at(100.0);
  CHECK(run.times("node_start").empty());
}

TEST_CASE("nodes that were too hot stay off, or start again after the time given", "[nodes]") {
  const bool is_multirate = GENERATE(false, true);
  Run stays(hot_dies(0.0), is_multirate), returns(hot_dies(600.0), is_multirate);
  const double at_start_w = returns.nodes_w_at(5.0);
  CHECK(stays.nodes_w_at(1700.0) == 0.0);
  CHECK(switched_off_gpus(stays.plant, stays.simulation.state()) == 64);
  returns.nodes_w_at(1700.0);
  const Times off = returns.times("thermal_shutdown");
  REQUIRE(off.size() == 8);
  CHECK(off == stays.times("thermal_shutdown"));
  CHECK(off.back() < 400.0);
  CHECK(returns.times("node_start").front() == off.front() + 600.0);
  CHECK(returns.times("nodes_back").back() == off.back() + 700.0);
  CHECK(switched_off_gpus(returns.plant, returns.simulation.state()) == 0);
  CHECK(returns.nodes_w_at(1700.0) == Approx(at_start_w).epsilon(1e-3));
  CHECK(stays.times("node_start").empty());
  const auto& events = returns.simulation.events();
  const auto start = std::ranges::find(events, "node_start", &EventRecord::kind);
  CHECK(start->target == "row_1.rack_1");
  CHECK_THAT(start->detail,
             Catch::Matchers::Contains("off for 10 min after a die was too hot, at work after a boot of"));
}
