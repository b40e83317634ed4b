// Switches and links of a modelled fabric: what they carry, and which have failed. Values change at instants only and are reported as they are.

#include "network/fabric/fabric_health.hpp"
#include "twin/run/recording/recorder.hpp"

namespace wattloop::twin {

namespace {

using Fill = std::function<void(const PlantSnapshot&, std::span<double>)>;

/// Of a column whose items are found together.
RecordedColumn together(ColumnSpec spec, std::size_t items, Fill fill) {
  return {std::move(spec),
          [items, fill](const PlantSnapshot& m, std::size_t item) {
            std::vector<double> all(items);
            fill(m, all);
            return all[item];
          },
          fill};
}

void fill_states(const PlantSnapshot& m, std::span<double> items) {
  const network::FabricHealth health = health_with(m.plant.fabric->fabric, m.state.fabric.losses);
  for (std::size_t one = 0; one < items.size(); ++one) items[one] = health.is_failed[one];
}

void fill_failed_switches(const PlantSnapshot& m, std::span<double> items) {
  const HallFabric& hall = *m.plant.fabric;
  std::fill(items.begin(), items.end(), 0.0);
  if (m.state.fabric.losses.empty()) return;
  const network::FabricHealth health = health_with(hall.fabric, m.state.fabric.losses);
  for (std::size_t one = 0; one < health.is_failed.size(); ++one)
    items[hall.block_of_switch[one]] += health.is_failed[one];
}

/// Links that do not carry all that they could: failed, slow, or of a failed switch.
void fill_impaired_links(const PlantSnapshot& m, std::span<double> items) {
  const HallFabric& hall = *m.plant.fabric;
  std::fill(items.begin(), items.end(), 0.0);
  if (m.state.fabric.losses.empty()) return;
  const network::FabricHealth health = health_with(hall.fabric, m.state.fabric.losses);
  for (std::size_t link = 0; link < hall.fabric.link_count(); ++link) {
    const bool is_whole = network::live_b_per_s(hall.fabric, health, link) == hall.fabric.link_b_per_s(link);
    items[hall.block_of_switch[hall.fabric.link_upper[link]]] += is_whole ? 0.0 : 1.0;
  }
}

/// Empty until jobs are known.
double at(const std::vector<double>& values, std::size_t item) { return values.empty() ? 0.0 : values[item]; }

RecordedTable switch_table(const HallFabric& hall, double interval_s) {
  std::vector<std::string> names;
  for (std::size_t one = 0; one < hall.fabric.switch_count(); ++one)
    names.push_back(network::switch_name(hall.fabric, one));
  const std::size_t count = names.size();
  RecordedTable table{table_of("fabric_switches", "switch", std::move(names)), interval_s, {}};
  table.has_means = false;
  table.columns.push_back(together({"state", "1", "0 works, 1 failed or without power"}, count, &fill_states));
  table.columns.push_back(
      {{"traffic", "1", "load of its ports divided by their bandwidth, mean over a step of the jobs"},
       [](const PlantSnapshot& m, std::size_t one) { return at(m.state.fabric.switch_traffic, one); }});
  return table;
}

/// A tier of an island is one item.
RecordedTable block_table(const HallFabric& hall, double interval_s) {
  std::vector<std::string> names;
  for (std::size_t block = 0; block < hall.blocks.size(); ++block) names.push_back(block_name(hall, block));
  const std::size_t count = names.size();
  RecordedTable table{table_of("fabric_tiers", "fabric_tier", std::move(names)), interval_s, {}};
  table.has_means = false;
  const HallFabric* fabric = &hall;
  table.columns.push_back(
      {{"switches", "1", "switches of the tier in the island"},
       [fabric](const PlantSnapshot&, std::size_t block) { return double(fabric->blocks[block].switches); }});
  table.columns.push_back(
      {{"links", "1", "links down to the tier below, or to nodes"},
       [fabric](const PlantSnapshot&, std::size_t block) { return double(fabric->blocks[block].links); }});
  table.columns.push_back(together({"failed_switches", "1", "number of its switches that failed or have no power"},
                                   count, &fill_failed_switches));
  table.columns.push_back(
      together({"impaired_links", "1", "number of its links that failed or are slow"}, count, &fill_impaired_links));
  table.columns.push_back(
      {{"mean_link_load", "1", "traffic of jobs on its links divided by their bandwidth, mean of all links"},
       [](const PlantSnapshot& m, std::size_t block) { return at(m.state.fabric.block_mean_fraction, block); }});
  table.columns.push_back(
      {{"max_link_load", "1", "traffic of jobs on the fullest link divided by its bandwidth"},
       [](const PlantSnapshot& m, std::size_t block) { return at(m.state.fabric.block_most_fraction, block); }});
  return table;
}

}  // namespace

std::vector<RecordedTable> fabric_tables(const HallFabric& hall, const RecordSpec& record) {
  std::vector<RecordedTable> tables;
  tables.push_back(switch_table(hall, record.gpus_s));
  tables.push_back(block_table(hall, record.racks_s));
  return tables;
}

}  // namespace wattloop::twin
