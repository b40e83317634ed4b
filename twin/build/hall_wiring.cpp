// Connects the declared parts of the hall: streams, exchangers, pumps, controls and the flows that follow from them.

#include <algorithm>

#include "physics/cdu_exchanger.hpp"
#include "physics/cdu_valve.hpp"
#include "physics/coolant_pump.hpp"
#include "physics/fluid.hpp"
#include "physics/hydraulics.hpp"
#include "physics/loop_pressure.hpp"
#include "twin/plant/plant_draft.hpp"

namespace wattloop::twin {

namespace {

void wire_rack(PlantDraft& draft, const RackPart& rack) {
  const HallParts& hall = draft.plant.hall;
  const LoopPart& loop = hall.loops[rack.loop];
  const std::size_t flow = draft.plant.map.flow(loop.rack_flow);
  draft.link(rack.name + ".supply_hose", loop.supply_node, rack.supply_node, flow, loop.specific_heat_j_per_kg_k);
  draft.link(rack.name + ".cold_plates", rack.supply_node, rack.return_node, flow, loop.specific_heat_j_per_kg_k);
  draft.link(rack.name + ".return_hose", rack.return_node, loop.return_node, flow, loop.specific_heat_j_per_kg_k);
  wire_rack_air(draft, {rack.name, hall.rows[rack.row], rack.exhaust_node, rack.door_water_node, rack.airflow_input,
                        rack.door_fans});
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
  draft.link(cdu.name + ".facility_return", cdu.facility_node, hall.facility.return_node, facility_flow, water);
  draft.add<physics::CduExchanger>(
      params,
      {.technology = draft.inlet_from<PortMedium::liquid>(loop.return_node, flow, loop.specific_heat_j_per_kg_k),
       .facility = draft.inlet_from<PortMedium::liquid>(hall.facility.supply_node, facility_flow, water)},
      {.technology = draft.heat_into(cdu.outlet_node), .facility = draft.heat_into(cdu.facility_node)});
  const auto valve = numbered<physics::CduValve::State>(cdu.first_valve_state);
  draft.add<physics::CduValve>(params,
                               {.supply_k = as_number(draft.temperature(cdu.outlet_node)),
                                .set_point_k = as_number(plant.map.input(loop.set_point_input)),
                                .state = valve},
                               {.rate = valve});
}

void wire_pump(PlantDraft& draft, const PumpPart& pump, double density_kg_per_m3) {
  const Plant& plant = draft.plant;
  const CduPart& cdu = plant.hall.cdus[pump.cdu];
  const LoopPart& loop = plant.hall.loops[cdu.loop];
  const MotorPart& motor = plant.hall.motors[pump.motor];
  const LoopsSpec& spec = draft.scenario.cooling.loops;
  const auto speed = numbered<physics::CoolantPump::State>(motor.speed_state);
  const auto control = numbered<physics::LoopPressure::State>(loop.first_control_state);
  draft.add<physics::CoolantPump>(pump.name, {spec.pump, spec.pressure_control, density_kg_per_m3},
                                  {.state = speed,
                                   .motor = draft.order_of(motor),
                                   .coolant = {as_number(plant.map.flow(pump.flow))},
                                   .set_point_pa = as_number(plant.map.input(loop.pressure_input)),
                                   .sensor_pa = control.sensor_pa,
                                   .integral_fraction = control.integral_fraction},
                                  {.rate = speed,
                                   .motor = draft.power_of(motor),
                                   .coolant = draft.heat_into(cdu.outlet_node),
                                   .room = draft.heat_into(plant.hall.rooms.front().node)});
}

void wire_pressure_control(PlantDraft& draft, const LoopPart& loop) {
  const SignalMap& map = draft.plant.map;
  const auto control = numbered<physics::LoopPressure::State>(loop.first_control_state);
  draft.add<physics::LoopPressure>({draft.scenario.cooling.loops.pressure_control, loop.rack_resistance_pa_s2_per_kg2},
                                   {.rack_kg_per_s = as_number(map.flow(loop.rack_flow)),
                                    .set_point_pa = as_number(map.input(loop.pressure_input)),
                                    .highest_speed_fraction = as_number(map.input(loop.pump_speed_input)),
                                    .state = control},
                                   {.rate = control});
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

/// Flows of the technology loops, and of the facility water through the valves of their CDUs.
void add_loop_flows(PlantDraft& draft, double density_kg_per_m3) {
  const Plant& plant = draft.plant;
  const LoopsSpec& spec = draft.scenario.cooling.loops;
  for (const LoopPart& loop : plant.hall.loops) {
    LoopFlows flows;
    flows.rack_count = loop.racks.size();
    flows.rack_resistance_pa_s2_per_kg2 = loop.rack_resistance_pa_s2_per_kg2;
    flows.cdu_resistance_pa_s2_per_kg2 = physics::quadratic_resistance_pa_s2_per_kg2(
        spec.cdu.internal_pressure_drop_pa, spec.cdu.technology_design_flow_kg_per_s);
    flows.pump = physics::pump_curve(spec.pump, density_kg_per_m3);
    for (const std::size_t c : loop.cdus) flows.cdus.push_back(cdu_flows(plant, plant.hall.cdus[c]));
    flows.rack_flow_signal = plant.map.flow(loop.rack_flow);
    draft.flows.loops.push_back(std::move(flows));
  }
  std::vector<std::size_t> facility_speeds;
  for (const std::size_t motor : plant.hall.facility.pumps)
    facility_speeds.push_back(plant.hall.motors[motor].speed_state);
  for (const CduPart& cdu : plant.hall.cdus) {
    draft.flows.driven.push_back(
        {.design_kg_per_s = spec.cdu.facility_design_flow_kg_per_s,
         .valve_state = slot_of(cdu.first_valve_state, &physics::CduValve::State::valve_fraction),
         .valve = spec.cdu,
         .speed_states = facility_speeds,
         .duty = static_cast<double>(std::max<std::size_t>(plant.hall.facility.duty, 1)),
         .flow_signal = plant.map.flow(cdu.facility_flow)});
  }
}

}  // namespace

void wire_hall(PlantDraft& draft) {
  Plant& plant = draft.plant;
  const physics::Fluid& coolant = physics::find_fluid(draft.scenario.cooling.loops.coolant);
  const double density_kg_per_m3 = coolant.density_kg_per_m3(draft.scenario.cooling.loops.supply_k);
  for (const RackPart& rack : plant.hall.racks) wire_rack(draft, rack);
  for (const CduPart& cdu : plant.hall.cdus) wire_cdu(draft, cdu);
  for (const LoopPart& loop : plant.hall.loops) wire_pressure_control(draft, loop);
  for (const PumpPart& pump : plant.hall.pumps) wire_pump(draft, pump, density_kg_per_m3);
  add_loop_flows(draft, density_kg_per_m3);
  wire_network(draft);
  wire_water(draft);
  wire_air(draft);
}

}  // namespace wattloop::twin
