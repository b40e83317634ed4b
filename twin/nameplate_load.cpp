#include "twin/nameplate_load.hpp"

#include <algorithm>
#include <any>
#include <cmath>

#include "electrical/equipment.hpp"
#include "network/fat_tree.hpp"
#include "physics/fluid.hpp"
#include "physics/node_rest.hpp"

namespace wattloop::twin {

namespace {

constexpr double water_reference_k = 293.15;

double water_specific_heat_j_per_kg_k() {
  return physics::find_fluid("water").specific_heat_j_per_kg_k(water_reference_k);
}

int ceiling(int dividend, int divisor) { return (dividend + divisor - 1) / divisor; }

/// Machines of that rating that it takes, at least one and at most all.
int needed(double load_w, double rated_w, int count) {
  return std::clamp(static_cast<int>(std::ceil(load_w / rated_w)), 1, count);
}

/// Nameplate power of a node that its cold plates take: all of its GPUs and what its rest captures.
double liquid_w(const NodeHardware& node) {
  double gpus_w = 0.0;
  double capture_fraction = 0.0;
  for (const NodeUnits& units : node.units) {
    if (units.name == "gpu") gpus_w = units.count * node.split.gpu_limit_w;
    const auto* rest = std::any_cast<physics::NodeRest::Params>(&units.spec.params);
    if (rest != nullptr) capture_fraction = rest->capture_fraction;
  }
  return gpus_w + capture_fraction * (node.nameplate_w - gpus_w);
}

double loss_of_w(const electrical::Equipment& equipment, int modules, double output_w) {
  return electrical::loss_w(electrical::in_parallel(electrical::loss_curve(equipment), modules), output_w);
}

double rated_power_w(const physics::WaterPumpParams& pump) {
  return physics::water_pump_power_w(pump, 1.0, pump.rated_flow_kg_per_s);
}

double duty_power_w(const WaterPumpsSpec& pumps) {
  return pumps.is_given ? pumps.duty * rated_power_w(pumps.pump) : 0.0;
}

void add_it(const Scenario& scenario, NameplateLoad& load) {
  const RacksSpec& racks = scenario.racks;
  const NetworkSpec& network = scenario.network;
  load.rack_w = racks.nodes * racks.hardware.nameplate_w;
  load.rack_liquid_w = racks.nodes * liquid_w(racks.hardware);
  load.rack_air_w = load.rack_w - load.rack_liquid_w;
  if (network.is_given) {
    load.switches = network::fat_tree(network.tree, racks.count * racks.nodes).all_switches();
    load.network_rack_w = ceiling(load.switches, network.racks) * network.switches.max_w;
    load.network_w = load.switches * network.switches.max_w;
  }
  load.it_w = racks.count * load.rack_w + load.network_w;
}

/// Pumps that run, at full speed and the design flow of their CDU.
double cdu_pumps_w(const LoopsSpec& loops) {
  const double density = physics::find_fluid(loops.coolant).density_kg_per_m3(loops.supply_k);
  const double flow_m3_per_s = loops.cdu.technology_design_flow_kg_per_s / density;
  const int pumps = loops.pumps_per_cdu == required_count ? loops.cdu.pump_count : loops.pumps_per_cdu;
  const int running = pumps > 1 ? pumps - 1 : pumps;
  return loops.count * loops.cdus * running * physics::pump_power_w(loops.pump, 1.0, flow_m3_per_s);
}

void add_ups(const Scenario& scenario, NameplateLoad& load) {
  const PowerSpec& power = scenario.power;
  const RacksSpec& racks = scenario.racks;
  const NetworkSpec& network = scenario.network;
  const physics::RearDoorParams& door = scenario.cooling.doors.door;
  const double rack_fans_w = physics::rear_door_fan_power_w(door, racks.nodes * racks.hardware.airflow_kg_per_s);
  load.door_fans_w = racks.count * rack_fans_w;
  load.fullest_pdu_w = ceiling(racks.count, power.pdus) * (load.rack_w + rack_fans_w);
  if (network.is_given) {
    const double network_fans_w = physics::rear_door_fan_power_w(door, network.airflow_kg_per_s);
    load.door_fans_w += network.racks * network_fans_w;
    load.fullest_pdu_w += ceiling(network.racks, power.pdus) * (load.network_rack_w + network_fans_w);
  }
  load.pdu_loss_w = loss_of_w(power.pdu, power.pdus, load.it_w + load.door_fans_w);
  load.cdu_pumps_w = cdu_pumps_w(scenario.cooling.loops);
  load.side_ups_w = load.it_w + load.door_fans_w + load.pdu_loss_w + load.cdu_pumps_w;
  load.side_ups_loss_w = loss_of_w(power.ups, power.ups_modules, load.side_ups_w);
  load.shared_ups_loss_w = loss_of_w(power.ups, power.ups_modules, load.side_ups_w / power.sides());
}

/// What a rack gives to the hall's air behind its door; negative where the door cools the air below what the
/// rack took.
double behind_door_w(const CoolingSpec& cooling, double heat_w, double airflow_kg_per_s) {
  const double inlet_k = cooling.crahs.air_k;
  const double exhaust_k = inlet_k + heat_w / (airflow_kg_per_s * physics::air_specific_heat_j_per_kg_k);
  return heat_w -
         physics::rear_door_heat_w(cooling.doors.door,
                                   {exhaust_k, airflow_kg_per_s, physics::air_specific_heat_j_per_kg_k},
                                   {cooling.doors.supply_k, cooling.doors.door.water_design_flow_kg_per_s,
                                    water_specific_heat_j_per_kg_k()});
}

void add_air(const Scenario& scenario, NameplateLoad& load) {
  const CoolingSpec& cooling = scenario.cooling;
  const PowerSpec& power = scenario.power;
  const RacksSpec& racks = scenario.racks;
  const double room_loss_w = std::max(load.side_ups_loss_w, power.sides() * load.shared_ups_loss_w);
  load.hall_air_w =
      load.door_fans_w + load.pdu_loss_w + (power.rooms.is_given ? 0.0 : room_loss_w) +
      racks.count * behind_door_w(cooling, load.rack_air_w, racks.nodes * racks.hardware.airflow_kg_per_s);
  load.door_flow_kg_per_s = racks.count * cooling.doors.door.water_design_flow_kg_per_s;
  if (scenario.network.is_given) {
    const int count = scenario.network.racks;
    load.hall_air_w +=
        count * behind_door_w(cooling, load.network_w / count, scenario.network.airflow_kg_per_s);
    load.door_flow_kg_per_s += count * cooling.doors.door.water_design_flow_kg_per_s;
  }
  load.hall_air_w = std::max(load.hall_air_w, 0.0);
  load.chilled_w = racks.count * load.rack_air_w + load.network_w + load.door_fans_w + load.pdu_loss_w + room_loss_w;
  const auto add_crahs = [&load](const CrahsSpec& crahs, int count) {
    load.chilled_w += count * crahs.crah.fan_power_w;
    load.mechanical_w += count * crahs.crah.fan_power_w;
    load.door_flow_kg_per_s += count * crahs.crah.water_design_flow_kg_per_s;
  };
  if (cooling.crahs.is_given) add_crahs(cooling.crahs, cooling.crahs.count);
  if (power.rooms.is_given) add_crahs(power.rooms.crahs, power.sides() * power.rooms.crahs.count);
}

void add_water(const CoolingSpec& cooling, int racks, NameplateLoad& load) {
  const LoopsSpec& loops = cooling.loops;
  const ChillersSpec& chillers = cooling.chilled_water.chillers;
  const TowersSpec& towers = cooling.facility.towers;
  load.facility_w = racks * load.rack_liquid_w + load.cdu_pumps_w;
  load.cdu_facility_flow_kg_per_s = loops.count * loops.cdus * loops.cdu.facility_design_flow_kg_per_s;
  if (cooling.chilled_water.is_given) {
    load.chillers_needed = needed(load.chilled_w, chillers.chiller.rated_heat_w, chillers.count);
    const double compressors_w = load.chillers_needed * chillers.chiller.rated_power_w;
    load.facility_w += load.chilled_w + compressors_w;
    load.mechanical_w += compressors_w + duty_power_w(cooling.chilled_water.pumps) +
                         load.chillers_needed *
                             (rated_power_w(chillers.chilled_pump) + rated_power_w(chillers.condenser_pump));
  }
  if (towers.is_given) {
    load.towers_needed = needed(load.facility_w, towers.tower.rated_heat_w, towers.count);
    load.mechanical_w += duty_power_w(cooling.facility.pumps) +
                         load.towers_needed * (towers.tower.fan_power_w + rated_power_w(towers.pump));
  }
}

}  // namespace

double crah_capacity_w(const CrahsSpec& crahs, double water_k) {
  const physics::CrahNow now = physics::crah_now(
      crahs.crah, {crahs.air_k, 0.0, physics::air_specific_heat_j_per_kg_k},
      {water_k, crahs.crah.water_design_flow_kg_per_s, water_specific_heat_j_per_kg_k()}, 1.0);
  return std::max(now.heat_w - now.fan_power_w, 0.0);
}

NameplateLoad nameplate_load(const Scenario& scenario) {
  NameplateLoad load;
  add_it(scenario, load);
  add_ups(scenario, load);
  add_air(scenario, load);
  add_water(scenario.cooling, scenario.racks.count, load);
  const PowerSpec& power = scenario.power;
  load.side_transformers_w = load.side_ups_w + load.side_ups_loss_w + load.mechanical_w;
  load.side_feed_w =
      load.side_transformers_w + loss_of_w(power.transformer, power.transformers, load.side_transformers_w);
  return load;
}

}  // namespace wattloop::twin
