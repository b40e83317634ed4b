// What is recorded of the site as a whole: power by use, PUE, heat, water, weather, dies. Only what the hall has.

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "twin/plant/snapshot/reported_parts.hpp"
#include "twin/run/meters/energy_parts.hpp"
#include "twin/run/recording/recorder.hpp"

namespace wattloop::twin {

namespace {

using Columns = std::vector<RecordedColumn>;

std::string pue_meaning(const Plant& plant) {
  std::string meaning = "power from " + sources_text() + " over IT power";
  if (!has_own_water(plant)) meaning += ", without the plant that cools water from outside";
  if (!plant.batteries.empty()) meaning += "; NaN while batteries carry part of the load";
  return meaning;
}

RecordedColumn pue_column(const Plant& plant) {
  RecordedColumn column = RecordedColumn({"pue", "1", pue_meaning(plant)}, [](const PlantSnapshot& m, std::size_t) {
                            return m.pue_ratio();
                          }).ratio_of(plant.site_loads.empty() ? "power" : "facility_power", "it_power");
  return plant.batteries.empty() ? column : std::move(column).unless_above_zero("battery_power");
}

bool has_load(const Plant& plant, std::size_t use) {
  return std::find(plant.load_use.begin(), plant.load_use.end(), use) != plant.load_use.end();
}

void add_power(const Plant& plant, Columns& columns) {
  columns.push_back({{"power", "W", "power from " + sources_text()},
                     [](const PlantSnapshot& m, std::size_t) { return m.evaluation.power.source_total_w; }});
  if (!plant.site_loads.empty()) {
    columns.push_back(
        {{"facility_power", "W", "the part of this power that the facility draws, without other loads of the diagram"},
         [](const PlantSnapshot& m, std::size_t) { return m.facility_power_w(); }});
  }
  columns.push_back({{"it_power", "W", "power at the AC inlets of all IT equipment"},
                     [](const PlantSnapshot& m, std::size_t) { return m.it_power_w(); }});
  columns.push_back({{"gpu_power", "W", "power of all GPUs, leakage included"},
                     [](const PlantSnapshot& m, std::size_t) { return gpu_power_w(m.all_racks()); }});
  for (std::size_t use = 0; use < plant.uses.size(); ++use) {
    const UseOfPower& of = plant.uses[use];
    if (!has_load(plant, use)) continue;
    columns.push_back({{fmt::format("{}_power", of.name), "W", fmt::format("power of {}", of.text)},
                       [use](const PlantSnapshot& m, std::size_t) { return m.power_w(use); }});
  }
  if (has_node_fans(plant)) {
    columns.push_back(
        {{"node_fan_power", "W", "power of the node fans at their present speed; it is a part of node_power"},
         [](const PlantSnapshot& m, std::size_t) { return m.node_fans_w(); }});
  }
  columns.push_back({{"cooling_power", "W", std::string(cooling_power_text)},
                     [](const PlantSnapshot& m, std::size_t) { return m.cooling_power_w(); }});
  columns.push_back({{"electrical_loss", "W", loss_text(plant)},
                     [](const PlantSnapshot& m, std::size_t) { return m.evaluation.power.loss_w; }});
  if (!plant.batteries.empty()) {
    columns.push_back({{"battery_power", "W", "power from all batteries; negative while they recharge"},
                       [](const PlantSnapshot& m, std::size_t) { return m.evaluation.power.battery_total_w; }});
  }
  columns.push_back(pue_column(plant));
}

void add_outdoors(const Plant& plant, Columns& columns) {
  if (plant.meters.make_up_water != no_part) {
    columns.push_back({{"water_flow", "kg/s", std::string(make_up_text)},
                       [](const PlantSnapshot& m, std::size_t) { return m.make_up_kg_per_s(); }});
  }
  columns.push_back({{"dry_bulb", "K", "air outside"},
                     [](const PlantSnapshot& m, std::size_t) { return m.input(m.plant.outside.dry_bulb); }});
  columns.push_back({{"wet_bulb", "K", "wet-bulb temperature of the air outside"},
                     [](const PlantSnapshot& m, std::size_t) { return m.input(m.plant.outside.wet_bulb); }});
}

void add_dies(Columns& columns) {
  columns.push_back({{"max_die_temperature", "K", "temperature of the hottest die"},
                     [](const PlantSnapshot& m, std::size_t) { return hottest_die_k(m.all_racks()); }});
  columns.push_back({{"mean_die_temperature", "K", "mean temperature of all dies"},
                     [](const PlantSnapshot& m, std::size_t) { return mean_die_k(m.all_racks()); }});
  columns.push_back(
      {{"throttled_gpus", "1", "GPUs below full clock, without GPUs that are switched off"},
       [](const PlantSnapshot& m, std::size_t) { return static_cast<double>(throttled_gpus(m.all_racks())); }});
  columns.push_back(
      {{"shut_down_gpus", "1", "GPUs of nodes that are switched off"},
       [](const PlantSnapshot& m, std::size_t) { return static_cast<double>(shut_down_gpus(m.all_racks())); }});
  columns.push_back(
      {{"down_gpus", "1", "GPUs of nodes that are down: switched off, without power or booting"},
       [](const PlantSnapshot& m, std::size_t) { return static_cast<double>(down_gpus(m.all_racks())); }});
}

/// The worst of all that a column of another group reports; nothing where the hall has no such group.
void add_worst(const Plant& plant, std::string_view group, std::string_view of, bool is_highest, ColumnSpec spec,
               Columns& columns) {
  const std::vector<ReportedParts> parts = parts_reporting(plant, group, of);
  if (parts.empty()) return;
  const double sign = is_highest ? 1.0 : -1.0;
  columns.push_back({std::move(spec), [parts, sign](const PlantSnapshot& m, std::size_t) {
                       double worst = -std::numeric_limits<double>::infinity();
                       for (const ReportedParts& reported : parts) {
                         for (std::size_t part = 0; part < reported.set->names().size(); ++part)
                           worst =
                               std::max(worst, sign * reported.set->column_of(part, reported.column, m.read_plant()));
                       }
                       return sign * worst;
                     }});
}

}  // namespace

RecordedTable facility_table(const Plant& plant, const RecordSpec& record) {
  RecordedTable table{table_of("facility", "", {}), record.facility_s, {}};
  add_power(plant, table.columns);
  table.columns.push_back(
      {{"heat_rejected", "W",
        "heat to the outdoor air and to water from outside, minus the heat of outdoor vapour that condensed"},
       [](const PlantSnapshot& m, std::size_t) { return m.rejected_w(); }});
  if (plant.outside.dry_bulb != no_part) add_outdoors(plant, table.columns);
  add_dies(table.columns);
  add_worst(plant, "racks", "inlet_air_temperature", true,
            {"hottest_rack_inlet_temperature", "K", "hottest air that enters racks of nodes"}, table.columns);
  add_worst(plant, "loops", "flow", false,
            {"lowest_loop_flow", "kg/s", "coolant flow of the loop with the lowest flow"}, table.columns);
  return table;
}

}  // namespace wattloop::twin
