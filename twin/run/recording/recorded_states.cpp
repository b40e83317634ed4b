// What motors and switches of the power tree are ordered and do: numbers that stand for words.

#include <limits>

#include "electrical/electrical_catalog.hpp"
#include "twin/run/recording/recorder.hpp"

namespace wattloop::twin {

namespace {

// What a state says, in files and docs/results_format.md.
constexpr double off = 0.0, on = 1.0, failed = 2.0;

double motor_state(const PlantSnapshot& m, std::size_t motor) {
  if (m.state.equipment.is_failed[motor] != 0) return failed;
  return m.state.equipment.is_running[motor] != 0 ? on : off;
}

double branch_state(const PlantSnapshot& m, std::size_t branch) {
  if (m.state.switching.branch_is_failed[branch] != 0) return failed;
  return m.state.switches.branch_closed[branch] != 0 ? on : off;
}

/// One that stands by is on from its start, before it takes load.
double source_state(const PlantSnapshot& m, std::size_t source) {
  if (m.state.switching.source_is_failed[source] != 0) return failed;
  const bool stands_by = m.plant.power_tree.source_is_standby[source] != 0;
  const bool is_started = m.state.switching.ready_s[source] < std::numeric_limits<double>::infinity();
  return (stands_by ? is_started : m.state.switches.source_live[source] != 0) ? on : off;
}

RecordedTable motor_table(const Plant& plant, const RecordSpec& record) {
  std::vector<std::string> names;
  for (const MotorPart& motor : plant.motors) names.push_back(motor.name);
  RecordedTable table{table_of("motors", "motor", std::move(names)), record.facility_s, {}};
  table.columns = {{{"state", "1", "0 off, 1 ordered to run, 2 failed"}, motor_state},
                   {{"speed", "1", "speed over full speed"}, [](const PlantSnapshot& m, std::size_t motor) {
                      return reported_fraction(m.speed_fraction(motor));
                    }}};
  return table;
}

/// Branches of the power tree, then its sources.
RecordedTable table_of_switches(const Plant& plant, const RecordSpec& record) {
  std::vector<std::string> names = plant.power_tree.branch_name;
  const std::size_t branches = names.size();
  names.insert(names.end(), plant.power_tree.source_name.begin(), plant.power_tree.source_name.end());
  const PartTable& reported = electrical::switch_table;
  RecordedTable table{
      table_of(std::string(reported.group), std::string(reported.item), std::move(names)), record.facility_s, {}};
  table.columns = {{{"state", "1", "0 open, 1 closed, 2 failed; of equipment on standby 0 off, 1 running, 2 failed"},
                    [branches](const PlantSnapshot& m, std::size_t item) {
                      return item < branches ? branch_state(m, item) : source_state(m, item - branches);
                    }}};
  return table;
}

RecordedTable economiser_table(const Plant& plant, const RecordSpec& record) {
  std::vector<std::string> names;
  for (const PlannedEconomiser& economiser : plant.economisers) names.push_back(economiser.name);
  RecordedTable table{table_of("economisers", "economiser", std::move(names)), record.facility_s, {}};
  table.columns = {{{"mode", "1", "0 mechanical, 1 partial, 2 full"}, [](const PlantSnapshot& m, std::size_t number) {
                      return static_cast<double>(m.state.economisers[number].now.mode);
                    }}};
  return table;
}

}  // namespace

std::vector<RecordedTable> state_tables(const Plant& plant, const RecordSpec& record) {
  std::vector<RecordedTable> tables;
  if (!plant.motors.empty()) tables.push_back(motor_table(plant, record));
  tables.push_back(table_of_switches(plant, record));
  if (!plant.economisers.empty()) tables.push_back(economiser_table(plant, record));
  return tables;
}

}  // namespace wattloop::twin
