// The tables of a plant; what racks and rooms are reported besides the columns of their headers; GPUs.

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "twin/run/recording/recorder.hpp"

namespace wattloop::twin {

namespace {

void add_dies(std::vector<RecordedColumn>& columns) {
  columns.push_back({{"max_die_temperature", "K", "temperature of the rack's hottest die"},
                     [](const PlantSnapshot& m, std::size_t rack) { return hottest_die_k(m.rack(rack)); }});
  columns.push_back({{"mean_die_temperature", "K", "mean temperature of the rack's dies"},
                     [](const PlantSnapshot& m, std::size_t rack) { return mean_die_k(m.rack(rack)); }});
  columns.push_back(
      {{"throttled_gpus", "1", "GPUs below full clock, without GPUs that are switched off"},
       [](const PlantSnapshot& m, std::size_t rack) { return static_cast<double>(throttled_gpus(m.rack(rack))); }});
  columns.push_back(
      {{"shut_down_gpus", "1", "GPUs of nodes that are switched off"},
       [](const PlantSnapshot& m, std::size_t rack) { return static_cast<double>(shut_down_gpus(m.rack(rack))); }});
  columns.push_back(
      {{"down_gpus", "1", "GPUs of nodes that are down: switched off, without power or booting"},
       [](const PlantSnapshot& m, std::size_t rack) { return static_cast<double>(down_gpus(m.rack(rack))); }});
}

/// Of nodes whose fans follow temperatures.
void add_fans(const Plant& plant, std::vector<RecordedColumn>& columns) {
  if (!has_node_fans(plant)) return;
  columns.push_back({{"fan_speed", "1", "speed of the nodes' fans, divided by full speed"},
                     [](const PlantSnapshot& m, std::size_t rack) { return fan_speed_fraction(m.state, rack); }});
}

/// What air handlers hold; not a number in rooms that have none.
void add_set_points(const Plant& plant, std::vector<RecordedColumn>& columns) {
  const auto has_set_point = [](const RoomPart& room) { return room.set_point_input != no_part; };
  if (std::ranges::none_of(plant.rooms, has_set_point)) return;
  columns.push_back(
      {{"air_set_point", "K", "set-point of the air in the room"}, [](const PlantSnapshot& m, std::size_t room) {
         const std::size_t input = m.plant.rooms[room].set_point_input;
         return input == no_part ? std::numeric_limits<double>::quiet_NaN() : m.input(input);
       }});
}

/// What the power system loses in each room.
void add_losses(std::vector<RecordedColumn>& columns) {
  columns.push_back({{"electrical_loss", "W", "heat from electrical equipment in the room"},
                     [](const PlantSnapshot& m, std::size_t room) { return m.evaluation.power.room_loss_w[room]; }});
}

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

/// A column of GPUs from what `values` gives of all GPUs of a group; not a number where it gives none.
template <class Values>
RecordedColumn gpu_column(ColumnSpec spec, Values values) {
  const auto one = [values](const PlantSnapshot& m, std::size_t gpu) {
    const RackGroup& group = group_of_gpu(m.plant, gpu);
    const std::span<const double> found = values(m, group);
    return found.empty() ? not_there : found[group.unit_of(gpu)];
  };
  const auto all = [values](const PlantSnapshot& m, std::span<double> gpus) {
    std::ranges::fill(gpus, not_there);
    for (const RackGroup& group : m.plant.it.groups)
      std::ranges::copy(values(m, group), gpus.subspan(group.first_gpu).begin());
  };
  return {std::move(spec), one, all};
}

/// A state by its name, which GPUs of some kinds may not have.
RecordedColumn state_column(const StateInfo& info) {
  const auto values = [name = info.name](const PlantSnapshot& m, const RackGroup& group) -> std::span<const double> {
    const UnitGroup& units = *m.plant.groups[group.gpu_units];
    const auto state = std::ranges::find(units.states(), name, &StateInfo::name);
    if (state == units.states().end()) return {};
    const auto number = static_cast<std::size_t>(state - units.states().begin());
    return std::span(m.state.states).subspan(units.state_slot(number, 0), group.gpu_count());
  };
  return gpu_column({std::string(info.name), std::string(info.unit), "state of the unit model"}, values);
}

/// All that may be recorded of a GPU: power, clock and every state of its unit model.
std::vector<RecordedColumn> gpu_columns(const Plant& plant) {
  std::vector<RecordedColumn> columns = {
      gpu_column({"power", "W", "power of the GPU, leakage included"},
                 [](const PlantSnapshot& m, const RackGroup& group) -> std::span<const double> {
                   return std::span(m.evaluation.unit_power_w[group.gpu_units]).first(group.gpu_count());
                 }),
      {{"clock_fraction", "1", "clock that firmware and the power limit allow, divided by full clock"},
       [](const PlantSnapshot& m, std::size_t gpu) {
         return std::min(m.state.work.clock_fraction[gpu], m.state.work.capped_clock_fraction[gpu]);
       }},
      gpu_column(
          {"burn_in_time_ratio", "1", "time of its matrix products in an acceptance test, divided by the median"},
          [](const PlantSnapshot& m, const RackGroup& group) -> std::span<const double> {
            const std::vector<double>& all = m.state.work.test.time_ratio;
            return all.empty() ? std::span<const double>{} : std::span(all).subspan(group.first_gpu, group.gpu_count());
          }),
  };
  for (const RackGroup& group : plant.it.groups) {
    for (const StateInfo& info : plant.groups[group.gpu_units]->states()) {
      const bool is_known =
          std::ranges::any_of(columns, [&](const auto& known) { return known.spec.name == info.name; });
      if (!is_known) columns.push_back(state_column(info));
    }
  }
  return columns;
}

/// Names of GPUs, and of the racks and nodes that they stand in.
std::vector<ItemLabels> gpu_labels(const Plant& plant) {
  std::vector<ItemLabels> labels{{"gpu_name", "name of the GPU, as events have it", {}},
                                 {"rack", "rack that contains it", {}},
                                 {"node", "node that contains it", {}}};
  for (std::size_t gpu = 0; gpu < plant.it.gpu_count(); ++gpu) {
    const std::string& name = gpu_name(plant, gpu);
    const std::string node = name.substr(0, name.rfind('.'));
    labels[0].texts.push_back(name);
    labels[1].texts.push_back(node.substr(0, node.rfind('.')));
    labels[2].texts.push_back(node);
  }
  return labels;
}

RecordedTable gpu_table(const Plant& plant, const RecordSpec& record) {
  RecordedTable table{
      table_of("gpus", "gpu", {}), record.gpus_s, {}, false};  // single GPUs are present at their times alone
  table.spec.numbered_items = plant.it.gpu_count();
  table.spec.item_long_name = "GPU, counted rack by rack and node by node";
  table.spec.labels = gpu_labels(plant);
  for (const RecordedColumn& column : gpu_columns(plant)) {
    const auto& requested = record.gpu_fields;
    if (std::find(requested.begin(), requested.end(), column.spec.name) != requested.end())
      table.columns.push_back(column);
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
  add(part_tables(plant, record));
  for (RecordedTable& table : tables) {
    if (table.spec.group == "racks") {
      add_dies(table.columns);
      add_fans(plant, table.columns);
    }
    if (table.spec.group == "rooms") {
      add_losses(table.columns);
      add_set_points(plant, table.columns);
    }
  }
  add(state_tables(plant, record));
  if (plant.fabric) add(fabric_tables(*plant.fabric, record));
  tables.push_back(gpu_table(plant, record));
  return tables;
}

}  // namespace wattloop::twin
