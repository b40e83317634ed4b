// Tables of equipment of the power tree: their columns are those that the headers of their kinds say.

#include <algorithm>
#include <cmath>

#include "electrical/electrical_catalog.hpp"
#include "twin/run/recording/recorder.hpp"

namespace wattloop::twin {

namespace {

using electrical::ElectricalKind;

/// Equipment that is reported in one table, in the order of the tree.
struct ReportedEquipment {
  std::vector<std::string> names;
  std::vector<std::size_t> numbers;        ///< of branches or sources
  std::vector<std::size_t> charge_states;  ///< of their batteries, or `no_part`
};

/// State of charge of the battery of a branch, or `no_part`.
std::size_t charge_state(const Plant& plant, std::size_t branch) {
  const auto battery = std::ranges::find(plant.batteries, branch, &BatteryPart::branch);
  return battery == plant.batteries.end() ? no_part : battery->charge_state;
}

ReportedEquipment reported_in(const Plant& plant, std::string_view group) {
  const electrical::PowerTree& tree = plant.power_tree;
  const auto is_here = [group](std::string_view kind) {
    return electrical::electrical_kind(kind).table.group == group;
  };
  ReportedEquipment reported;
  const auto add = [&reported](const std::string& name, std::size_t number, std::size_t charge) {
    reported.names.push_back(name);
    reported.numbers.push_back(number);
    reported.charge_states.push_back(charge);
  };
  for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
    if (is_here(tree.branch_kind[b])) add(tree.branch_name[b], b, charge_state(plant, b));
  }
  for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
    if (is_here(tree.source_kind[s])) add(tree.source_name[s], s, no_part);
  }
  return reported;
}

RecordedColumn column_of(const electrical::ReadingColumn& column, const ReportedEquipment& reported) {
  const auto value = [value = column.value, reported](const PlantSnapshot& m, std::size_t i) {
    const std::size_t charge = reported.charge_states[i];
    return value({m.evaluation.power, reported.numbers[i], charge == no_part ? 0.0 : m.state.states[charge]});
  };
  return {{std::string(column.name), std::string(column.unit), std::string(column.text)}, value};
}

// Of flows with voltages.

constexpr const char* apparent = "V A";

double bus_ratio(const PlantSnapshot& m, std::size_t bus) { return std::abs(m.state.voltages.bus[bus]); }

RecordedTable bus_table(const Plant& plant, const RecordSpec& record) {
  RecordedTable table{table_of("buses", "bus", plant.power_tree.bus_name), record.facility_s, {}};
  table.columns = {
      {{"voltage", "V", "voltage between phases; 0 where the bus is dead"},
       [](const PlantSnapshot& m, std::size_t bus) { return bus_ratio(m, bus) * m.plant.voltages->nominal_v[bus]; }},
      {{"voltage_ratio", "1", "voltage over nominal voltage"}, bus_ratio},
      {{"angle", "rad", "angle of the voltage relative to the source"},
       [](const PlantSnapshot& m, std::size_t bus) { return std::arg(m.state.voltages.bus[bus]); }},
      {{"power", "W", "active power that the bus passes on"},
       [](const PlantSnapshot& m, std::size_t bus) { return m.state.voltages.bus_w[bus]; }},
      {{"reactive_power", apparent, "reactive power that the bus passes on"},
       [](const PlantSnapshot& m, std::size_t bus) { return m.state.voltages.bus_var[bus]; }}};
  return table;
}

/// 1 where a branch delivers at the end to which it is written, -1 at the other.
double direction(const PlantSnapshot& m, std::size_t branch) {
  const std::vector<std::uint8_t>& is_reversed = m.state.switches.branch_is_reversed;
  return is_reversed.empty() || is_reversed[branch] == 0 ? 1.0 : -1.0;
}

RecordedTable branch_table(const Plant& plant, const RecordSpec& record) {
  RecordedTable table{table_of("branches", "branch", plant.power_tree.branch_name), record.facility_s, {}};
  table.columns = {
      {{"power", "W", "active power delivered with that current, in the direction in which the branch is written"},
       [](const PlantSnapshot& m, std::size_t branch) {
         return direction(m, branch) * m.state.voltages.branch_output_w[branch];
       }},
      {{"reactive_power", apparent, "reactive power delivered, in the direction in which the branch is written"},
       [](const PlantSnapshot& m, std::size_t branch) {
         return direction(m, branch) * m.state.voltages.branch_output_var[branch];
       }},
      {{"current", "A", "current of a phase at the end that delivers power"},
       [](const PlantSnapshot& m, std::size_t branch) {
         return electrical::output_current_a(m.plant.power_tree, *m.plant.voltages, m.state.switches, m.state.voltages,
                                             branch);
       }},
      {{"power_factor", "1", "active power divided by apparent power at the end that delivers power; 0 without power"},
       [](const PlantSnapshot& m, std::size_t branch) {
         return electrical::output_power_factor(m.state.voltages, branch);
       }}};
  return table;
}

}  // namespace

std::vector<RecordedTable> power_tables(const Plant& plant, const RecordSpec& record) {
  std::vector<RecordedTable> tables;
  for (const ElectricalKind& kind : electrical::electrical_kinds()) {
    const std::string group(kind.table.group);
    const bool is_known = std::ranges::any_of(tables, [&](const RecordedTable& t) { return t.spec.group == group; });
    if (group.empty() || is_known) continue;
    const ReportedEquipment reported = reported_in(plant, group);
    if (reported.names.empty()) continue;
    RecordedTable& table = tables.emplace_back(
        RecordedTable{table_of(group, std::string(kind.table.item), reported.names), record.facility_s, {}});
    for (const electrical::ReadingColumn& column : kind.columns) table.columns.push_back(column_of(column, reported));
  }
  if (!plant.voltages) return tables;
  tables.push_back(bus_table(plant, record));
  tables.push_back(branch_table(plant, record));
  return tables;
}

}  // namespace wattloop::twin
