// Fans and coils in thin air, by hand from the laws of a fan: one speed moves one volume, so that mass and watts fall with the density r; the
// same mass needs 1/r of the speed and 1/r^2 of the watts. A coil exchanges what it does at sea level with the same mass. At 83.4 kPa, in
// Denver, r = 0.8231: 18 % less mass, 1.476 times the watts.
//
// A GPU in air at full fan speed, by hand: T_die - T_inlet = P (1/G_ds + 1/G_0 + u / (m c)), G_0 = m c (1 - exp(-UA / (m c))),
// UA = UA_0 (m/m_0)^n.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "physics/air/air_density.hpp"
#include "physics/air/crah.hpp"
#include "physics/air/in_row_unit.hpp"
#include "physics/air/rear_door.hpp"
#include "physics/units/heat_sink.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/library_device.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "twin/scenario/site_air.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double denver_ratio = 83.4e3 / 101325.0;
const std::filesystem::path beside_scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "own.yaml";

const std::string hall = R"(format: 1
duration: 1 min
workload: { kind: constant, node_power: 9.5 kW }
hall:
  racks: { count: 2, nodes: 4, hardware: dgx_h100_air, gpu_spread: none, with: { fans: { controlled: false } } }
  cooling:
    facility: { supply_temperature: 24 degC, volume: 2 m3, pumps: { count: 1, duty: 1, hardware: water_pump_77kgs }, towers: { count: 1, hardware: tower_2500kw } }
    chilled_water:
      supply_temperature: 12 degC
      volume: 2 m3
      pumps: { count: 1, duty: 1, hardware: water_pump_72kgs }
      chillers: { count: 1, hardware: chiller_1250kw }
    crahs: { count: 2, hardware: crah_100kw, air_temperature: 24 degC }
    room: { volume: 200 m3, mass_heat_capacity: 5 MJ/K, humidity: { dew_point: 5 degC } }
parts:
  unit: { hardware: in_row_unit_30kw, liquid: { from: chilled_water.supply, to: chilled_water.return }, air: room_1, air_temperature: 30 degC }
power:
  transformers: { count: 1, hardware: transformer_1000kva }
  ups: { modules: 1, hardware: ups_250kw }
  pdus: { count: 1, hardware: pdu_225kva }
)";

/// What the first rack does in steady state.
struct AtRest {
  double airflow_kg_per_s, front_rise_k, rear_rise_k, gpu_w;
};

AtRest at_rest(double density_ratio) {
  Scenario scenario = read_scenario_text(hall, beside_scenarios);
  move_to_site(scenario, density_ratio);
  const Plant plant = build_plant(scenario);
  const Work work = make_work(scenario);
  tests::WorkRun run(scenario, plant, *work.workload, by_multirate());
  run.start();
  const PlantSnapshot now{plant, run.state(), run.evaluation()};
  const double inlet_k = now.reported("racks", "row_1.rack_1", "inlet_air_temperature");
  return {now.reported("racks", "row_1.rack_1", "airflow"), now.die_k(0) - inlet_k, now.die_k(7) - inlet_k,
          run.evaluation().unit_power_w[plant.it.groups.front().gpu_units].front()};
}

}  // namespace

TEST_CASE("a coil in thin air is the same coil, and its fans move the same volume", "[altitude]") {
  Scenario scenario = tests::small_hall_scenario();
  const physics::CrahParams sea = scenario.cooling.crahs.front().crah;
  const physics::RearDoorParams door_at_sea = scenario.cooling.doors.front().door;
  move_to_site(scenario, denver_ratio);
  const physics::CrahParams& denver = scenario.cooling.crahs.front().crah;
  const physics::RearDoorParams& door = scenario.cooling.doors.front().door;
  CHECK(denver.air_design_flow_kg_per_s == Approx(0.8231 * sea.air_design_flow_kg_per_s).epsilon(1e-4));
  CHECK(denver.fan_power_w == Approx(0.8231 * sea.fan_power_w).epsilon(1e-4));
  for (const double air_kg_per_s : {0.5, 2.0, 6.0}) {
    for (const double water_kg_per_s : {0.2, 1.0, 3.0}) {
      CHECK(crah_conductance_w_per_k(denver, air_kg_per_s, water_kg_per_s) ==
            Approx(crah_conductance_w_per_k(sea, air_kg_per_s, water_kg_per_s)).epsilon(1e-12));
      CHECK(rear_door_conductance_w_per_k(door, air_kg_per_s, water_kg_per_s) ==
            Approx(rear_door_conductance_w_per_k(door_at_sea, air_kg_per_s, water_kg_per_s)).epsilon(1e-12));
    }
  }
  // The same mass, of 60 % at sea level: 0.6 / 0.8231 of full speed.
  const double watts_ratio = crah_fan_power_w(denver, 0.6 / denver_ratio) / crah_fan_power_w(sea, 0.6);
  CHECK(watts_ratio == Approx(std::pow(denver_ratio, 1.0 - sea.fan_exponent)).epsilon(1e-12));
  if (sea.fan_exponent == 3.0) {
    CHECK(watts_ratio == Approx(1.476).epsilon(1e-3));
    tests::report_verification({"air handler at 83.4 kPa, the air that it moves at sea level", "closed form",
                                "fan power over that at sea level", watts_ratio, 1.476, 1.5e-3, "1"});
  }
  if (door_at_sea.fan_power_w > 0.0) {
    const double mass = 0.5 * door_at_sea.air_design_flow_kg_per_s;
    CHECK(rear_door_fan_power_w(door, mass) / rear_door_fan_power_w(door_at_sea, mass) ==
          Approx(std::pow(denver_ratio, 1.0 - door_at_sea.fan_exponent)).epsilon(1e-12));
  }
}

TEST_CASE("an in-row unit in thin air is the same coil with less air", "[altitude]") {
  Scenario scenario = read_scenario_text(hall, beside_scenarios);
  const auto sea = std::any_cast<physics::InRowUnit::Params>(scenario.parts.front().params).crah();
  move_to_site(scenario, denver_ratio);
  const auto denver = std::any_cast<physics::InRowUnit::Params>(scenario.parts.front().params).crah();
  CHECK(denver.air_design_flow_kg_per_s == Approx(denver_ratio * sea.air_design_flow_kg_per_s).epsilon(1e-12));
  CHECK(denver.fan_power_w == Approx(denver_ratio * sea.fan_power_w).epsilon(1e-12));
  CHECK(crah_conductance_w_per_k(denver, 1.0, 0.5) == Approx(crah_conductance_w_per_k(sea, 1.0, 0.5)).epsilon(1e-12));
}

TEST_CASE("dies in air are warmer in Denver, by what less air takes up", "[altitude]") {
  const AtRest sea = at_rest(1.0), denver = at_rest(denver_ratio);
  CHECK(denver.airflow_kg_per_s == Approx(denver_ratio * sea.airflow_kg_per_s).epsilon(1e-12));
  CHECK(denver.gpu_w == Approx(sea.gpu_w).margin(10.0));  // fans of the node leave it some watts
  const Scenario scenario = read_scenario_text(hall, beside_scenarios);
  const NodeHardware& node = scenario.racks.front().hardware;
  const auto gpu = std::ranges::find(node.units, "gpu", &NodeUnits::name);
  const auto& p = std::any_cast<const physics::HeatSink::Params&>(gpu->spec.params);
  for (const auto& [at, ratio] : {std::pair(sea, 1.0), std::pair(denver, denver_ratio)}) {
    const double kg_per_s = ratio * node.airflow_kg_per_s * gpu->air_share_fraction / 8.0 * p.stream_gpus_ratio;
    const double mc = kg_per_s * 1006.0;
    const auto rise_k = [&](double conductance_w_per_k, double upstream) {
      const double film = conductance_w_per_k * std::pow(kg_per_s / p.design_flow_kg_per_s, p.flow_exponent_ratio);
      const double fresh = mc * (1.0 - std::exp(-film / mc));
      return at.gpu_w * (1.0 / p.die_to_sink_w_per_k + 1.0 / fresh + upstream / mc);
    };
    CHECK(at.front_rise_k == Approx(rise_k(p.design_conductance_w_per_k, 0.0)).epsilon(1e-3));
    CHECK(at.rear_rise_k == Approx(rise_k(p.design_conductance_w_per_k * p.rear_conductance_ratio, 1.0)).epsilon(1e-3));
  }
  tests::report_verification({"air-cooled rack at 83.4 kPa, fans at full speed", "closed form",
                              "air over that at sea level", denver.airflow_kg_per_s / sea.airflow_kg_per_s, 0.8231,
                              1e-4, "1"});
  const double warmer_k = denver.rear_rise_k - sea.rear_rise_k;
  CHECK(warmer_k > 3.0);
  CHECK(warmer_k < 6.0);
}

TEST_CASE("a site has the mean pressure of its weather file, a design day that of the sea", "[altitude]") {
  CHECK(site_density_ratio({}) == 1.0);
  WeatherSpec thin;  // of a design day
  thin.pressure_pa = 83.4e3;
  CHECK(site_density_ratio(thin) == Approx(0.8231).epsilon(1e-4));
  WeatherSpec missing;
  missing.file = "no/such/file.epw";
  missing.year = year_of_file(missing);
  CHECK_FALSE(missing.year);
  CHECK(site_density_ratio(missing) == 1.0);
  CHECK(physics::density_over_sea_level_ratio(83.4e3) == Approx(0.8231).epsilon(1e-4));
}
