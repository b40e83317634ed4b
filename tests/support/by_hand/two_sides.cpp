#include "tests/support/by_hand/two_sides.hpp"

#include <any>
#include <limits>

#include "physics/units/cold_plate.hpp"
#include "tests/support/by_hand/water_pump.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::tests {

namespace {

twin::WaterPumpsSpec water_pumps(const physics::WaterPumpParams& pump) {
  twin::WaterPumpsSpec spec;
  spec.is_given = true;
  spec.count = 2;
  spec.duty = 1;
  spec.pump = pump;
  return spec;
}

void add_facility(twin::FacilitySpec& facility) {
  facility.volume_m3 = 1.0;
  facility.pumps = water_pumps(water_pump(4.0, 200e3));
  facility.towers.is_given = true;
  facility.towers.count = 2;
  facility.towers.restart_delay_s = 20.0;
  facility.towers.tower.rated_heat_w = 80e3;
  facility.towers.tower.water_design_flow_kg_per_s = 3.5;
  facility.towers.tower.fan_power_w = 1.2e3;
  facility.towers.tower.basin_volume_m3 = 0.3;
  facility.towers.pump = water_pump(3.5, 150e3);
}

void add_chilled_water(twin::ChilledWaterSpec& chilled) {
  chilled.is_given = true;
  chilled.volume_m3 = 1.0;
  chilled.pumps = water_pumps(water_pump(9.0, 200e3));
  chilled.chillers.is_given = true;
  chilled.chillers.count = 3;
  chilled.chillers.warm_supply_k = 100.0;  // heat alone stages them
  chilled.chillers.stage_interval_s = 60.0;
  chilled.chillers.restart_delay_s = 30.0;
  chilled.chillers.chiller.rated_heat_w = 15e3;
  chilled.chillers.chiller.rated_power_w = 4e3;
  chilled.chillers.chiller.carnot_fraction = 0.5;
  chilled.chillers.chiller.chilled_design_flow_kg_per_s = 1.5;
  chilled.chillers.chiller.condenser_design_flow_kg_per_s = 1.5;
  chilled.chillers.chilled_pump = water_pump(1.5, 100e3);
  chilled.chillers.condenser_pump = water_pump(1.5, 120e3);
}

}  // namespace

twin::Scenario two_sided_scenario() {
  twin::Scenario scenario = one_rack_scenario();
  scenario.name = "two_sides_in_code";
  scenario.racks.front().count = 10;
  scenario.racks.front().nodes = 1;
  scenario.racks.front().hardware.boot_time_s = 0.0;             // so that nodes work as soon as their supply is back,
  scenario.racks.front().hardware.inlet_air.is_enabled = false;  // and whatever the air is while batteries end
  for (twin::NodeUnits& units :
       scenario.racks.front().hardware.units) {  // so that nodes draw what the work asks, to the watt
    if (auto* gpu = std::any_cast<physics::ColdPlate::Params>(&units.spec.params)) gpu->leakage_w_per_k = 0.0;
  }
  add_facility(scenario.cooling.water.front());
  add_chilled_water(scenario.cooling.chilled_water.emplace_back());
  twin::PowerSpec& power = scenario.power;
  power.topology = "2N";
  power.ups_bypass = "none";
  power.pdus = 2;
  power.ups.battery_time_s = 60.0;
  power.ups.shutdown_air_k = 1000.0;  // its small room is hot soon after it lost its power
  power.has_substation = true;
  power.substation = {.rated_va = 1e6, .no_load_loss_w = 900.0, .load_loss_w = 6000.0};
  power.generators.is_given = true;
  power.generators.count = 2;
  power.generators.generator = {.rated_w = 100e3, .overload_110_s = 3600.0, .overload_150_s = 10.0};
  return scenario;
}

twin::EventSpec event(double at_s, twin::EventSpec::Kind kind, std::vector<std::string> targets, double for_s) {
  twin::EventSpec spec;
  spec.at_s = at_s;
  spec.kind = kind;
  spec.targets = std::move(targets);
  if (for_s > 0.0) spec.for_s = for_s;
  return spec;
}

double event_time_s(const std::vector<twin::EventRecord>& events, std::string_view kind) {
  for (const twin::EventRecord& event : events) {
    if (event.kind == kind) return event.time_s;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace wattloop::tests
