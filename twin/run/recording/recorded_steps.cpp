#include "twin/run/recording/recorded_steps.hpp"

#include "twin/planning/work/explained_job.hpp"

namespace wattloop::twin {

std::vector<RecordedTable> step_tables(const Scenario& scenario, double end_s) {
  std::vector<std::string> names;
  std::vector<double> times_s, shares;
  for (const PlannedStep& planned : planned_steps(scenario)) {
    for (const workload::StepPart& part : workload::step_parts) {
      const double time_s = planned.step.*part.time_s;
      if (time_s <= 0.0) continue;
      names.push_back((planned.name.empty() ? "hall" : planned.name) + "." + std::string(part.key));
      times_s.push_back(time_s);
      shares.push_back(time_s / planned.step.step_s);
    }
  }
  if (names.empty()) return {};
  RecordedTable table{table_of("step_times", "step_part", std::move(names)), end_s, {}, false};
  table.columns.push_back(
      {{"duration", "s", "time of this part in a step of the job, at full clock on a sound network"},
       [times_s](const PlantSnapshot&, std::size_t part) { return times_s[part]; }});
  table.columns.push_back({{"share", "1", "the same divided by the time of the step"},
                           [shares](const PlantSnapshot&, std::size_t part) { return shares[part]; }});
  std::vector<RecordedTable> tables;
  tables.push_back(std::move(table));
  return tables;
}

}  // namespace wattloop::twin
