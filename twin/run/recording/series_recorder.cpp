#include "twin/run/recording/series_recorder.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

const RecordedColumn& column_named(const RecordedTable& table, const std::string& name) {
  const auto found =
      std::ranges::find(table.columns, name, [](const RecordedColumn& column) { return column.spec.name; });
  if (found == table.columns.end())
    throw std::invalid_argument(fmt::format("nothing records a '{}' of {}", name, table.spec.group));
  return *found;
}

/// The value of a ratio in a record.
double ratio(std::span<const double> values) {
  const bool is_spoilt = values.size() > 2 && values[2] > 0.0;
  return values[1] > 0.0 && !is_spoilt ? values[0] / values[1] : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

SeriesRecorder::Source SeriesRecorder::source_of(const RecordedTable& table, const SeriesName& name) {
  Source source{.quantities = {}, .item = name.item, .interval_s = table.interval_s};
  const auto add = [&](const std::string& column_name) {
    const RecordedColumn& column = column_named(table, column_name);
    source.quantities.push_back({column, table.has_means && is_recorded_as_mean(column.spec)});
  };
  const RecordedColumn& column = column_named(table, name.column);
  source.is_ratio = !column.numerator.empty();
  if (source.is_ratio) {
    add(column.numerator);
    add(column.denominator);
    if (!column.spoils.empty()) add(column.spoils);
  } else {
    add(name.column);
  }
  return source;
}

SeriesRecorder::SeriesRecorder(const Plant& plant, const RecordSpec& record, std::span<const SeriesName> names,
                               double end_s)
    : plant_(plant), gpus_s_(record.gpus_s), end_s_(end_s), series_(names.size()) {
  const std::vector<RecordedTable> tables = recorded_tables(plant, record);
  for (const SeriesName& name : names) {
    const auto table = std::ranges::find(tables, name.table, [](const RecordedTable& one) { return one.spec.group; });
    if (table == tables.end() || name.item >= table->spec.item_count())
      throw std::invalid_argument(fmt::format("nothing records item {} of {}", name.item, name.table));
    sources_.push_back(source_of(*table, name));
  }
}

void SeriesRecorder::integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) {
  const PlantSnapshot snapshot{plant_, state, evaluation};
  for (Source& source : sources_) {
    for (Quantity& quantity : source.quantities) {
      if (quantity.is_mean) quantity.sum += duration_s * quantity.column.value(snapshot, source.item);
    }
    source.duration_s += duration_s;
  }
}

void SeriesRecorder::observe(const PlantState& state, const Evaluation& evaluation) {
  const PlantSnapshot snapshot{plant_, state, evaluation};
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    Source& source = sources_[k];
    if (!is_recorded_at(state.time_s, source.interval_s, end_s_)) continue;
    std::vector<double> values;
    for (Quantity& quantity : source.quantities) {
      const bool is_mean = quantity.is_mean && source.duration_s > 0.0;
      values.push_back(is_mean ? quantity.sum / source.duration_s : quantity.column.value(snapshot, source.item));
      quantity.sum = 0.0;
    }
    source.duration_s = 0.0;
    series_[k].times_s.push_back(state.time_s);
    series_[k].values.push_back(source.is_ratio ? ratio(values) : values.front());
  }
}

std::vector<TableSpec> recorded_specs(const Plant& plant, const RecordSpec& record) {
  std::vector<TableSpec> specs;
  for (RecordedTable& table : recorded_tables(plant, record)) {
    for (RecordedColumn& column : table.columns) {
      column.spec.is_mean = table.has_means && is_recorded_as_mean(column.spec);
      table.spec.columns.push_back(column.spec);
    }
    specs.push_back(std::move(table.spec));
  }
  return specs;
}

}  // namespace wattloop::twin
