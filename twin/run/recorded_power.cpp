// What is recorded of the power system: branches of the power tree, batteries, generators.

#include "twin/run/recorder.hpp"

namespace wattloop::twin {

namespace {

/// Branches of the power tree for which `belongs` holds.
std::vector<std::size_t> branches_of(const Plant& plant, bool (*belongs)(std::string_view kind)) {
  std::vector<std::size_t> branches;
  for (std::size_t b = 0; b < plant.power_tree.branch_name.size(); ++b) {
    if (belongs(plant.power_tree.branch_kind[b])) branches.push_back(b);
  }
  return branches;
}

RecordedTable branch_table(const Plant& plant, const RecordSpec& record, const std::string& group,
                           const std::vector<std::size_t>& branches) {
  std::vector<std::string> names;
  for (const std::size_t branch : branches) names.push_back(plant.power_tree.branch_name[branch]);
  return {table_of(group, group == "feeders" ? "feeder" : group, names),
          record.facility_s,
          {
              {{"power", "W", "power delivered"},
               [branches](const Moment& m, std::size_t i) { return m.evaluation.power.branch_output_w[branches[i]]; }},
              {{"input_power", "W", "power drawn from upstream, recharging of a battery included"},
               [branches](const Moment& m, std::size_t i) { return m.evaluation.power.branch_input_w[branches[i]]; }},
              {{"loss", "W", "power turned into heat on the way"},
               [branches](const Moment& m, std::size_t i) { return m.evaluation.power.branch_loss_w[branches[i]]; }},
              {{"loading", "1", "power delivered over rated power"},
               [branches](const Moment& m, std::size_t i) {
                 return m.evaluation.power.branch_loading_fraction[branches[i]];
               }},
          }};
}

/// [branch] slot of its battery's state of charge, or `no_part`.
std::vector<std::size_t> charge_states(const Plant& plant) {
  std::vector<std::size_t> states(plant.power_tree.branch_name.size(), no_part);
  for (const BatteryPart& battery : plant.batteries) states[battery.branch] = battery.charge_state;
  return states;
}

RecordedTable ups_table(const Plant& plant, const RecordSpec& record) {
  const auto branches = branches_of(plant, [](std::string_view kind) { return kind == "ups"; });
  RecordedTable table = branch_table(plant, record, "ups", branches);
  std::vector<std::size_t> charge;
  for (const std::size_t branch : branches) charge.push_back(charge_states(plant)[branch]);
  table.columns.push_back(
      {{"battery_power", "W", "power from the batteries; negative while they recharge"},
       [branches](const Moment& m, std::size_t i) { return m.evaluation.power.branch_battery_w[branches[i]]; }});
  table.columns.push_back(
      {{"state_of_charge", "1", "energy in the batteries over that of full ones; 0 without batteries"},
       [charge](const Moment& m, std::size_t i) { return charge[i] == no_part ? 0.0 : m.state.states[charge[i]]; }});
  return table;
}

RecordedTable generator_table(const Plant& plant, const RecordSpec& record) {
  std::vector<std::size_t> sources;
  std::vector<std::string> names;
  for (const StandbyPart& part : plant.standby) {
    for (const std::size_t source : part.sources) {
      sources.push_back(source);
      names.push_back(plant.power_tree.source_name[source]);
    }
  }
  return {table_of("generators", "generator", names),
          record.facility_s,
          {
              {{"power", "W", "power delivered"},
               [sources](const Moment& m, std::size_t i) { return m.evaluation.power.source_w[sources[i]]; }},
              {{"loading", "1", "power delivered over rated power"},
               [sources](const Moment& m, std::size_t i) {
                 return m.evaluation.power.source_loading_fraction[sources[i]];
               }},
          }};
}

}  // namespace

std::vector<RecordedTable> power_tables(const Plant& plant, const RecordSpec& record) {
  const auto feeders = branches_of(plant, [](std::string_view kind) { return kind != "ups"; });
  std::vector<RecordedTable> tables{branch_table(plant, record, "feeders", feeders), ups_table(plant, record)};
  if (!plant.standby.empty()) tables.push_back(generator_table(plant, record));
  return tables;
}

}  // namespace wattloop::twin
