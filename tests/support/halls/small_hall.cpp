#include "tests/support/halls/small_hall.hpp"

#include "tests/support/by_hand/water_pump.hpp"
#include "tests/support/halls/one_rack.hpp"

namespace wattloop::tests {

namespace {

twin::CrahsSpec crahs(int count, double heat_w) {
  twin::CrahsSpec spec;
  spec.is_given = true;
  spec.count = count;
  spec.air_k = 298.15;
  spec.crah.rated_heat_w = heat_w;
  spec.crah.design_conductance_w_per_k = heat_w / 3.0;
  spec.crah.air_design_flow_kg_per_s = heat_w / 12e3;
  spec.crah.water_design_flow_kg_per_s = heat_w / 25e3;
  spec.crah.fan_power_w = 0.05 * heat_w;
  spec.crah.water_volume_m3 = 0.02;
  return spec;
}

}  // namespace

twin::Scenario small_hall_scenario() {
  twin::Scenario scenario = one_rack_scenario();
  scenario.name = "small_hall_in_code";
  scenario.racks.front().count = 8;
  scenario.racks.front().rows = {2};
  scenario.network.is_given = true;
  scenario.network.racks = 2;
  scenario.network.switches = {.idle_w = 900.0, .max_w = 1720.0};
  twin::CoolingSpec& cooling = scenario.cooling;
  cooling.loops.front().count = 2;
  cooling.loops.front().rack_flow_spread_ratio = 0.0;  // racks alike, as hands reckon
  cooling.loops.front().cdus = 2;
  cooling.loops.front().cdu.rated_heat_w = 300e3;
  cooling.loops.front().cdu.design_conductance_w_per_k = 75e3;
  cooling.loops.front().cdu.technology_design_flow_kg_per_s = 5.0;
  cooling.loops.front().cdu.facility_design_flow_kg_per_s = 5.0;
  cooling.loops.front().pump.quadratic_pa_s2_per_m6 = -2.5e9;
  cooling.loops.front().volume_m3 = 0.3;
  cooling.rooms.front().volume_m3 = 400.0;
  cooling.rooms.front().mass_heat_capacity_j_per_k = 2e6;
  cooling.water.front().volume_m3 = 4.0;
  cooling.water.front().pumps = {.is_given = true, .count = 3, .duty = 2, .pump = water_pump(10.0, 200e3)};
  twin::TowersSpec& towers = cooling.water.front().towers;
  towers.is_given = true;
  towers.count = 3;
  towers.tower.rated_heat_w = 400e3;
  towers.tower.water_design_flow_kg_per_s = 17.0;
  towers.tower.fan_power_w = 6e3;
  towers.tower.basin_volume_m3 = 1.0;
  towers.pump = water_pump(17.0, 150e3);
  twin::ChilledWaterSpec& chilled = cooling.chilled_water.emplace_back();
  chilled.is_given = true;
  chilled.volume_m3 = 2.0;
  chilled.pumps = {.is_given = true, .count = 2, .duty = 1, .pump = water_pump(16.0, 200e3)};
  chilled.chillers.is_given = true;
  chilled.chillers.count = 2;
  chilled.chillers.warm_supply_k = 100.0;  // heat alone stages them
  chilled.chillers.chiller.rated_heat_w = 250e3;
  chilled.chillers.chiller.rated_power_w = 60e3;
  chilled.chillers.chiller.carnot_fraction = 0.5;
  chilled.chillers.chiller.chilled_design_flow_kg_per_s = 12.0;
  chilled.chillers.chiller.condenser_design_flow_kg_per_s = 14.0;
  chilled.chillers.chilled_pump = water_pump(12.0, 100e3);
  chilled.chillers.condenser_pump = water_pump(14.0, 120e3);
  cooling.crahs.front() = crahs(2, 40e3);
  scenario.power.transformer = {.rated_va = 2000e3, .no_load_loss_w = 3000.0, .load_loss_w = 16000.0};
  scenario.power.ups.rated_w = 1500e3;
  scenario.power.ups_bypass = "none";
  scenario.power.pdus = 8;
  scenario.power.rooms = {
      .is_given = true, .room = {.volume_m3 = 200.0, .mass_heat_capacity_j_per_k = 1e6}, .crahs = crahs(2, 60e3)};
  return scenario;
}

}  // namespace wattloop::tests
