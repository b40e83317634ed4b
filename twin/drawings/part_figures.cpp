#include "twin/drawings/part_figures.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::twin {

namespace {

std::size_t nearest_row(const std::vector<double>& times_s, double time_s) {
  const auto nearest = std::ranges::min_element(times_s, {}, [&](double t) { return std::abs(t - time_s); });
  return static_cast<std::size_t>(nearest - times_s.begin());
}

}  // namespace

PartFigures::PartFigures(const ResultsReader& results, double time_s) : results_(results) {
  for (const std::string& group : results.tables()) {
    const TableSpec spec = results.table(group);
    const std::vector<double> times_s = results.times_s(group);
    if (spec.items.empty() || times_s.empty()) continue;
    for (std::size_t item = 0; item < spec.items.size(); ++item)
      places_[spec.items[item]].emplace_back(tables_.size(), item);
    Table table{.group = group, .row = nearest_row(times_s, time_s)};
    for (const ColumnSpec& column : spec.columns) table.columns.push_back(column.name);
    tables_.push_back(std::move(table));
  }
}

const std::vector<float>& PartFigures::frame(std::size_t table, std::string_view column) {
  const auto [place, is_new] = frames_.try_emplace({table, std::string(column)});
  if (is_new) place->second = results_.frame(tables_[table].group, column, tables_[table].row);
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
