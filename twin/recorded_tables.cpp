// The quantities of every group of the results file: name, unit, meaning and where they come from.

#include <algorithm>
#include <span>

#include "core/problem.hpp"
#include "twin/recorder.hpp"

namespace wattloop::twin {

namespace {

double gpu_w(const Moment& m, std::size_t gpu) { return m.evaluation.unit_power_w[m.plant.hall.gpu_group][gpu]; }

double hottest_k(std::span<const RackDigest> racks) {
  double hottest = 0.0;
  for (const RackDigest& rack : racks) hottest = std::max(hottest, rack.hottest_k);
  return hottest;
}

double mean_k(const Moment& m, std::span<const RackDigest> racks) {
  const std::size_t per_rack = m.plant.hall.nodes_per_rack * m.plant.hall.gpus_per_node;
  double sum = 0.0;
  for (const RackDigest& rack : racks) sum += rack.sum_die_k;
  return sum / static_cast<double>(racks.size() * per_rack);
}

double throttled_count(std::span<const RackDigest> racks) {
  std::size_t count = 0;
  for (const RackDigest& rack : racks) count += rack.throttled_gpus;
  return static_cast<double>(count);
}

double gpu_power_w(std::span<const RackDigest> racks) {
  double sum = 0.0;
  for (const RackDigest& rack : racks) sum += rack.gpu_power_w;
  return sum;
}

std::span<const RackDigest> of_rack(const Moment& m, std::size_t rack) { return {&m.evaluation.racks[rack], 1}; }
std::span<const RackDigest> of_hall(const Moment& m) { return m.evaluation.racks; }

/// Power of all loads of one use: what its meter counts.
double power_w(const Moment& m, LoadUse use) { return m.evaluation.sinks[m.plant.meters.energy[index(use)]]; }

double node_power_w(const Moment& m) { return power_w(m, LoadUse::node); }
double pump_power_w(const Moment& m) { return power_w(m, LoadUse::cdu_pump); }

double rejected_w(const Moment& m) {
  double sum = m.evaluation.sinks[m.plant.meters.outdoors];
  for (const std::size_t meter : m.plant.meters.boundaries) sum += m.evaluation.sinks[meter];
  return sum;
}

template <class Parts>
std::vector<std::string> names_of(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.name);
  return names;
}

RecordedTable facility_table(const RecordSpec& record) {
  return {table_of("facility", "", {}),
          record.facility_s,
          {
              {{"power", "W", "power at the utility feed"},
               [](const Moment& m, std::size_t) { return m.evaluation.power.source_total_w; }},
              {{"it_power", "W", "power at the AC inlets of all IT equipment"},
               [](const Moment& m, std::size_t) { return node_power_w(m); }},
              {{"node_power", "W", "power at the AC inlets of the nodes"},
               [](const Moment& m, std::size_t) { return node_power_w(m); }},
              {{"gpu_power", "W", "power of all GPUs, leakage included"},
               [](const Moment& m, std::size_t) { return gpu_power_w(of_hall(m)); }},
              {{"pump_power", "W", "power of the CDU pumps"},
               [](const Moment& m, std::size_t) { return pump_power_w(m); }},
              {{"electrical_loss", "W", "loss in transformers, UPS and PDUs"},
               [](const Moment& m, std::size_t) { return m.evaluation.power.loss_w; }},
              {{"pue", "1", "power at the feed over IT power, 0 without; making facility water is not part of it"},
               [](const Moment& m, std::size_t) {
                 return node_power_w(m) > 0.0 ? m.evaluation.power.source_total_w / node_power_w(m) : 0.0;
               }},
              {{"heat_rejected", "W", "heat to facility water, door water and outdoors"},
               [](const Moment& m, std::size_t) { return rejected_w(m); }},
              {{"max_die_temperature", "K", "temperature of the hottest die"},
               [](const Moment& m, std::size_t) { return hottest_k(of_hall(m)); }},
              {{"mean_die_temperature", "K", "mean temperature of all dies"},
               [](const Moment& m, std::size_t) { return mean_k(m, of_hall(m)); }},
              {{"throttled_gpus", "1", "GPUs below full clock, switched-off ones not counted"},
               [](const Moment& m, std::size_t) { return throttled_count(of_hall(m)); }},
          }};
}

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
          }};
}

double cdu_heat_w(const Moment& m, const CduPart& cdu) {
  return m.flow_kg_per_s(cdu.facility_flow) * m.plant.hall.water_specific_heat_j_per_kg_k *
         (m.node_k(cdu.facility_node) - m.node_k(m.plant.hall.facility.supply_node));
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
               [](const Moment& m, std::size_t i) { return cdu_heat_w(m, m.plant.hall.cdus[i]); }},
              {{"valve_position", "1", "position of the facility valve"},
               [](const Moment& m, std::size_t i) {
                 return m.state.states[m.plant.hall.cdus[i].first_control_state + 2];
               }},
          }};
}

RecordedTable pump_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("pumps", "pump", names_of(plant.hall.pumps)),
          record.facility_s,
          {
              {{"speed", "1", "speed over rated speed"},
               [](const Moment& m, std::size_t i) { return m.state.states[m.plant.hall.motors[m.plant.hall.pumps[i].motor].speed_state]; }},
              {{"flow", "kg/s", "coolant through the pump"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.pumps[i].flow); }},
              {{"power", "W", "electric power"},
               [](const Moment& m, std::size_t i) { return m.load_w(m.plant.hall.motors[m.plant.hall.pumps[i].motor].load); }},
          }};
}

RecordedTable room_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("rooms", "room", names_of(plant.hall.rooms)),
          record.facility_s,
          {
              {{"temperature", "K", "air in the room"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.rooms[i].node); }},
              {{"electrical_loss", "W", "heat from electrical equipment in the room"},
               [](const Moment& m, std::size_t i) { return m.evaluation.power.room_loss_w[i]; }},
          }};
}

RecordedTable rack_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("racks", "rack", names_of(plant.hall.racks)),
          record.racks_s,
          {
              {{"it_power", "W", "power at the AC inlets of the rack's nodes"},
               [](const Moment& m, std::size_t i) { return m.load_w(m.plant.hall.racks[i].load); }},
              {{"inlet_air_temperature", "K", "air before the nodes"},
               [](const Moment& m, std::size_t i) {
                 return m.node_k(m.plant.hall.rows[m.plant.hall.racks[i].row].cold_node);
               }},
              {{"outlet_air_temperature", "K", "air behind the nodes, before the door"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.racks[i].exhaust_node); }},
              {{"supply_temperature", "K", "coolant at the inlets of the cold plates"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.racks[i].supply_node); }},
              {{"return_temperature", "K", "coolant in the rack's return manifold"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.racks[i].return_node); }},
              {{"door_return_temperature", "K", "water leaving the rear door"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.racks[i].door_water_node); }},
              {{"flow", "kg/s", "coolant through the rack"},
               [](const Moment& m, std::size_t i) {
                 return m.flow_kg_per_s(m.plant.hall.loops[m.plant.hall.racks[i].loop].rack_flow);
               }},
              {{"airflow", "kg/s", "air through the rack"},
               [](const Moment& m, std::size_t i) { return m.state.inputs[m.plant.hall.racks[i].airflow_input]; }},
              {{"max_die_temperature", "K", "temperature of the rack's hottest die"},
               [](const Moment& m, std::size_t i) { return hottest_k(of_rack(m, i)); }},
              {{"mean_die_temperature", "K", "mean temperature of the rack's dies"},
               [](const Moment& m, std::size_t i) { return mean_k(m, of_rack(m, i)); }},
              {{"throttled_gpus", "1", "GPUs below full clock, switched-off ones not counted"},
               [](const Moment& m, std::size_t i) { return throttled_count(of_rack(m, i)); }},
          }};
}

/// All that may be recorded of a GPU: power, clock and every state of its unit model.
std::vector<RecordedColumn> gpu_columns(const Plant& plant) {
  std::vector<RecordedColumn> columns = {
      {{"power", "W", "power of the GPU, leakage included"}, gpu_w},
      {{"clock_fraction", "1", "clock allowed by firmware over full clock"},
       [](const Moment& m, std::size_t gpu) { return m.state.work.clock_fraction[gpu]; }},
  };
  const UnitGroup& gpus = *plant.groups[plant.hall.gpu_group];
  for (std::size_t s = 0; s < gpus.states().size(); ++s) {
    const StateInfo& info = gpus.states()[s];
    columns.push_back({{std::string(info.name), std::string(info.unit), "state of the unit model"},
                       [&gpus, s](const Moment& m, std::size_t gpu) { return m.state.states[gpus.state_slot(s, gpu)]; }});
  }
  return columns;
}

RecordedTable gpu_table(const Plant& plant, const RecordSpec& record) {
  RecordedTable table{table_of("gpus", "gpu", {}), record.gpus_s, {}};
  table.spec.numbered_items = plant.hall.gpu_count();
  table.spec.item_long_name = "GPU, counted rack by rack and node by node";
  for (const RecordedColumn& column : gpu_columns(plant)) {
    const auto& wanted = record.gpu_fields;
    if (std::find(wanted.begin(), wanted.end(), column.spec.name) != wanted.end()) table.columns.push_back(column);
  }
  return table;
}

}  // namespace

TableSpec table_of(std::string group, std::string item_dimension, std::vector<std::string> items) {
  TableSpec spec;
  spec.group = std::move(group);
  spec.item_dimension = std::move(item_dimension);
  spec.items = std::move(items);
  return spec;
}

std::vector<RecordedTable> recorded_tables(const Plant& plant, const RecordSpec& record) {
  std::vector<RecordedTable> tables{facility_table(record)};
  for (RecordedTable& table : power_tables(plant, record)) tables.push_back(std::move(table));
  tables.push_back(loop_table(plant, record));
  tables.push_back(cdu_table(plant, record));
  tables.push_back(pump_table(plant, record));
  tables.push_back(room_table(plant, record));
  tables.push_back(rack_table(plant, record));
  tables.push_back(gpu_table(plant, record));
  return tables;
}

}  // namespace wattloop::twin
