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

}  // namespace

std::vector<RecordedTable> water_tables(const Plant& plant, const RecordSpec& record) {
  const HallParts& hall = plant.hall;
  std::vector<RecordedTable> tables{loop_table(plant, record), cdu_table(plant, record),
                                    part_table(plant, record, "pumps")};
  std::vector<const WaterPart*> systems;
  for (const WaterPart* water : {&hall.facility, &hall.chilled_water}) {
    if (is_own(*water)) systems.push_back(water);
  }
  if (!systems.empty()) tables.push_back(system_table(systems, record));
  if (!hall.towers.empty()) tables.push_back(part_table(plant, record, "towers"));
  if (!hall.chillers.empty()) tables.push_back(part_table(plant, record, "chillers"));
  return tables;
}

}  // namespace wattloop::twin
