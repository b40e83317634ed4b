#include "twin/comparison/telemetry_file.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/tables/csv_table.hpp"
#include "core/tables/local_time.hpp"

namespace wattloop::twin {

namespace {

class TelemetryReader {
 public:
  TelemetryReader(const CsvTable& table, const TelemetryMap& map, Problems& problems)
      : table_(table), map_(map), problems_(problems), reported_(table.file, problems) {}

  Telemetry read(const std::string& start_iso) {
    Telemetry telemetry;
    const auto time = column_of(map_.time_column, map_.time_at);
    std::optional<TimeStamps> stamps;
    if (time) stamps = read_time_stamps(table_, *time, map_.format, reported_);
    std::vector<double> times_s;
    if (stamps) {
      times_s = simulated(*stamps, start_iso);
      telemetry.notes = stamps->notes;
    }
    for (const MappedSeries& series : map_.series) {
      const auto column = column_of(series.column, series.at);
      telemetry.series.push_back(column ? samples_of(*column, times_s) : SampleSeries{});
    }
    reported_.finish();
    return telemetry;
  }

 private:
  /// The map's mistake where the file has no such column.
  std::optional<std::size_t> column_of(const std::string& name, const Problem& at) {
    const auto column = table_.column(name);
    if (column || name.empty()) return column;
    Problem problem = at;
    problem.message = fmt::format("{} has no column '{}'", table_.file, name);
    if (problems_.are_all_reported()) problem.hint = table_.names_hint(name);
    problems_.add(std::move(problem));
    return std::nullopt;
  }

  std::vector<double> simulated(const TimeStamps& stamps, const std::string& start_iso) const {
    const LocalTime start = parse_local_time(start_iso).value_or(LocalTime{});
    const double first_s = (stamps.first ? seconds_between(start, *stamps.first) : stamps.first_s) + map_.offset_s;
    std::vector<double> times_s = stamps.since_first_s;
    for (double& time_s : times_s) time_s += first_s;
    return times_s;
  }

  /// Numbers are judged even where times are not good.
  SampleSeries samples_of(std::size_t column, const std::vector<double>& times_s) {
    SampleSeries samples{.stamp = map_.stamp};
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const CsvCell cell = table_.cell(table_.rows[row], column);
      if (is_missing_number(cell.text)) continue;
      const std::optional<double> number = number_in(cell.text);
      if (!number || !std::isfinite(*number)) {
        reported_.add_no_number(table_.rows[row], cell, fmt::format("'{}' is no number", cell.text),
                                "write the unit of the column in the map");
      } else if (row < times_s.size()) {
        samples.times_s.push_back(times_s[row]);
        samples.values.push_back(*number);
      }
    }
    return samples;
  }

  const CsvTable& table_;
  const TelemetryMap& map_;
  Problems& problems_;
  CsvProblems reported_;
};

}  // namespace

Telemetry read_telemetry(const std::filesystem::path& file, const TelemetryMap& map, const std::string& start_iso,
                         Problems& problems) {
  const std::optional<CsvTable> table = read_csv_table(file, problems);
  if (!table) return {};
  return TelemetryReader(*table, map, problems).read(start_iso);
}

}  // namespace wattloop::twin
