#include "twin/run/recording/recorder.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

#include "core/numbers/series.hpp"

namespace wattloop::twin {

bool is_recorded_as_mean(const ColumnSpec& column) {
  constexpr std::array made_of_them{"pue", "cop", "loading"};
  return column.unit == "W" || column.unit == "kg/s" ||
         std::find(made_of_them.begin(), made_of_them.end(), column.name) != made_of_them.end();
}

bool is_recorded_at(double time_s, double interval_s, double end_s) {
  return is_multiple(time_s, interval_s) || time_s >= end_s - boundary_slack_s;
}

Recorder::Recorder(const Plant& plant, const RecordSpec& record, ResultsWriter& writer, double end_s,
                   std::vector<ItemLabels> racks, std::vector<RecordedTable> more)
    : plant_(plant), gpus_s_(record.gpus_s), end_s_(end_s), writer_(writer), placements_(plant.it) {
  std::vector<RecordedTable> all = recorded_tables(plant, record);
  std::ranges::move(more, std::back_inserter(all));
  for (RecordedTable& recorded : all) {
    if (recorded.spec.group == "racks") recorded.spec.labels = std::move(racks);
    std::size_t means = 0;
    for (RecordedColumn& column : recorded.columns) {
      column.spec.is_mean = recorded.has_means && is_recorded_as_mean(column.spec);
      means += column.spec.is_mean ? 1 : 0;
      recorded.spec.columns.push_back(column.spec);
    }
    const std::size_t items = recorded.spec.item_count(), values = items * recorded.columns.size();
    const std::size_t number = writer.add_table(recorded.spec);
    items_.resize(std::max(items_.size(), items));
    tables_.push_back({std::move(recorded), number, std::vector<float>(values), std::vector<double>(items * means)});
  }
}

void Recorder::integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) {
  const PlantSnapshot snapshot{plant_, state, evaluation};
  for (Table& table : tables_) {
    if (table.sums.empty()) continue;
    const std::span<double> items = std::span(items_).first(table.recorded.spec.item_count());
    double* sum = table.sums.data();
    for (const RecordedColumn& column : table.recorded.columns) {
      if (!column.spec.is_mean) continue;
      column.fill(snapshot, items);
      for (const double item : items) *sum++ += duration_s * item;
    }
    table.duration_s += duration_s;
  }
}

void Recorder::observe(const PlantState& state, const Evaluation& evaluation) {
  placements_.observe(state.work.queue, state.time_s);
  const PlantSnapshot snapshot{plant_, state, evaluation};
  for (Table& table : tables_) {
    if (!is_recorded_at(state.time_s, table.recorded.interval_s, end_s_)) continue;
    fill(table, snapshot);
    writer_.append(table.number, state.time_s, table.row);
  }
}

/// A row, means of what was integrated since the last one in it.
void Recorder::fill(Table& table, const PlantSnapshot& snapshot) {
  const std::span<double> items = std::span(items_).first(table.recorded.spec.item_count());
  auto next = table.row.begin();
  double* sum = table.sums.data();
  for (const RecordedColumn& column : table.recorded.columns) {
    if (column.spec.is_mean && table.duration_s > 0.0) {
      for (double& item : items) item = *sum++ / table.duration_s;
    } else {
      column.fill(snapshot, items);
    }
    next = std::ranges::transform(items, next, [](double item) { return static_cast<float>(item); }).out;
  }
  fill_ratios(table);
  std::fill(table.sums.begin(), table.sums.end(), 0.0);
  table.duration_s = 0.0;
}

/// Of what stands in the row.
void Recorder::fill_ratios(Table& table) {
  const std::vector<RecordedColumn>& columns = table.recorded.columns;
  const std::size_t items = table.recorded.spec.item_count();
  const auto first_of = [&](const std::string& name) {
    const auto at = std::ranges::find(columns, name, [](const RecordedColumn& column) { return column.spec.name; });
    return table.row.data() + static_cast<std::size_t>(at - columns.begin()) * items;
  };
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (columns[column].numerator.empty()) continue;
    const float *above = first_of(columns[column].numerator), *below = first_of(columns[column].denominator);
    const float* spoils = columns[column].spoils.empty() ? nullptr : first_of(columns[column].spoils);
    for (std::size_t item = 0; item < items; ++item) {
      const bool means_something = below[item] > 0.0f && (spoils == nullptr || !(spoils[item] > 0.0f));
      table.row[column * items + item] =
          means_something ? above[item] / below[item] : std::numeric_limits<float>::quiet_NaN();
    }
  }
}

}  // namespace wattloop::twin
