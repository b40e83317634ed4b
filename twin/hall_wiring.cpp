// Connects the declared parts of the hall: streams, exchangers, pumps, controls and the flows that follow from them.

#include "physics/fluid.hpp"
#include "physics/hydraulics.hpp"
#include "twin/plant_draft.hpp"

namespace wattloop::twin {

namespace {

void wire_rack(PlantDraft& draft, const RackPart& rack) {
  const HallParts& hall = draft.plant.hall;
  const LoopPart& loop = hall.loops[rack.loop];
  const std::size_t flow = draft.plant.map.flow(loop.rack_flow);
  const std::size_t airflow = draft.plant.map.input(rack.airflow_input);
  const std::size_t door_flow = draft.plant.map.input(hall.door_flow_input);
  const std::size_t room = hall.rooms.front().node;
  const double air = hall.air_specific_heat_j_per_kg_k;
  const double water = hall.water_specific_heat_j_per_kg_k;
  draft.link(rack.name + ".supply_hose", loop.supply_node, rack.supply_node, flow, loop.specific_heat_j_per_kg_k);
  draft.link(rack.name + ".cold_plates", rack.supply_node, rack.return_node, flow, loop.specific_heat_j_per_kg_k);
  draft.link(rack.name + ".return_hose", rack.return_node, loop.return_node, flow, loop.specific_heat_j_per_kg_k);
  draft.link(rack.name + ".intake", room, rack.exhaust_node, airflow, air);
  draft.link(rack.name + ".door_air", rack.exhaust_node, room, airflow, air);
  draft.link(rack.name + ".door_supply", hall.chilled_water.supply_node, rack.door_water_node, door_flow, water);
  draft.link(rack.name + ".door_return", rack.door_water_node, hall.chilled_water.supply_node, door_flow, water);
  draft.doors.add({{draft.scenario.cooling.doors.door, air, water},
                   {draft.temperature(rack.exhaust_node), airflow, draft.temperature(hall.chilled_water.supply_node), door_flow},
                   {draft.heat(room), draft.heat(rack.door_water_node)}});
}

void wire_cdu(PlantDraft& draft, const CduPart& cdu) {
  const Plant& plant = draft.plant;
  const HallParts& hall = plant.hall;
  const LoopPart& loop = hall.loops[cdu.loop];
  const std::size_t flow = plant.map.flow(cdu.flow);
  const std::size_t facility_flow = plant.map.flow(cdu.facility_flow);
  const double water = hall.water_specific_heat_j_per_kg_k;
  const physics::CduParams& params = draft.scenario.cooling.loops.cdu;
  draft.link(cdu.name + ".suction", loop.return_node, cdu.outlet_node, flow, loop.specific_heat_j_per_kg_k);
  draft.link(cdu.name + ".discharge", cdu.outlet_node, loop.supply_node, flow, loop.specific_heat_j_per_kg_k);
  draft.link(cdu.name + ".facility_supply", hall.facility.supply_node, cdu.facility_node, facility_flow, water);
  draft.link(cdu.name + ".facility_return", cdu.facility_node, hall.facility.supply_node, facility_flow, water);
  draft.exchangers.add({{params, loop.specific_heat_j_per_kg_k, water},
                        {draft.temperature(loop.return_node), flow, draft.temperature(hall.facility.supply_node),
                         facility_flow},
                        {draft.heat(cdu.outlet_node), draft.heat(cdu.facility_node)}});
  const std::size_t sensor = cdu.first_control_state;
  draft.controls.add({params,
                      {draft.temperature(cdu.outlet_node), plant.map.input(loop.set_point_input), sensor, sensor + 1,
                       sensor + 2},
                      {sensor, sensor + 1, sensor + 2}});
}

void wire_pump(PlantDraft& draft, const PumpPart& pump, double density_kg_per_m3) {
  const Plant& plant = draft.plant;
  const CduPart& cdu = plant.hall.cdus[pump.cdu];
  const MotorPart& motor = plant.hall.motors[pump.motor];
  draft.pumps.add({{draft.scenario.cooling.loops.pump, density_kg_per_m3},
                   {motor.speed_state, plant.map.input(motor.command_input), plant.map.flow(pump.flow)},
                   {motor.speed_state, plant.map.load(motor.load), draft.heat(cdu.outlet_node),
                    draft.heat(plant.hall.rooms.front().node)}});
}

CduFlows cdu_flows(const Plant& plant, const CduPart& cdu) {
  CduFlows flows;
  for (const std::size_t p : cdu.pumps) {
    flows.pump_speed_states.push_back(plant.hall.motors[plant.hall.pumps[p].motor].speed_state);
    flows.pump_flow_signals.push_back(plant.map.flow(plant.hall.pumps[p].flow));
  }
  flows.flow_signal = plant.map.flow(cdu.flow);
  return flows;
}

FlowModel make_flow_model(const PlantDraft& draft, double density_kg_per_m3) {
  const Plant& plant = draft.plant;
  const LoopsSpec& spec = draft.scenario.cooling.loops;
  const NodeHardware& node = draft.scenario.racks.hardware;
  std::vector<LoopFlows> loops;
  for (const LoopPart& loop : plant.hall.loops) {
    LoopFlows flows;
    flows.rack_count = loop.racks.size();
    flows.rack_resistance_pa_s2_per_kg2 = physics::quadratic_resistance_pa_s2_per_kg2(
        node.coolant_pressure_drop_pa, node.coolant_design_flow_kg_per_s * draft.scenario.racks.nodes);
    flows.cdu_resistance_pa_s2_per_kg2 = physics::quadratic_resistance_pa_s2_per_kg2(
        spec.cdu.internal_pressure_drop_pa, spec.cdu.technology_design_flow_kg_per_s);
    flows.pump = physics::pump_curve(spec.pump, density_kg_per_m3);
    for (const std::size_t c : loop.cdus) flows.cdus.push_back(cdu_flows(plant, plant.hall.cdus[c]));
    flows.rack_flow_signal = plant.map.flow(loop.rack_flow);
    loops.push_back(std::move(flows));
  }
  std::vector<ValveFlow> valves;
  for (const CduPart& cdu : plant.hall.cdus) {
    valves.push_back({spec.cdu, cdu.first_control_state + 2, plant.map.flow(cdu.facility_flow)});
  }
  return FlowModel(std::move(loops), std::move(valves), plant.map.flow(0), plant.map.flow_count);
}

}  // namespace

void wire_hall(PlantDraft& draft) {
  Plant& plant = draft.plant;
  const physics::Fluid& coolant = physics::find_fluid(draft.scenario.cooling.loops.coolant);
  const double density_kg_per_m3 = coolant.density_kg_per_m3(draft.scenario.cooling.loops.supply_k);
  for (const RackPart& rack : plant.hall.racks) wire_rack(draft, rack);
  for (const CduPart& cdu : plant.hall.cdus) wire_cdu(draft, cdu);
  for (const PumpPart& pump : plant.hall.pumps) wire_pump(draft, pump, density_kg_per_m3);
  plant.flows = make_flow_model(draft, density_kg_per_m3);
  plant.rooms.push_back({plant.hall.rooms.front().name, draft.heat(plant.hall.rooms.front().node)});
}

}  // namespace wattloop::twin
