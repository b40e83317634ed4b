// The tables of a plant, and those of racks, network racks and GPUs: name, unit, meaning and where each quantity comes
// from.

#include <algorithm>
#include <iterator>
#include <utility>

#include "twin/run/recorder.hpp"

namespace wattloop::twin {

namespace {

double gpu_w(const Moment& m, std::size_t gpu) { return m.evaluation.unit_power_w[m.plant.hall.gpu_group][gpu]; }

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
               [](const Moment& m, std::size_t i) { return hottest_die_k(m.rack(i)); }},
              {{"mean_die_temperature", "K", "mean temperature of the rack's dies"},
               [](const Moment& m, std::size_t i) { return m.mean_die_k(m.rack(i)); }},
              {{"throttled_gpus", "1", "GPUs below full clock, switched-off ones not counted"},
               [](const Moment& m, std::size_t i) { return static_cast<double>(throttled_gpus(m.rack(i))); }},
          }};
}

RecordedTable network_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("network", "network_rack", names_of(plant.hall.network_racks)),
          record.racks_s,
          {
              {{"power", "W", "power of the rack's switches"},
               [](const Moment& m, std::size_t i) { return m.load_w(m.plant.hall.network_racks[i].load); }},
              {{"inlet_air_temperature", "K", "air before the switches"},
               [](const Moment& m, std::size_t i) {
                 return m.node_k(m.plant.hall.rows[m.plant.hall.network_racks[i].row].cold_node);
               }},
              {{"outlet_air_temperature", "K", "air behind the switches, before the door"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.network_racks[i].exhaust_node); }},
              {{"door_return_temperature", "K", "water leaving the rear door"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.network_racks[i].door_water_node); }},
              {{"airflow", "kg/s", "air through the rack"},
               [](const Moment& m, std::size_t i) { return m.input(m.plant.hall.network_racks[i].airflow_input); }},
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
    columns.push_back(
        {{std::string(info.name), std::string(info.unit), "state of the unit model"},
         [&gpus, s](const Moment& m, std::size_t gpu) { return m.state.states[gpus.state_slot(s, gpu)]; }});
  }
  return columns;
}

RecordedTable gpu_table(const Plant& plant, const RecordSpec& record) {
  RecordedTable table{
      table_of("gpus", "gpu", {}), record.gpus_s, {}, false};  // single GPUs are at hand at their times alone
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
  std::vector<RecordedTable> tables{facility_table(plant, record)};
  const auto add = [&tables](std::vector<RecordedTable> more) {
    std::move(more.begin(), more.end(), std::back_inserter(tables));
  };
  add(power_tables(plant, record));
  add(water_tables(plant, record));
  add(air_tables(plant, record));
  tables.push_back(rack_table(plant, record));
  if (!plant.hall.network_racks.empty()) tables.push_back(network_table(plant, record));
  tables.push_back(gpu_table(plant, record));
  return tables;
}

}  // namespace wattloop::twin
