// What real equipment has besides the laws of its kind, each with a default that leaves it out.
//
//   authority of a CDU's valve     two resistances in series at a held pressure: m / m_0 = 1 / sqrt(N / f^2 + 1 - N)
//   loss into the liquid           what a pump draws beyond its hydraulic power, in shares
//   exponents of drops             dp = dp_0 (m / m_0)^k in a run in steady state, pump head against racks and unit
//   coil in counterflow            the mean logarithmic difference of temperatures [incropera2011] eq. 11.14
//   fans that hold a rise          f = heat / (rise c m_0), whatever else is cooler
#include <cmath>
#include <string>
#include <vector>

#include "physics/air/crah.hpp"
#include "physics/air/rear_door.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/water/cdu.hpp"
#include "physics/water/coolant_pump.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "workload/nodes/server_fans.hpp"

using namespace wattloop;
using namespace wattloop::physics;
using twin::LoopsSpec;
using twin::RacksSpec;

namespace {

/// Of a counterflow coil that takes that much, from the differences at its two ends.
double conductance_from_ends(double heat_w, double air_rate, double water_rate, double between_inlets_k) {
  const double warm_end_k = between_inlets_k - heat_w / water_rate, cold_end_k = between_inlets_k - heat_w / air_rate;
  return heat_w * std::log(warm_end_k / cold_end_k) / (warm_end_k - cold_end_k);
}

}  // namespace

TEST_CASE("a valve of less authority passes more while it closes", "[cdu]") {
  CduParams cdu;
  for (const double position : {0.1, 0.5, 0.777, 1.0}) {
    cdu.valve_authority_fraction = 1.0;
    const double opening = valve_flow_fraction(cdu, position);
    for (const double authority : {0.3, 0.5, 0.9}) {
      cdu.valve_authority_fraction = authority;
      CHECK(valve_flow_fraction(cdu, position) ==
            Approx(1.0 / std::sqrt(authority / (opening * opening) + 1.0 - authority)).epsilon(1e-12));
    }
  }
  CHECK(valve_flow_fraction(cdu, 0.0) == 0.0);
}

TEST_CASE("what a pump loses warms what it moves by its share, and the room by the rest", "[pump]") {
  CoolantPump::Params pump{};
  pump.density_kg_per_m3 = 1000.0;
  pump.pump.shutoff_pressure_pa = 200e3;
  pump.pump.quadratic_pa_s2_per_m6 = -1e8;
  pump.pump.efficiency_fraction = 0.5;
  CoolantPump::Now now{};
  now.state.speed_fraction = 1.0;
  now.motor.command_fraction = 1.0;
  now.coolant.flow_kg_per_s = 20.0;
  const double hydraulic_w = (200e3 - 1e8 * 0.02 * 0.02) * 0.02;
  for (const double share : {0.0, 0.25, 1.0}) {
    pump.pump.loss_to_liquid_fraction = share;
    const CoolantPump::Effect done = effect_of<CoolantPump>(pump, now);
    CHECK(done.motor.power_w == Approx(2.0 * hydraulic_w));
    CHECK(done.coolant.heat_w == Approx((1.0 + share) * hydraulic_w));
    CHECK(done.room.heat_w == Approx((1.0 - share) * hydraulic_w).margin(1e-9));
  }
}

TEST_CASE("drops of a loop follow the flow with the exponents that it names", "[network]") {
  tests::ScenarioRun loop("one_rack",
                          {"hall.cooling.loops.pump_speed=55 %", "hall.cooling.loops.rack_pressure_exponent=1.8",
                           "hall.cooling.loops.with.internal_pressure_exponent=1.7"});
  const LoopsSpec& spec = loop.scenario.cooling.loops.front();
  const RacksSpec& racks = loop.scenario.racks.front();
  const double design = racks.nodes * racks.hardware.coolant_design_flow_kg_per_s;
  const double flow = loop.link_kg_per_s("row_1.rack_1.supply_hose");
  const double density = find_fluid("pg25").density_kg_per_m3(spec.supply_k);
  const double racks_pa = racks.hardware.coolant_pressure_drop_pa * std::pow(flow / design, 1.8);
  const double unit_pa =
      spec.cdu.internal_pressure_drop_pa * std::pow(flow / spec.cdu.technology_design_flow_kg_per_s, 1.7);
  CHECK(std::abs(flow / design - 1.0) > 0.02);  // else all exponents were the same
  CHECK(racks_pa + unit_pa ==
        Approx(pump_pressure_pa(spec.pump, spec.pump_speed_fraction, flow / density)).epsilon(1e-4));
}

TEST_CASE("coils of doors and air handlers in counterflow exchange what their ends say", "[rear_door][crah]") {
  RearDoorParams door;
  door.design_conductance_w_per_k = 5e3;
  door.air_design_flow_kg_per_s = 4.0;
  door.water_design_flow_kg_per_s = 2.9;
  door.is_counterflow = true;
  const PortNow air{299.0, 4.0, 1006.0}, water{279.0, 2.9, 4184.0};
  const double heat_w = rear_door_heat_w(door, air, water);
  CHECK(conductance_from_ends(heat_w, 4.0 * 1006.0, 2.9 * 4184.0, 20.0) == Approx(5e3).epsilon(1e-9));
  CrahParams handler;
  handler.design_conductance_w_per_k = 5e3;
  handler.air_design_flow_kg_per_s = 4.0;
  handler.water_design_flow_kg_per_s = 2.9;
  handler.is_counterflow = true;
  handler.fan_power_w = 0.0;
  CHECK(crah_now(handler, air, water, 1.0).heat_w == Approx(heat_w).epsilon(1e-12));
  handler.is_counterflow = false;
  CHECK(crah_now(handler, air, water, 1.0).heat_w < 0.99 * heat_w);
}

TEST_CASE("fans that keep to a rise of the air follow the heat of their server", "[server_fans]") {
  workload::ServerFanParams fans;
  fans.lowest_speed_fraction = 0.2;
  fans.trim_s = fans.ramp_s = 0.0;
  fans.air_rise_k = 12.0;
  constexpr double cool_k = 293.15;
  const auto speed = [&](double full_speed_rise_k) {
    return workload::next_speed(fans, 0.5, cool_k, 320.0, 5.0, full_speed_rise_k);
  };
  CHECK(speed(9.0) == Approx(0.75));
  CHECK(speed(1.0) == Approx(0.2));
  CHECK(speed(20.0) == 1.0);
  CHECK(workload::next_speed(fans, 0.5, 308.15, 320.0, 5.0, 3.0) == 1.0);  // hot inlet air asks for more
  fans.air_rise_k = 0.0;
  CHECK(speed(9.0) == Approx(0.2));
}
