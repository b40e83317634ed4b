#include "twin/run/recording/live_series.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/units/unit_group.hpp"

namespace wattloop::twin {

namespace {

/// All fields that GPUs of the plant have.
RecordSpec all_fields(const Plant& plant) {
  RecordSpec record;
  record.gpu_fields = {"power", "clock_fraction", "burn_in_time_ratio"};
  for (const RackGroup& group : plant.it.groups) {
    for (const StateInfo& info : plant.groups[group.gpu_units]->states()) {
      if (std::ranges::find(record.gpu_fields, info.name) == record.gpu_fields.end())
        record.gpu_fields.emplace_back(info.name);
    }
  }
  return record;
}

std::vector<std::string> names_of(const TableSpec& spec) {
  if (!spec.items.empty() || spec.labels.empty()) return spec.items;
  return spec.labels.front().texts;
}

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw InputError({{{"series", 0, 0}, std::move(message), std::move(hint), {}}}, "the series");
}

std::string shown(std::string_view name) {
  constexpr std::size_t longest = 200;
  return printable(name.substr(0, longest));
}

std::vector<std::string> columns_of(const RecordedTable& table) {
  std::vector<std::string> names;
  for (const RecordedColumn& column : table.columns) names.push_back(column.spec.name);
  return names;
}

std::optional<std::size_t> find_column(const RecordedTable& table, std::string_view name) {
  const auto found =
      std::ranges::find(table.columns, name, [](const RecordedColumn& column) { return column.spec.name; });
  if (found == table.columns.end()) return {};
  return static_cast<std::size_t>(found - table.columns.begin());
}

}  // namespace

LiveSeries::LiveSeries(const Plant& plant) : tables_(recorded_tables(plant, all_fields(plant))) {
  std::string names;
  for (const RecordedTable& table : tables_) {
    names += fmt::format("{}\n{}\n", table.spec.group, table.spec.item_count());
    for (const std::vector<std::string>& some : {columns_of(table), names_of(table.spec)})
      names += fmt::format("{}\n", fmt::join(some, "\n"));
  }
  layout_ = std::hash<std::string>()(names);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    items_.push_back(names_of(tables_[t].spec));
    const std::vector<std::string>& items = items_.back();
    for (std::size_t item = 0; item < items.size(); ++item) by_name_.emplace(items[item], Place{t, item});
    if (tables_[t].spec.item_dimension.empty()) by_name_.emplace(tables_[t].spec.group, Place{t, 0});
  }
}

LiveHandle LiveSeries::column(std::string_view table, std::string_view column) const {
  const auto found =
      std::ranges::find(tables_, table, [](const RecordedTable& one) { return std::string_view(one.spec.group); });
  if (found == tables_.end()) {
    std::vector<std::string> names;
    for (const RecordedTable& one : tables_) names.push_back(one.spec.group);
    refuse(fmt::format("there are no series of '{}'", shown(table)), nearest_hint(table, names));
  }
  const auto place = find_column(*found, column);
  if (!place)
    refuse(fmt::format("{} have no '{}'", found->spec.group, shown(column)), nearest_hint(column, columns_of(*found)));
  return {static_cast<std::size_t>(found - tables_.begin()), *place, {}, layout_};
}

/// A table of many items is no part.
void LiveSeries::refuse_table(std::string_view name, std::string_view column) const {
  const auto found =
      std::ranges::find(tables_, name, [](const RecordedTable& one) { return std::string_view(one.spec.group); });
  if (found == tables_.end() || found->spec.item_dimension.empty() || by_name_.contains(std::string(name))) return;
  const std::vector<std::string>& items = items_[static_cast<std::size_t>(found - tables_.begin())];
  const std::string asked = column.empty() ? found->columns.front().spec.name : shown(column);
  refuse(fmt::format("'{}' is a table of {} values in each column", name, found->spec.item_count()),
         fmt::format("values(\"{0}\", \"{1}\") and means(\"{0}\", \"{1}\") have all of them{2}", name, asked,
                     items.empty() ? "" : fmt::format("; '{}.{}' is one", items.front(), asked)));
}

LiveHandle LiveSeries::named(std::string_view part_and_column) const {
  const std::size_t dot = part_and_column.rfind('.');
  refuse_table(part_and_column.substr(0, dot), dot == std::string_view::npos ? "" : part_and_column.substr(dot + 1));
  if (dot == std::string_view::npos)
    refuse(fmt::format("'{}' is no series", shown(part_and_column)), "a part, a dot and a column: facility.pue");
  const std::string part(part_and_column.substr(0, dot));
  const std::string_view column = part_and_column.substr(dot + 1);
  const auto [first, last] = by_name_.equal_range(part);
  std::vector<std::string> columns;
  for (auto place = first; place != last; ++place) {
    const auto& [table, item] = place->second;
    if (const auto found = find_column(tables_[table], column)) return {table, *found, item, layout_};
    std::ranges::copy(columns_of(tables_[table]), std::back_inserter(columns));
  }
  if (first != last) {
    const std::string near = nearest(column, columns);
    refuse(fmt::format("{} has no '{}'", part, shown(column)),
           near.empty() ? nearest_hint(column, columns) : fmt::format("did you mean '{}.{}'?", part, near));
  }
  std::vector<std::string> parts;
  for (const auto& [name, place] : by_name_) parts.push_back(name);
  std::ranges::sort(parts);
  refuse(fmt::format("there are no series of a part '{}'", shown(part)), nearest_hint(part, parts));
}

std::size_t LiveSeries::size(const LiveHandle& handle) const {
  return handle.item ? 1 : tables_[handle.table].spec.item_count();
}

void LiveSeries::fill(const LiveHandle& handle, const PlantSnapshot& snapshot, std::span<double> values) const {
  const RecordedColumn& column = tables_[handle.table].columns[handle.column];
  if (handle.item) {
    values.front() = column.value(snapshot, *handle.item);
  } else {
    column.fill(snapshot, values);
  }
}

}  // namespace wattloop::twin
