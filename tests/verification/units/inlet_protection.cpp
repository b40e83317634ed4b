// Inlet protection: the law at its thresholds by hand, and a room without cooling against its closed form.
//
//   The doors of a rack stop, the room is closed: its air (aisles and plenum with it) and its mass are two nodes under constant heat,
//
//   C_a dT_a/dt = Q - K (T_a - T_m),   C_m dT_m/dt = K (T_a - T_m)           until nodes are switched off, then Q = 0
//
//   with S = C_a + C_m, d = T_a - T_m, d(inf) = Q C_m / (K S), 1/tau = K (1/C_a + 1/C_m):
//   d(t) = d(inf) + (d(0) - d(inf)) exp(-t/tau),   T_a = mean + C_m/S d,   mean' = Q / S
//
//   The cold aisle follows the air by its flow: at once while fans run (1 s), and with 2 % of the air by T_c' = (T_a - T_c)/tau_c.
//
// Exact solution: two modes [khankari2011], and a third in series. Firmware looks every 5 s, so that it acts up to 5 s after the
// exact time. Q is what the run gives at the begin of each interval.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "physics/fluids/fluid.hpp"
#include "physics/units/node_rest.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "workload/nodes/inlet_protection.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using workload::InletParams;
using workload::InletStage;

namespace {

constexpr double beside_k = 1e-6, tick_s = 5.0;
constexpr double volume_m3 = 300.0, mass_j_per_k = 6e5, conductance_w_per_k = 500.0;
constexpr double air_fraction = 0.55;  ///< of what is not on cold plates
constexpr double cold_aisle_m3 = 0.936, rack_kg_per_s = 8 * 0.15, draught = 0.02;
constexpr double doors_s = 60.0, slowdown_k = 313.15, shutdown_k = 318.15, return_k = 312.65;
const tests::ConstantWork steady_work(500.0, 8000.0);

InletStage stage_at(InletStage now, double degc) { return workload::next_stage(InletParams{}, now, degc + 273.15); }

double air_j_per_k(double m3) { return m3 * physics::air_density_kg_per_m3 * physics::air_specific_heat_j_per_kg_k; }

/// One rack whose doors stop at 60 s in a room of its own; units that give heat to air store next to none.
Scenario closed_room() {
  Scenario scenario = tests::one_rack_scenario();
  scenario.duration_s = 4000.0;
  scenario.cooling.rooms.front().volume_m3 = volume_m3;
  scenario.cooling.rooms.front().mass_heat_capacity_j_per_k = mass_j_per_k;
  scenario.cooling.rooms.front().mass_conductance_w_per_k = conductance_w_per_k;
  scenario.cooling.rooms.front().recirculation_fraction = 0.0;
  std::any_cast<physics::NodeRest::Params&>(scenario.racks.front().hardware.units[1].spec.params)
      .air_heat_capacity_j_per_k = 100.0;
  auto& ups = scenario.power.ups;  // so that nothing warms the room once the nodes are off
  ups.constant_loss_fraction = ups.linear_loss_fraction = ups.quadratic_loss_fraction = 0.0;
  scenario.power.pdu.constant_loss_fraction = scenario.power.pdu.quadratic_loss_fraction = 0.0;
  InletParams& inlet = scenario.racks.front().hardware.inlet_air;
  inlet.highest_allowed_k = return_k;
  inlet.slowdown_k = slowdown_k;
  inlet.shutdown_k = shutdown_k;
  scenario.events = {tests::set_event({.at_s = doors_s, .targets = {"rear_doors.flow"}, .to_si = 0.0})};
  return scenario;
}

/// The air of the room, its mass and the cold aisle at one instant.
struct Zones {
  double air_k, mass_k, cold_k;
};

/// Air of the room `time_s` after `begin`, with `other_j_per_k` besides the air of the room itself.
double air_after_k(const Zones& begin, double air_capacity, double heat_w, double time_s) {
  const double both = air_capacity + mass_j_per_k;
  const double rate_per_s = conductance_w_per_k * (1.0 / air_capacity + 1.0 / mass_j_per_k);
  const double last_k = heat_w * mass_j_per_k / (conductance_w_per_k * both);
  const double apart_k = last_k + (begin.air_k - begin.mass_k - last_k) * std::exp(-rate_per_s * time_s);
  const double mean_k = (air_capacity * begin.air_k + mass_j_per_k * begin.mass_k + heat_w * time_s) / both;
  return mean_k + mass_j_per_k / both * apart_k;
}

/// The cold aisle of a rack whose fans stand, in a room without heat.
double cold_after_k(const Zones& begin, double air_capacity, double time_s) {
  const double both = air_capacity + mass_j_per_k;
  const double rate_per_s = conductance_w_per_k * (1.0 / air_capacity + 1.0 / mass_j_per_k);
  const double lag_s = cold_aisle_m3 * physics::air_density_kg_per_m3 / (draught * rack_kg_per_s);
  const double mean_k = (air_capacity * begin.air_k + mass_j_per_k * begin.mass_k) / both;
  const double above_k = (begin.air_k - mean_k) / (1.0 - rate_per_s * lag_s);
  return mean_k + above_k * std::exp(-rate_per_s * time_s) +
         (begin.cold_k - mean_k - above_k) * std::exp(-time_s / lag_s);
}

/// When `value_k`, which falls or rises over the interval, is at `limit_k`.
double crossing_s(const std::function<double(double)>& value_k, double limit_k) {
  double before_s = 0.0, after_s = 4000.0;
  const bool rises = value_k(after_s) > value_k(before_s);
  while (after_s - before_s > 1e-6) {
    const double middle_s = 0.5 * (before_s + after_s);
    ((value_k(middle_s) < limit_k) == rises ? before_s : after_s) = middle_s;
  }
  return after_s;
}

struct Run {
  explicit Run(bool is_multirate) : run_method(is_multirate ? by_multirate() : by_monolithic()) { simulation.start(); }

  Zones at(double time_s) {
    simulation.run(time_s, {});
    return {node_k("room_1"), node_k("room_1.mass"), node_k("row_1.cold_aisle")};
  }
  double node_k(std::string_view name) const {
    return simulation.state().states[plant.nodes[tests::node_named(plant, name)].temperature_signal];
  }
  /// Into air: from units of the nodes, and from equipment of the room.
  double heat_w() const {
    double loads_w = 0.0;
    for (const NodeLoads& rest : plant.it.groups.front().rest_loads) {
      for (std::size_t k = 0; k < plant.it.node_count() * rest.per_node; ++k)
        loads_w += simulation.state().inputs[rest.first_input + k];
    }
    return air_fraction * loads_w + simulation.evaluation().power.room_loss_w[0];
  }
  double time_s(const std::string& kind) const {
    const auto& events = simulation.events();
    const auto found = std::ranges::find(events, kind, &EventRecord::kind);
    REQUIRE(found != events.end());
    return found->time_s;
  }

  const Scenario scenario = closed_room();
  const Plant plant = build_plant(scenario);
  RunMethod run_method;
  tests::WorkRun simulation{scenario, plant, steady_work, run_method};
};

/// Acts at the first tick at or after the exact time; what is idealised here makes at most `error_s`.
void check_tick(const char* what, bool reports, double acted_s, double exact_s) {
  constexpr double error_s = 2.0;
  INFO(what << " at " << acted_s << " s, exact " << exact_s << " s");
  CHECK(acted_s > exact_s - error_s);
  CHECK(acted_s < exact_s + tick_s + error_s);
  if (!reports) return;
  tests::report_verification({std::string("closed room without cooling, ") + what, "closed form", "middle of the 5 s",
                              acted_s - 0.5 * tick_s, exact_s, 0.5 * tick_s + error_s, "s"});
}

}  // namespace

TEST_CASE("a rack is slowed, let go, switched off and started at its four thresholds", "[inlet]") {
  for (const double degc : {-40.0, 20.0, 35.0 - beside_k})
    CHECK(stage_at(InletStage::normal, degc) == InletStage::normal);
  for (const double degc : {35.0, 35.0 + beside_k, 45.0 - beside_k})
    CHECK(stage_at(InletStage::normal, degc) == InletStage::slowed);
  for (const double degc : {33.0 + beside_k, 34.0, 45.0 - beside_k})
    CHECK(stage_at(InletStage::slowed, degc) == InletStage::slowed);
  for (const double degc : {33.0, 33.0 - beside_k, 10.0})
    CHECK(stage_at(InletStage::slowed, degc) == InletStage::normal);
  for (const InletStage now : {InletStage::normal, InletStage::slowed, InletStage::off}) {
    for (const double degc : {45.0, 45.0 + beside_k, 90.0}) CHECK(stage_at(now, degc) == InletStage::off);
  }
  for (const double degc : {30.0 + beside_k, 33.0, 40.0}) CHECK(stage_at(InletStage::off, degc) == InletStage::off);
  for (const double degc : {30.0, 30.0 - beside_k, 0.0}) CHECK(stage_at(InletStage::off, degc) == InletStage::normal);
}

TEST_CASE("clocks are full, halved or zero by the stage", "[inlet]") {
  CHECK(workload::clock_fraction(InletParams{}, InletStage::normal) == 1.0);
  CHECK(workload::clock_fraction(InletParams{}, InletStage::slowed) == 0.5);
  CHECK(workload::clock_fraction(InletParams{}, InletStage::off) == 0.0);
}

TEST_CASE("a room that lost its cooling slows, stops and starts its nodes when its closed form says", "[inlet]") {
  const bool is_multirate = GENERATE(false, true);
  INFO((is_multirate ? "multirate" : "monolithic"));
  Run run(is_multirate);
  const double all_air = air_j_per_k(volume_m3 + 0.48), room_air = air_j_per_k(volume_m3 - 0.936 - 1.404);

  Zones begin = run.at(180.0);
  double heat_w = run.heat_w();
  const double slowed_s =
      180.0 + crossing_s([&](double t) { return air_after_k(begin, all_air, heat_w, t); }, slowdown_k);
  run.at(slowed_s + 60.0);
  check_tick("clocks are lowered", is_multirate, run.time_s("inlet_slowdown"), slowed_s);

  begin = run.at(run.time_s("inlet_slowdown") + 60.0);
  heat_w = run.heat_w();
  const double begin_s = run.simulation.state().time_s;
  const double off_s =
      begin_s + crossing_s([&](double t) { return air_after_k(begin, all_air, heat_w, t); }, shutdown_k);
  run.at(off_s + 400.0);
  check_tick("nodes are switched off", is_multirate, run.time_s("inlet_shutdown"), off_s);

  const double cooling_s = run.simulation.state().time_s;
  begin = run.at(cooling_s);
  const double start_s = cooling_s + crossing_s([&](double t) { return cold_after_k(begin, room_air, t); }, return_k);
  run.at(start_s + 320.0);
  check_tick("nodes start", is_multirate, run.time_s("node_start"), start_s);
  CHECK(run.time_s("nodes_back") == run.time_s("node_start") + 300.0);
}
