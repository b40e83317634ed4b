// Declares the parts of the hall: racks, technology loops with CDUs and pumps, meters; and calls for the rest.

#include <fmt/format.h>

#include "physics/cdu_valve.hpp"
#include "physics/coolant_pump.hpp"
#include "physics/fluid.hpp"
#include "physics/hydraulics.hpp"
#include "physics/loop_pressure.hpp"
#include "twin/build/layout.hpp"
#include "twin/plant/plant_draft.hpp"

namespace wattloop::twin {

namespace {

/// Air between the nodes of a rack and its door: 0.6 m wide, 2.0 m high, 0.4 m deep.
constexpr double exhaust_volume_m3 = 0.6 * 2.0 * 0.4;

/// Where the heat capacity of facility and chilled water is taken.
constexpr double water_reference_k = 293.15;

double volumetric_heat_capacity_j_per_m3_k(const physics::Fluid& fluid, double temperature_k) {
  return fluid.density_kg_per_m3(temperature_k) * fluid.specific_heat_j_per_kg_k(temperature_k);
}

HallCounts counts_of(const Scenario& scenario) {
  return {.rows = scenario.racks.rows,
          .racks = scenario.racks.count,
          .nodes_per_rack = scenario.racks.nodes,
          .loops = scenario.cooling.loops.count,
          .cdus_per_loop = scenario.cooling.loops.cdus};
}

void declare_loop(PlantDraft& draft, std::size_t number, const physics::Fluid& coolant) {
  using Pressure = physics::LoopPressure;
  const LoopsSpec& spec = draft.scenario.cooling.loops;
  const NodeHardware& node = draft.scenario.racks.hardware;
  const std::string name = fmt::format("loop_{}", number + 1);
  const double header_j_per_k = 0.5 * spec.volume_m3 * volumetric_heat_capacity_j_per_m3_k(coolant, spec.supply_k);
  LoopPart loop;
  loop.name = name;
  loop.supply_node = draft.declare_node(name + ".supply", header_j_per_k, spec.supply_k);
  loop.return_node = draft.declare_node(name + ".return", header_j_per_k, spec.supply_k);
  loop.set_point_input =
      draft.declare_setting<physics::CduValve>(name, &physics::CduValve::Now::set_point_k, spec.supply_k);
  loop.pump_speed_input =
      draft.declare_setting<Pressure>(name, &Pressure::Now::highest_speed_fraction, spec.pump_speed_fraction);
  loop.pressure_input =
      draft.declare_setting<Pressure>(name, &Pressure::Now::set_point_pa, spec.differential_pressure_pa);
  auto typical = typical_state<physics::LoopPressure>();
  typical.sensor_pa = spec.differential_pressure_pa;
  loop.first_control_state = draft.declare_states<physics::LoopPressure>(name, typical);
  loop.rack_flow = draft.declare_flow();
  loop.specific_heat_j_per_kg_k = coolant.specific_heat_j_per_kg_k(spec.supply_k);
  loop.rack_resistance_pa_s2_per_kg2 = physics::quadratic_resistance_pa_s2_per_kg2(
      node.coolant_pressure_drop_pa, node.coolant_design_flow_kg_per_s * draft.scenario.racks.nodes);
  draft.plant.hall.loops.push_back(loop);
}

void declare_pump(PlantDraft& draft, CduPart& cdu, std::size_t cdu_index, std::size_t number) {
  const std::string name = fmt::format("{}.pump_{}", cdu.name, static_cast<char>('a' + number));
  HallParts& hall = draft.plant.hall;
  const std::size_t motor = draft.declare_motor(
      name, LoadUse::cdu_pump, state_info<physics::CoolantPump>(&physics::CoolantPump::State::speed_fraction));
  hall.motors[motor].is_on_ups = true;
  cdu.pumps.push_back(hall.pumps.size());
  hall.pumps.push_back({.name = name, .cdu = cdu_index, .motor = motor, .flow = draft.declare_flow()});
}

void declare_cdu(PlantDraft& draft, std::size_t loop, const physics::Fluid& coolant) {
  const LoopsSpec& spec = draft.scenario.cooling.loops;
  HallParts& hall = draft.plant.hall;
  const std::size_t index = hall.cdus.size();
  CduPart cdu;
  cdu.name = fmt::format("cdu_{}", index + 1);
  cdu.loop = loop;
  cdu.rated_heat_w = spec.cdu.rated_heat_w;
  cdu.outlet_node = draft.declare_node(
      cdu.name + ".outlet", spec.cdu.technology_volume_m3 * volumetric_heat_capacity_j_per_m3_k(coolant, spec.supply_k),
      spec.supply_k);
  cdu.facility_node =
      draft.declare_node(cdu.name + ".facility", water_heat_capacity_j_per_k(spec.cdu.facility_volume_m3),
                         draft.scenario.cooling.facility.supply_k);
  cdu.first_valve_state = draft.declare_states<physics::CduValve>(cdu.name);
  cdu.flow = draft.declare_flow();
  cdu.facility_flow = draft.declare_flow();
  const int pumps = spec.pumps_per_cdu == required_count ? spec.cdu.pump_count : spec.pumps_per_cdu;
  MotorGroup group{.name = cdu.name, .motors = {}, .duty = 0, .speed_input = hall.loops[loop].pump_speed_input};
  for (int p = 0; p < pumps; ++p) {
    declare_pump(draft, cdu, index, static_cast<std::size_t>(p));
    group.motors.push_back(hall.pumps.back().motor);
  }
  group.duty = group.motors.size() > 1 ? group.motors.size() - 1 : group.motors.size();
  hall.motor_groups.push_back(std::move(group));
  hall.loops[loop].cdus.push_back(index);
  hall.cdus.push_back(std::move(cdu));
}

void declare_rack(PlantDraft& draft, int index, const HallCounts& counts, const physics::Fluid& coolant) {
  const Scenario& scenario = draft.scenario;
  const NodeHardware& node = scenario.racks.hardware;
  const double nodes = scenario.racks.nodes;
  const double manifold_j_per_k = 0.5 * nodes * node.rack_liquid_volume_per_node_m3 *
                                  volumetric_heat_capacity_j_per_m3_k(coolant, scenario.cooling.loops.supply_k);
  RackPart rack;
  rack.name = rack_name(counts, index);
  rack.loop = static_cast<std::size_t>(loop_of_rack(counts, index));
  rack.supply_node = draft.declare_node(rack.name + ".supply", manifold_j_per_k, scenario.cooling.loops.supply_k);
  rack.return_node = draft.declare_node(rack.name + ".return", manifold_j_per_k, scenario.cooling.loops.supply_k);
  HallParts& hall = draft.plant.hall;
  rack.row = hall.racks.size() / ((static_cast<std::size_t>(counts.racks) + counts.rows - 1) / counts.rows);
  rack.exhaust_node =
      draft.declare_node(rack.name + ".exhaust", rack_exhaust_j_per_k(hall), scenario.cooling.room.initial_k);
  rack.door_water_node =
      draft.declare_node(rack.name + ".door", door_water_j_per_k(draft), scenario.cooling.doors.supply_k);
  rack.airflow_input = draft.declare_input(rack.name + ".airflow", nodes * node.airflow_kg_per_s);
  rack.load = draft.declare_load(LoadUse::node);
  rack.door_fans = draft.declare_door_fans(rack.name);
  hall.rows[rack.row].airflow_inputs.push_back(rack.airflow_input);
  hall.loops[rack.loop].racks.push_back(hall.racks.size());
  hall.racks.push_back(std::move(rack));
}

void declare_meters(PlantDraft& draft) {
  Meters& meters = draft.plant.meters;
  meters.feed = draft.declare_meter("feed.energy");
  meters.outdoors = draft.declare_meter("outdoors.heat");
  for (std::size_t use = 0; use < load_use_count; ++use) {
    meters.energy[use] = draft.declare_meter(std::string(load_use_names[use]) + ".energy");
  }
  meters.electrical_loss = draft.declare_meter("electrical.loss");
}

}  // namespace

double rack_exhaust_j_per_k(const HallParts& hall) {
  return exhaust_volume_m3 * physics::air_density_kg_per_m3 * hall.air_specific_heat_j_per_kg_k;
}

double water_heat_capacity_j_per_k(double volume_m3) {
  return volume_m3 * volumetric_heat_capacity_j_per_m3_k(physics::find_fluid("water"), water_reference_k);
}

double door_water_j_per_k(const PlantDraft& draft) {
  return water_heat_capacity_j_per_k(draft.scenario.cooling.doors.door.water_volume_m3);
}

void declare_hall(PlantDraft& draft) {
  const Scenario& scenario = draft.scenario;
  const physics::Fluid& coolant = physics::find_fluid(scenario.cooling.loops.coolant);
  HallParts& hall = draft.plant.hall;
  hall.nodes_per_rack = static_cast<std::size_t>(scenario.racks.nodes);
  hall.air_specific_heat_j_per_kg_k = physics::air_specific_heat_j_per_kg_k;
  hall.water_specific_heat_j_per_kg_k = physics::find_fluid("water").specific_heat_j_per_kg_k(water_reference_k);

  const HallCounts counts = counts_of(scenario);
  for (std::size_t l = 0; l < static_cast<std::size_t>(counts.loops); ++l) declare_loop(draft, l, coolant);
  declare_air(draft);
  for (int r = 0; r < counts.racks; ++r) declare_rack(draft, r, counts, coolant);
  declare_network(draft);
  for (std::size_t l = 0; l < hall.loops.size(); ++l) {
    for (int c = 0; c < counts.cdus_per_loop; ++c) declare_cdu(draft, l, coolant);
  }
  declare_water(draft);
  declare_air_handlers(draft);
  declare_meters(draft);
}

}  // namespace wattloop::twin
