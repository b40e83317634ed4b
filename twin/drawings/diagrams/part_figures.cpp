#include "twin/drawings/diagrams/part_figures.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "twin/results/reader/records_at.hpp"

namespace wattloop::twin {

namespace {

MeanSpan span_of_row(const std::vector<double>& times_s, std::size_t row) {
  return {row == 0 ? times_s[0] : times_s[row - 1], times_s[row]};
}

bool has_means(const TableSpec& table) {
  return !table.items.empty() && std::ranges::any_of(table.columns, &ColumnSpec::is_mean);
}

const ColumnSpec* find_column(const std::vector<ColumnSpec>& columns, std::string_view name) {
  const auto found = std::ranges::find(columns, name, &ColumnSpec::name);
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace

MeanSpan common_span(const ResultsReader& results, double time_s) {
  MeanSpan longest{time_s, time_s};
  const double seen_s = before_repairs_s(results, time_s);
  for (const std::string& group : results.tables()) {
    const std::vector<double> times_s = results.times_s(group);
    if (times_s.empty() || !has_means(results.table(group))) continue;
    const MeanSpan span = span_of_row(times_s, row_of_mean(times_s, seen_s));
    if (span.length_s() > longest.length_s()) longest = span;
  }
  return longest;
}

PartFigures::PartFigures(const ResultsReader& results, double time_s) : results_(results) {
  const MeanSpan span = common_span(results, time_s);
  const double seen_s = before_repairs_s(results, time_s);
  for (const std::string& group : results.tables()) {
    const TableSpec spec = results.table(group);
    const std::vector<double> times_s = results.times_s(group);
    if (times_s.empty()) continue;
    if (spec.items.empty()) places_[{}].emplace_back(tables_.size(), 0);
    for (std::size_t item = 0; item < spec.items.size(); ++item)
      places_[spec.items[item]].emplace_back(tables_.size(), item);
    Table table{.group = group, .columns = spec.columns, .row = nearest_row(times_s, time_s)};
    double whole = 0.0;
    for (std::size_t row = 1; row < times_s.size(); ++row) {
      const MeanSpan own = span_of_row(times_s, row);
      const double shared_s = std::min(own.end_s, span.end_s) - std::max(own.begin_s, span.begin_s);
      if (!(shared_s > 1e-6)) continue;
      table.mean_rows.push_back({row, shared_s});  // shares of the whole below
      whole += shared_s;
    }
    for (Share& share : table.mean_rows) share.of_span /= whole;
    if (table.mean_rows.empty()) table.mean_rows.push_back({row_of_mean(times_s, seen_s), 1.0});
    tables_.push_back(std::move(table));
  }
}

const std::vector<float>& PartFigures::frame(std::size_t table, const ColumnSpec& column) {
  const auto [place, is_new] = frames_.try_emplace({table, column.name});
  if (!is_new) return place->second;
  const Table& of = tables_[table];
  if (!column.is_mean) return place->second = results_.frame(of.group, column.name, of.row);
  std::vector<double> means;
  for (const Share& share : of.mean_rows) {
    const std::vector<float> values = results_.frame(of.group, column.name, share.row);
    means.resize(values.size());
    for (std::size_t item = 0; item < values.size(); ++item)
      means[item] += share.of_span * static_cast<double>(values[item]);
  }
  std::ranges::transform(means, std::back_inserter(place->second),
                         [](double mean) { return static_cast<float>(mean); });
  return place->second;
}

std::optional<double> PartFigures::value(const std::string& part, std::string_view column) {
  return value_in({}, part, column);
}

std::optional<double> PartFigures::value_in(std::string_view group, const std::string& part, std::string_view column) {
  const auto known = places_.find(part);
  if (known == places_.end()) return std::nullopt;
  for (const auto& [table, item] : known->second) {
    if (!group.empty() && tables_[table].group != group) continue;
    const ColumnSpec* spec = find_column(tables_[table].columns, column);
    if (spec == nullptr) continue;
    const auto value = static_cast<double>(frame(table, *spec).at(item));
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

std::string PartFigures::medium(const std::string& part, std::string_view column) const {
  const auto known = places_.find(part);
  if (known == places_.end()) return {};
  for (const auto& [table, item] : known->second) {
    const ColumnSpec* spec = find_column(tables_[table].columns, column);
    if (spec == nullptr) continue;
    std::string words = spec->long_name;
    for (const std::string_view end : {" through", " to ", " that ", " from ", ","})
      words = words.substr(0, words.find(end));
    return words;
  }
  return {};
}

}  // namespace wattloop::twin
