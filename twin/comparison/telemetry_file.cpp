#include "twin/comparison/telemetry_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "core/nearest.hpp"
#include "core/units.hpp"
#include "twin/document/csv_table.hpp"

namespace wattloop::twin {

namespace {

std::optional<double> number_of(std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

bool is_no_sample(std::string_view text) {
  constexpr std::array<std::string_view, 7> words{"", "-", "nan", "NaN", "NAN", "null", "NULL"};
  return std::ranges::find(words, text) != words.end();
}

/// Seconds since 1970 of "2026-07-15T10:00:00", with 'T' or a blank, seconds perhaps with a fraction.
std::optional<double> seconds_of_date(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, end = 0;
  double second = 0.0;
  char between = 0;
  const int read = std::sscanf(text.c_str(), "%4d-%2d-%2d%c%2d:%2d%n:%lf%n", &year, &month, &day, &between, &hour,
                               &minute, &end, &second, &end);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  const bool is_time = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0.0 && second < 61.0;
  if (read < 6 || (between != 'T' && between != ' ') || !date.ok() || !is_time) return std::nullopt;
  if (static_cast<std::size_t>(end) != text.size()) return std::nullopt;
  const double days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return 86400.0 * days + 3600.0 * hour + 60.0 * minute + second;
}

class TelemetryReader {
 public:
  TelemetryReader(const CsvTable& table, const TelemetryMap& map, double start_s, Problems& problems)
      : table_(table), map_(map), start_s_(start_s), problems_(problems) {}

  std::vector<SampleSeries> read() {
    std::vector<SampleSeries> all(map_.series.size());
    const auto time = column_of(map_.time_column, map_.time_at);
    std::vector<std::optional<std::size_t>> columns;
    for (const MappedSeries& series : map_.series) columns.push_back(column_of(series.column, series.at));
    if (!time) return all;
    double previous_s = -INFINITY;
    for (const CsvRow& row : table_.rows) {
      const auto time_s = time_of(row, *time);
      if (!time_s) continue;
      if (!(*time_s > previous_s)) {
        problems_.add(table_.problem(row, *time,
                                     fmt::format("time '{}' is not after the one before", row.cells[*time].text),
                                     "times ascend; local standard time has no hour twice"));
        continue;
      }
      previous_s = *time_s;
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (columns[k]) read_cell(row, *columns[k], *time_s, all[k]);
      }
    }
    return all;
  }

 private:
  /// The map's mistake where the file has no such column.
  std::optional<std::size_t> column_of(const std::string& name, const Problem& at) {
    const auto column = table_.column(name);
    if (column || name.empty()) return column;
    Problem problem = at;
    const std::vector<std::string> names = table_.names();
    problem.message = fmt::format("{} has no column '{}'", table_.file, name);
    problem.hint = nearest_hint(name, names);
    problems_.add(std::move(problem));
    return std::nullopt;
  }

  std::optional<double> time_of(const CsvRow& row, std::size_t column) {
    const std::string_view text = row.cells[column].text;
    if (map_.is_date) {
      if (const auto since_1970_s = seconds_of_date(std::string(text))) return *since_1970_s - start_s_ + map_.offset_s;
      problems_.add(table_.problem(row, column, fmt::format("'{}' is no date", text),
                                   "local standard time as 2026-07-15T10:00:00, without a zone"));
      return std::nullopt;
    }
    if (const auto number = number_of(text)) return to_si(*number, map_.time_unit, "s") + map_.offset_s;
    problems_.add(table_.problem(row, column, fmt::format("'{}' is no time in {}", text, map_.time_unit),
                                 "dates are read with 'unit: date' in the map"));
    return std::nullopt;
  }

  void read_cell(const CsvRow& row, std::size_t column, double time_s, SampleSeries& series) {
    const std::string_view text = row.cells[column].text;
    if (is_no_sample(text)) return;
    const auto number = number_of(text);
    if (!number) {
      problems_.add(table_.problem(row, column, fmt::format("'{}' is no number", text),
                                   "the unit of a column stands in the map"));
      return;
    }
    series.times_s.push_back(time_s);
    series.values.push_back(*number);
  }

  const CsvTable& table_;
  const TelemetryMap& map_;
  double start_s_;
  Problems& problems_;
};

}  // namespace

std::vector<SampleSeries> read_telemetry(const std::filesystem::path& file, const TelemetryMap& map,
                                         const std::string& start_iso, Problems& problems) {
  const std::optional<CsvTable> table = read_csv_table(file, problems);
  if (!table) return {};
  return TelemetryReader(*table, map, seconds_of_date(start_iso).value_or(0.0), problems).read();
}

}  // namespace wattloop::twin
