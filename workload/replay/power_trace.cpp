#include "workload/replay/power_trace.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/tables/csv_table.hpp"
#include "core/tables/rows_by_date.hpp"
#include "core/units/units.hpp"
#include "workload/replay/column_list.hpp"
#include "workload/replay/trace_gaps.hpp"

namespace wattloop::workload {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view header_example = "the first line names the columns, such as t_s,node_1,node_2";

class TraceReader {
 public:
  TraceReader(const CsvTable& table, const ReplayParams& params, PowerTrace& trace, CsvProblems& problems)
      : table_(table), params_(params), trace_(trace), problems_(problems) {}

  void run(const TraceRequest& request) {
    if (!read_units() || !read_header()) return;
    const std::optional<TimeStamps> stamps = read_time_stamps(table_, time_column_, format_, problems_);
    for (const CsvLine& row : table_.rows) read_row(row);
    if (!table_.is_whole || !problems_.empty() || !stamps) return;
    if (table_.rows.size() == 1)
      return problems_.add(table_.rows.front(), 1,
                           "there is only one data row, but the interval follows from two or more");
    trace_.notes = stamps->notes;
    source_.lines = table_.rows;
    source_.separator = table_.separator;
    place(*stamps, request.run);
    if (request.run) limit_to(*request.run, stamps->first.has_value());
    fill_gaps(trace_, source_, params_.fill, problems_);
    if (stamps->first && request.run) cut_to(request.run->start);
  }

 private:
  bool read_units() {
    try {
      per_unit_w_ = params_.scale_ratio * to_si(1.0, params_.unit, "W");
      if (!format_.is_date()) to_si(1.0, format_.unit, "s");
    } catch (const QuantityError& error) {
      problems_.add(error.what(), error.hint);
      return false;
    }
    const std::string mistake = format_mistake(format_);
    if (!mistake.empty()) problems_.add(mistake);
    return mistake.empty();
  }

  bool read_header() {
    if (params_.times.time != "first") {
      const std::optional<std::size_t> column = table_.column(params_.times.time);
      if (!column) {
        problems_.add(fmt::format("there is no column '{}' of times", params_.times.time),
                      table_.names_hint(params_.times.time));
        return false;
      }
      time_column_ = *column;
    }
    if (table_.names.size() < 2) {
      problems_.add(table_.head, 1, "there is no column of power beside the column of times",
                    std::string(header_example));
      return false;
    }
    const std::string mistake = read_column_list(params_.columns, table_.names.size() - 1, source_.file_columns);
    if (!mistake.empty()) problems_.add(table_.head, 1, mistake);
    slot_.assign(table_.names.size(), -1);
    for (std::size_t& column : source_.file_columns) {
      if (column <= time_column_) --column;  // those in front of it count from 0
      slot_[column] = static_cast<int>(trace_.names.size());
      const std::string& name = table_.names[column];
      trace_.names.push_back(name.empty() ? fmt::format("column {}", column) : name);
    }
    return mistake.empty();
  }

  void read_row(const CsvLine& line) {
    const std::size_t first = trace_.power_w.size();
    trace_.power_w.resize(first + trace_.columns(), missing);
    std::size_t position = 0;
    for (std::size_t cell = 0; cell < slot_.size(); ++cell) {
      const int slot = slot_[cell];
      if (slot < 0) {
        next_cell(line.text, position, table_.separator);
      } else if (!read_plain(line.text, position, trace_.power_w[first + slot])) {
        trace_.power_w[first + slot] =
            read_power(line, next_cell(line.text, position, table_.separator), trace_.names[slot]);
      }
    }
  }

  /// The common case, fast: a bare positive number right up to the comma. Leaves everything else to
  /// `read_power`.
  bool read_plain(std::string_view line, std::size_t& position, double& power_w) const {
    double value = 0.0;
    const char* const line_end = line.data() + line.size();
    const auto [end, error] = std::from_chars(line.data() + position, line_end, value);
    const bool is_whole = end == line_end || *end == table_.separator;
    if (error != std::errc{} || !is_whole || !(value > 0.0) || std::isinf(value)) return false;
    power_w = per_unit_w_ * value;
    position = static_cast<std::size_t>(end - line.data()) + 1;
    return true;
  }

  double read_power(const CsvLine& line, const CsvCell& cell, const std::string& name) {
    if (is_missing_number(cell.text)) return missing;
    const std::optional<double> value = number_in(cell.text);
    if (value && std::isfinite(*value) && *value >= 0.0) return per_unit_w_ * *value + 0.0;  // no negative zero
    const bool is_negative = value && std::isfinite(*value);
    if (is_negative) {
      problems_.add(line, cell.column, fmt::format("{}: power {} {} is negative", name, cell.text, params_.unit));
    } else {
      problems_.add_no_number(
          line, cell, fmt::format("{}: '{}' is not a {}", name, cell.text, value ? "finite power" : "number"),
          fmt::format("write power in {}; leave the cell empty if a sample is missing", params_.unit));
    }
    return missing;
  }

  /// When each row begins to hold: numbers as the file has them, dates in seconds of the run.
  void place(const TimeStamps& stamps, const std::optional<RunSpan>& run) {
    if (stamps.first && run) {
      PlacedRows placed = rows_by_date(stamps, *run);
      for (const std::string& note : placed.notes) trace_.notes.push_back(fmt::format("{}: {}", trace_.file, note));
      take_rows(placed.rows);
      trace_.stamps_s = std::move(placed.times_s);
    } else {
      trace_.stamps_s = stamps.since_first_s;
      for (double& stamp_s : trace_.stamps_s) stamp_s += stamps.first_s;
    }
    const StampOf stamp = stamp_of(params_.times.stamp);
    const double first_s = trace_.stamps_s.front();
    if (stamp != StampOf::begin) trace_.stamps_s = row_intervals(trace_.stamps_s, stamps.interval_s, stamp).begin_s;
    if (stamp == StampOf::instant) trace_.stamps_s.front() = first_s;  // there the run begins
  }

  /// Rows of the file as dates place them: all in their order, except for those of 29 February.
  void take_rows(const std::vector<std::size_t>& rows) {
    bool is_as_it_was = rows.size() == source_.lines.size();
    for (std::size_t k = 0; is_as_it_was && k < rows.size(); ++k) is_as_it_was = rows[k] == k;
    if (is_as_it_was) return;
    std::vector<double> power_w;
    std::vector<CsvLine> lines;
    for (const std::size_t row : rows) {
      const std::span<const double> values =
          std::span(trace_.power_w).subspan(row * trace_.columns(), trace_.columns());
      power_w.insert(power_w.end(), values.begin(), values.end());
      lines.push_back(source_.lines[row]);
    }
    trace_.power_w = std::move(power_w);
    source_.lines = std::move(lines);
  }

  /// Holes count within what the run reads: what it lasts or what stands for the time before it; of late columns, which go round, all.
  void limit_to(const RunSpan& run, bool is_of_dates) {
    source_.read_from_s = is_of_dates ? 0.0 : trace_.stamps_s.front();
    const bool is_late = params_.spread.phase_jitter_s > 0.0 || params_.spread.copy_delay_s > 0.0;
    if (!is_late) source_.read_until_s = source_.read_from_s + std::max(run.duration_s, params_.lead_in_s);
  }

  /// The row that holds when the run begins is the first one.
  void cut_to(const LocalTime& start) {
    const double slack_s = longest_silent_hole * trace_.interval_s;
    const std::string early = early_begin_text({.times_s = {trace_.stamps_s.front()}}, start, slack_s);
    if (!early.empty()) return problems_.add(early, "a later `start`");
    const std::string filled = filled_begin_text({.times_s = {trace_.stamps_s.front()}}, start);
    if (!filled.empty()) trace_.notes.push_back(fmt::format("{}: {}", trace_.file, filled));
    if (trace_.stamps_s.back() + trace_.interval_s <= boundary_slack_s)
      return problems_.add(
          fmt::format("the run begins after the last row, {}", minute_text(time_after(start, trace_.stamps_s.back()))),
          "an earlier `start`");
    const auto first = static_cast<std::ptrdiff_t>(sample_at(trace_.stamps_s, 0.0));
    trace_.stamps_s.erase(trace_.stamps_s.begin(), trace_.stamps_s.begin() + first);
    trace_.power_w.erase(trace_.power_w.begin(),
                         trace_.power_w.begin() + first * static_cast<std::ptrdiff_t>(trace_.columns()));
    trace_.stamps_s.front() = 0.0;
  }

  const CsvTable& table_;
  const ReplayParams& params_;
  PowerTrace& trace_;
  CsvProblems& problems_;
  TraceSource source_;
  const StampFormat format_ = params_.times.format();
  double per_unit_w_ = 1.0;
  std::size_t time_column_ = 0;
  std::vector<int> slot_;  // [cell of a line] column of the trace, or -1
};

}  // namespace

PowerTrace read_power_trace(const std::string& path, const ReplayParams& params, Problems& problems,
                            const TraceRequest& request) {
  PowerTrace trace;
  trace.file = path;
  const std::optional<CsvTable> table = read_csv_table(path, problems, request.named_at);
  if (!table) return trace;
  CsvProblems collected(path, problems);
  TraceReader(*table, params, trace, collected).run(request);
  collected.finish();
  return trace;
}

}  // namespace wattloop::workload
