#include "twin/recorder.hpp"

#include <utility>

namespace wattloop::twin {

Recorder::Recorder(const Plant& plant, const RecordSpec& record, ResultsWriter& writer)
    : plant_(plant), gpus_s_(record.gpus_s), writer_(writer) {
  for (RecordedTable& table : recorded_tables(plant, record)) {
    for (const RecordedColumn& column : table.columns) table.spec.columns.push_back(column.spec);
    const std::size_t values = table.spec.item_count() * table.columns.size();
    const std::size_t number = writer.add_table(table.spec);
    tables_.push_back({std::move(table), number, std::vector<float>(values)});
  }
}

void Recorder::observe(const PlantState& state, const Evaluation& evaluation) {
  const Moment moment{plant_, state, evaluation};
  for (Table& table : tables_) {
    if (!is_multiple(state.time_s, table.recorded.interval_s)) continue;
    std::span<float> rest = table.row;
    const std::size_t items = table.recorded.spec.item_count();
    for (const RecordedColumn& column : table.recorded.columns) {
      column.fill(moment, rest.first(items));
      rest = rest.subspan(items);
    }
    writer_.append(table.number, state.time_s, table.row);
  }
}

}  // namespace wattloop::twin
