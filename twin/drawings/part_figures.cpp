#include "twin/drawings/part_figures.hpp"

#include <algorithm>
#include <cmath>

#include "twin/results/records_at.hpp"

namespace wattloop::twin {

PartFigures::PartFigures(const ResultsReader& results, double time_s) : results_(results) {
  for (const std::string& group : results.tables()) {
    const TableSpec spec = results.table(group);
    const std::vector<double> times_s = results.times_s(group);
    if (spec.items.empty() || times_s.empty()) continue;
    for (std::size_t item = 0; item < spec.items.size(); ++item)
      places_[spec.items[item]].emplace_back(tables_.size(), item);
    Table table{.group = group, .row = nearest_row(times_s, time_s), .row_of_means = row_of_mean(times_s, time_s)};
    for (const ColumnSpec& column : spec.columns) {
      table.columns.push_back(column.name);
      if (column.is_mean) table.means.insert(column.name);
    }
    tables_.push_back(std::move(table));
  }
}

const std::vector<float>& PartFigures::frame(std::size_t table, std::string_view column) {
  const auto [place, is_new] = frames_.try_emplace({table, std::string(column)});
  if (is_new) {
    const Table& of = tables_[table];
    place->second = results_.frame(of.group, column, of.means.contains(column) ? of.row_of_means : of.row);
  }
  return place->second;
}

std::optional<double> PartFigures::value(const std::string& part, std::string_view column) {
  const auto known = places_.find(part);
  if (known == places_.end()) return std::nullopt;
  for (const auto& [table, item] : known->second) {
    if (std::ranges::count(tables_[table].columns, column) == 0) continue;
    const auto value = static_cast<double>(frame(table, column).at(item));
    if (std::isfinite(value)) return value;
  }
  return std::nullopt;
}

std::vector<double> PartFigures::values(std::span<const std::string> parts, std::string_view column) {
  std::vector<double> found;
  for (const std::string& part : parts) {
    if (const std::optional<double> one = value(part, column)) found.push_back(*one);
  }
  return found;
}

}  // namespace wattloop::twin
