// What is recorded of coolant and water: technology loops, CDUs, pumps, water systems, towers, chillers.

#include <cmath>
#include <limits>

#include "physics/cdu_valve.hpp"
#include "twin/run/recorder.hpp"

namespace wattloop::twin {

namespace {

RecordedTable loop_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("loops", "loop", names_of(plant.hall.loops)),
          record.facility_s,
          {
              {{"supply_temperature", "K", "coolant in the supply header"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.loops[i].supply_node); }},
              {{"return_temperature", "K", "coolant in the return header"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.loops[i].return_node); }},
              {{"supply_set_point", "K", "set-point of the supply temperature"},
               [](const Moment& m, std::size_t i) { return m.state.inputs[m.plant.hall.loops[i].set_point_input]; }},
              {{"flow", "kg/s", "coolant through all racks of the loop"},
               [](const Moment& m, std::size_t i) {
                 const LoopPart& loop = m.plant.hall.loops[i];
                 return m.flow_kg_per_s(loop.rack_flow) * static_cast<double>(loop.racks.size());
               }},
              {{"differential_pressure", "Pa", "pressure between the headers: what the racks take"},
               [](const Moment& m, std::size_t i) {
                 const LoopPart& loop = m.plant.hall.loops[i];
                 const double rack_kg_per_s = m.flow_kg_per_s(loop.rack_flow);
                 return loop.rack_resistance_pa_s2_per_kg2 * rack_kg_per_s * std::abs(rack_kg_per_s);
               }},
              {{"heat", "W", "heat between the headers: what the racks of the loop gave to the coolant"},
               [](const Moment& m, std::size_t i) { return m.loop_heat_w(m.plant.hall.loops[i]); }},
          }};
}

RecordedTable cdu_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("cdus", "cdu", names_of(plant.hall.cdus)),
          record.facility_s,
          {
              {{"supply_temperature", "K", "coolant leaving the unit"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.cdus[i].outlet_node); }},
              {{"return_temperature", "K", "coolant entering the unit"},
               [](const Moment& m, std::size_t i) {
                 return m.node_k(m.plant.hall.loops[m.plant.hall.cdus[i].loop].return_node);
               }},
              {{"facility_return_temperature", "K", "facility water leaving the unit"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.cdus[i].facility_node); }},
              {{"flow", "kg/s", "coolant through the unit"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.cdus[i].flow); }},
              {{"facility_flow", "kg/s", "facility water through the unit"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.cdus[i].facility_flow); }},
              {{"heat", "W", "heat carried away by the facility water"},
               [](const Moment& m, std::size_t i) { return m.cdu_heat_w(m.plant.hall.cdus[i]); }},
              {{"loading", "1", "heat over rated heat"},
               [](const Moment& m, std::size_t i) {
                 const CduPart& cdu = m.plant.hall.cdus[i];
                 return m.cdu_heat_w(cdu) / cdu.rated_heat_w;
               }},
              {{"valve_position", "1", "position of the facility valve"},
               [](const Moment& m, std::size_t i) {
                 const std::size_t first = m.plant.hall.cdus[i].first_valve_state;
                 return m.state.states[slot_of(first, &physics::CduValve::State::valve_fraction)];
               }},
          }};
}

/// A pump of a CDU or of a water system, whose pumps share its flow by their speeds.
struct AnyPump {
  std::string name;
  std::size_t motor = 0;
  std::size_t flow = 0;
  double duty = 0.0;  ///< of the system; 0: the flow is the pump's own
};

std::vector<AnyPump> all_pumps(const HallParts& hall) {
  std::vector<AnyPump> pumps;
  for (const PumpPart& pump : hall.pumps) pumps.push_back({pump.name, pump.motor, pump.flow, 0.0});
  for (const WaterPart* water : {&hall.facility, &hall.chilled_water}) {
    for (const std::size_t motor : water->pumps) {
      pumps.push_back({hall.motors[motor].name, motor, water->load_flow, static_cast<double>(water->duty)});
    }
  }
  return pumps;
}

RecordedTable pump_table(const Plant& plant, const RecordSpec& record) {
  const std::vector<AnyPump> pumps = all_pumps(plant.hall);
  return {table_of("pumps", "pump", names_of(pumps)),
          record.facility_s,
          {
              {{"speed", "1", "speed over rated speed"},
               [pumps](const Moment& m, std::size_t i) { return m.speed_fraction(pumps[i].motor); }},
              {{"flow", "kg/s", "coolant or water through the pump"},
               [pumps](const Moment& m, std::size_t i) {
                 const double flow = m.flow_kg_per_s(pumps[i].flow);
                 return pumps[i].duty > 0.0 ? flow * m.speed_fraction(pumps[i].motor) / pumps[i].duty : flow;
               }},
              {{"power", "W", "electric power"},
               [pumps](const Moment& m, std::size_t i) { return m.motor_w(pumps[i].motor); }},
          }};
}

/// Facility water and chilled water, as far as the hall makes them itself.
RecordedTable system_table(const std::vector<const WaterPart*>& systems, const RecordSpec& record) {
  std::vector<std::string> names;
  for (const WaterPart* system : systems) names.push_back(system->name);
  return {table_of("water_systems", "water_system", names),
          record.facility_s,
          {
              {{"supply_temperature", "K", "water in the supply header"},
               [systems](const Moment& m, std::size_t i) { return m.node_k(systems[i]->supply_node); }},
              {{"return_temperature", "K", "water in the return header"},
               [systems](const Moment& m, std::size_t i) { return m.node_k(systems[i]->return_node); }},
              {{"supply_set_point", "K", "set-point of the supply temperature"},
               [systems](const Moment& m, std::size_t i) { return m.input(systems[i]->set_point_input); }},
              {{"flow", "kg/s", "water to all users"},
               [systems](const Moment& m, std::size_t i) {
                 return m.flow_kg_per_s(systems[i]->source_flow) - m.flow_kg_per_s(systems[i]->bypass_flow);
               }},
              {{"source_flow", "kg/s", "water through towers or chillers"},
               [systems](const Moment& m, std::size_t i) { return m.flow_kg_per_s(systems[i]->source_flow); }},
              {{"bypass_flow", "kg/s", "water from the supply to the return header; negative: the other way"},
               [systems](const Moment& m, std::size_t i) { return m.flow_kg_per_s(systems[i]->bypass_flow); }},
          }};
}

RecordedTable tower_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("towers", "tower", names_of(plant.hall.towers)),
          record.facility_s,
          {
              {{"leaving_temperature", "K", "water in the basin, and leaving it"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.towers[i].basin_node); }},
              {{"fan_speed", "1", "speed of the fan over full speed"},
               [](const Moment& m, std::size_t i) { return m.state.states[m.plant.hall.towers[i].fan_state]; }},
              {{"flow", "kg/s", "water through the cell"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.towers[i].flow); }},
              {{"heat", "W", "heat that the water left in the cell and its basin"},
               [](const Moment& m, std::size_t i) { return m.tower_heat_w(m.plant.hall.towers[i]); }},
              {{"power", "W", "electric power of fan and pump"},
               [](const Moment& m, std::size_t i) { return m.motor_w(m.plant.hall.towers[i].motor); }},
              {{"loading", "1", "heat over rated heat"},
               [](const Moment& m, std::size_t i) {
                 const TowerPart& tower = m.plant.hall.towers[i];
                 return m.tower_heat_w(tower) / tower.rated_heat_w;
               }},
          }};
}

double cop_ratio(const Moment& m, const ChillerPart& chiller) {
  const double power_w = m.motor_w(chiller.motor);
  return power_w > 0.0 ? m.chiller_heat_w(chiller) / power_w : std::numeric_limits<double>::quiet_NaN();
}

RecordedTable chiller_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("chillers", "chiller", names_of(plant.hall.chillers)),
          record.facility_s,
          {
              {{"supply_temperature", "K", "chilled water leaving the machine"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.chillers[i].evaporator_node); }},
              {{"condenser_leaving_temperature", "K", "condenser water leaving the machine"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.chillers[i].condenser_node); }},
              {{"flow", "kg/s", "chilled water through the machine"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.chillers[i].chilled_flow); }},
              {{"condenser_flow", "kg/s", "condenser water through the machine"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.chillers[i].condenser_flow); }},
              {{"heat", "W", "heat that the chilled water left in the machine"},
               [](const Moment& m, std::size_t i) { return m.chiller_heat_w(m.plant.hall.chillers[i]); }},
              {{"power", "W", "electric power of compressor and both pumps"},
               [](const Moment& m, std::size_t i) { return m.motor_w(m.plant.hall.chillers[i].motor); }},
              RecordedColumn({"cop", "1", "heat over power; not a number while the machine stands"},
                             [](const Moment& m, std::size_t i) { return cop_ratio(m, m.plant.hall.chillers[i]); })
                  .ratio_of("heat", "power"),
              {{"loading", "1", "heat over rated heat"},
               [](const Moment& m, std::size_t i) {
                 const ChillerPart& chiller = m.plant.hall.chillers[i];
                 return m.chiller_heat_w(chiller) / chiller.rated_heat_w;
               }},
          }};
}

}  // namespace

std::vector<RecordedTable> water_tables(const Plant& plant, const RecordSpec& record) {
  const HallParts& hall = plant.hall;
  std::vector<RecordedTable> tables{loop_table(plant, record), cdu_table(plant, record), pump_table(plant, record)};
  std::vector<const WaterPart*> systems;
  for (const WaterPart* water : {&hall.facility, &hall.chilled_water}) {
    if (is_own(*water)) systems.push_back(water);
  }
  if (!systems.empty()) tables.push_back(system_table(systems, record));
  if (!hall.towers.empty()) tables.push_back(tower_table(plant, record));
  if (!hall.chillers.empty()) tables.push_back(chiller_table(plant, record));
  return tables;
}

}  // namespace wattloop::twin
