#include "twin/report/run/limits_with_records.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace wattloop::twin {

namespace {

using LimitsOfPart = std::map<std::string, std::vector<LimitRecord*>, std::less<>>;

void take_farther(LimitRecord& limit, double value, double time_s) {
  const bool is_upper = limit.worst > limit.limit;
  if (!std::isfinite(value) || (is_upper ? value <= limit.worst : value >= limit.worst)) return;
  limit.worst = value;
  limit.worst_time_s = time_s;
}

/// Records of one column; a mean over an interval is no value of an instant.
void take_column(const ResultsReader& results, const TableSpec& table, const ColumnSpec& column,
                 const LimitsOfPart& limits) {
  if (column.is_mean) return;
  const std::vector<double> times_s = results.times_s(table.group);
  const std::vector<float> values = results.column(table.group, column.name);
  const std::size_t items = table.items.size();
  for (std::size_t item = 0; item < items; ++item) {
    const auto known = limits.find(table.items[item]);
    if (known == limits.end()) continue;
    for (LimitRecord* limit : known->second)
      for (std::size_t row = 0; row < std::min(times_s.size(), values.size() / items); ++row)
        if (times_s[row] >= limit->first_time_s)
          take_farther(*limit, static_cast<double>(values[row * items + item]), times_s[row]);
  }
}

}  // namespace

std::vector<LimitRecord> limits_with_records(const ResultsReader& results) {
  std::vector<LimitRecord> limits = results.limits();
  std::map<std::string, LimitsOfPart, std::less<>> by_quantity;
  for (LimitRecord& limit : limits)
    if (limit.unit == "K") by_quantity[limit.quantity][limit.part].push_back(&limit);
  if (by_quantity.empty()) return limits;
  for (const std::string& group : results.tables()) {
    const TableSpec table = results.table(group);
    if (table.items.empty()) continue;
    for (const ColumnSpec& column : table.columns) {
      const auto known = by_quantity.find(column.name);
      if (known != by_quantity.end()) take_column(results, table, column, known->second);
    }
  }
  return limits;
}

}  // namespace wattloop::twin
