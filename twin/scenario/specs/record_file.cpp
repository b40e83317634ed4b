#include "twin/scenario/specs/record_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/tables/csv_table.hpp"
#include "core/tables/local_time.hpp"
#include "core/tables/rows_by_date.hpp"
#include "core/tables/time_stamps.hpp"
#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "twin/document/field_reader.hpp"

namespace wattloop::twin {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double usual_gap_intervals = 3.0;

/// A number of a unit in SI; "1" is what ratios are in.
double in_si(double value, std::string_view unit, std::string_view si_unit) {
  return unit == "1" && si_unit == "1" ? value : to_si(value, unit, si_unit);
}

/// Numbers of a unit in SI: all units are lines.
struct ToSi {
  double at_zero, per_unit;

  ToSi(std::string_view unit, std::string_view si_unit)
      : at_zero(in_si(0.0, unit, si_unit)), per_unit(in_si(1.0, unit, si_unit) - at_zero) {}
  double operator()(double value) const { return at_zero + per_unit * value; }
};

/// Of a unit that someone wrote; none, with a problem, where it is of another kind.
std::optional<ToSi> read_unit(const std::string& unit, std::string_view si_unit, const Mention& at, std::string_view of,
                              Problems& problems) {
  try {
    return ToSi(unit, si_unit);
  } catch (const QuantityError& error) {
    const std::string kind = si_unit == "1" ? "a ratio: 1 or %" : unit_for_people(si_unit);
    problems.add({at.place, fmt::format("unit of {}: '{}' is not a unit of this quantity", of, unit),
                  error.hint.empty() || si_unit == "1" ? fmt::format("a unit of {}", kind) : error.hint, at.excerpt});
    return std::nullopt;
  }
}

/// Six minutes are six minutes, in hours, too: to the microsecond, below which instants are the same.
double whole_microseconds(double time_s) { return std::round(time_s * 1e6) / 1e6; }

/// Times of a file by one of its columns.
struct Times {
  std::string column;
  StampFormat format;
  std::optional<TimeStamps> stamps;
};

/// Times without numbers that are bridged.
struct Bridged {
  std::size_t count = 0;
  double longest_s = 0.0, longest_from_s = 0.0;

  void add(double from_s, double until_s, double interval_s) {
    const double missing_s = until_s - from_s - interval_s;
    if (missing_s < 0.5 * interval_s) return;
    ++count;
    if (missing_s <= longest_s) return;
    longest_s = missing_s;
    longest_from_s = from_s + interval_s;
  }

  std::string text(const FollowSpec& spec, const std::string& file) const {
    return fmt::format(
        "{}: {} in {} filled with {}; the longest is {} and begins {} after the start of the run", file,
        count_text(count, "hole"), spec.params.column,
        spec.params.between == "linear" ? "a straight line between the rows before and after" : "the row before",
        format_quantity(longest_s, "s"), format_quantity(longest_from_s, "s"));
  }
};

/// A file, read once.
class RecordFile {
 public:
  RecordFile(const FollowSpec& first, const FollowingRun& run, Problems& problems)
      : path_(first.file),
        run_(run),
        start_(parse_local_time(run.start).value_or(LocalTime{})),  // that it is none is reported elsewhere
        problems_(problems),
        table_(read_csv_table(path_, problems, first.file_mention)) {
    if (table_ && table_->is_whole && table_->rows.size() < 2)
      problems_.add({first.file_mention.place,
                     fmt::format("file '{}' has fewer than two rows of numbers", path_),
                     {},
                     first.file_mention.excerpt});
    is_good_ = table_ && table_->is_whole && table_->rows.size() >= 2;
  }

  const std::string& path() const { return path_; }

  void read(FollowSpec& spec) {
    if (!is_good_) return;
    const std::optional<ToSi> in_si =
        read_unit(spec.params.unit, spec.info.unit, spec.unit_mention, spec.setting, problems_);
    const std::optional<std::size_t> column = find_column(spec.params.column, spec.column_mention);
    const TimeStamps* stamps = stamps_of(spec);
    if (!in_si || !column || stamps == nullptr) return;
    const std::vector<double> values = numbers_of(*column);
    if (values.empty()) return;
    const PlacedRows placed = rows_in_run(spec, *stamps);
    fill(spec, placed, *in_si, {*column, values});
    spec.series.interval_s = stamps->interval_s;
    spec.notes = stamps->notes;
    if (!spec.series.stamps_s.empty()) check_extent(spec, placed);
    for (const std::string& note : placed.notes) spec.notes.push_back(fmt::format("{}: {}", path_, note));
    const std::string few = few_rows_text(placed.times_s, stamps->interval_s, run_.duration_s);
    if (!few.empty()) spec.notes.push_back(fmt::format("{}: {}", path_, few));
  }

 private:
  struct Column {
    std::size_t number;
    const std::vector<double>& values;  ///< [row] as in the file
  };

  std::optional<std::size_t> find_column(const std::string& name, const Mention& at) {
    const std::optional<std::size_t> column = table_->column(name);
    if (!column)
      problems_.add(
          {at.place, fmt::format("{} has no column '{}'", path_, name), table_->names_hint(name), at.excerpt});
    return column;
  }

  /// Null, with problems the first time, where they are not good.
  const TimeStamps* stamps_of(const FollowSpec& spec) {
    const StampFormat format = spec.params.times.format();
    const auto known = std::ranges::find_if(
        times_, [&](const Times& times) { return times.column == spec.params.times.time && times.format == format; });
    if (known != times_.end()) return known->stamps ? &*known->stamps : nullptr;
    Times& times = times_.emplace_back(Times{spec.params.times.time, format, {}});
    std::optional<std::size_t> column = 0;
    if (spec.params.times.time != "first") column = find_column(spec.params.times.time, spec.time_mention);
    if (!column || !is_format_good(spec, format)) return nullptr;
    CsvProblems reported(path_, problems_);
    times.stamps = read_time_stamps(*table_, *column, format, reported);
    reported.finish();
    return times.stamps ? &*times.stamps : nullptr;
  }

  bool is_format_good(const FollowSpec& spec, const StampFormat& format) {
    const Mention& at = spec.time_unit_mention;
    if (!format.is_date() && !read_unit(format.unit, "s", at, "times", problems_)) return false;
    const std::string mistake = format_mistake(format);
    if (!mistake.empty()) problems_.add({at.place, mistake, {}, at.excerpt});
    return mistake.empty();
  }

  /// Begins of the intervals that rows stand for, in the run; of instants their times.
  PlacedRows rows_in_run(const FollowSpec& spec, const TimeStamps& stamps) const {
    PlacedRows placed;
    if (stamps.first) {
      const LocalTime there = time_after(start_, spec.params.skip_s);  // what the file shows when the run begins
      placed = rows_by_date(stamps, {there, run_.duration_s});
    } else {
      placed.times_s = stamps.since_first_s;
      placed.rows.resize(placed.times_s.size());
      std::iota(placed.rows.begin(), placed.rows.end(), std::size_t{0});
    }
    const StampOf stamp = stamp_of(spec.params.times.stamp);
    const bool is_line = spec.params.between == "linear";
    if (!is_line) placed.times_s = row_intervals(placed.times_s, stamps.interval_s, stamp).begin_s;
    if (!stamps.first && !placed.times_s.empty()) {
      const double first_s = (stamp == StampOf::end ? placed.times_s.front() : 0.0) + spec.params.skip_s;
      for (double& time_s : placed.times_s) time_s -= first_s;
    }
    return placed;
  }

  /// [row]; none, with problems, where a cell is no number.
  std::vector<double> numbers_of(std::size_t column) {
    CsvProblems reported(path_, problems_);
    std::vector<double> values;
    values.reserve(table_->rows.size());
    for (const CsvLine& row : table_->rows) {
      const CsvCell cell = table_->cell(row, column);
      const std::optional<double> value = is_missing_number(cell.text) ? missing : number_in(cell.text);
      if (!value || std::isinf(*value)) {
        reported.add_no_number(row, cell,
                               fmt::format("{}: '{}' is not a finite number", table_->names[column], cell.text),
                               "leave the cell empty if a value is missing");
      }
      values.push_back(value.value_or(missing));
    }
    reported.finish();
    if (!reported.empty()) values.clear();
    return values;
  }

  void fill(FollowSpec& spec, const PlacedRows& placed, const ToSi& in_si, const Column& column) {
    const FollowParams& params = spec.params;
    FollowedSeries& series = spec.series;
    series.between = params.between == "step" ? FollowedSeries::Between::step : FollowedSeries::Between::linear;
    std::optional<std::size_t> lowest, highest;
    for (std::size_t k = 0; k < placed.rows.size(); ++k) {
      const std::size_t row = placed.rows[k];
      const double value = column.values[row];
      if (std::isnan(value)) continue;
      if (!lowest || value < column.values[*lowest]) lowest = row;
      if (!highest || value > column.values[*highest]) highest = row;
      series.stamps_s.push_back(whole_microseconds(placed.times_s[k]));
      series.values.push_back(in_si(params.scale_ratio * value + params.offset));
    }
    if (series.values.empty())
      return problems_.add({spec.column_mention.place,
                            fmt::format("{}: no row has a number", table_->names[column.number]),
                            {},
                            spec.column_mention.excerpt});
    check_value(spec, column, *lowest, in_si);
    if (*highest != *lowest) check_value(spec, column, *highest, in_si);
  }

  /// Whether the setting may be that: reported where the file says it, of the lowest and of the highest.
  void check_value(const FollowSpec& spec, const Column& column, std::size_t row, const ToSi& in_si) {
    constexpr double coldest_k = 233.15, hottest_k = 373.15;
    const CsvCell cell = table_->cell(table_->rows[row], column.number);
    const std::string& name = table_->names[column.number];
    const double value = in_si(spec.params.scale_ratio * column.values[row] + spec.params.offset);
    CsvProblems reported(path_, problems_);
    if (spec.info.unit == "K" && !(value >= coldest_k && value <= hottest_k)) {
      reported.add(table_->rows[row], cell.column,
                   fmt::format("{}: {} of {} would be {:.6g} degC", name, cell.text, spec.setting, value - 273.15),
                   "write values between -40 degC and 100 degC");
      return;
    }
    Problems found;
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = spec.info.unit == "1" ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, spec.info.unit);
    double ignored = 0.0;
    if (read_field(node, {&ignored, spec.info}, found)) return;
    for (const Problem& problem : found.all())
      reported.add(table_->rows[row], cell.column, fmt::format("{} as {}: {}", name, spec.setting, problem.message),
                   problem.hint);
  }

  /// Of the run: from its begin to its end, without a hole.
  void check_extent(FollowSpec& spec, const PlacedRows& placed) {
    const double duration_s = run_.duration_s, interval_s = spec.series.interval_s;
    const std::vector<double>& stamps_s = spec.series.stamps_s;
    const double last_s = placed.times_s.back() + interval_s;
    const auto refuse_at = [&](const Mention& at, std::string message, std::string hint) {
      problems_.add({at.place, std::move(message), std::move(hint), at.excerpt});
    };
    const double longest_s =
        spec.params.longest_gap_s > 0.0 ? spec.params.longest_gap_s : usual_gap_intervals * interval_s;
    const std::string early = early_begin_text(placed, time_after(start_, spec.params.skip_s), longest_s);
    if (!early.empty()) return refuse_at(spec.file_mention, fmt::format("{}: {}", path_, early), "a later `start`");
    const std::string filled = filled_begin_text(placed, time_after(start_, spec.params.skip_s));
    if (!filled.empty()) spec.notes.push_back(fmt::format("{}: {}", path_, filled));
    if (spec.params.after_end == "refuse" && last_s < duration_s - boundary_slack_s)
      refuse_at(spec.file_mention,
                fmt::format("{} ends {} before the run does", path_, format_quantity(duration_s - last_s, "s")),
                "write a shorter `duration`, or `after_end: hold`");
    std::vector<double> edges{placed.times_s.front()};
    edges.insert(edges.end(), stamps_s.begin(), stamps_s.end());
    edges.push_back(last_s - interval_s);
    Bridged bridged;
    for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
      if (edges[k + 1] <= 0.0 || edges[k] >= duration_s) continue;
      if (edges[k + 1] - edges[k] <= longest_s * (1.0 + 1e-9)) {
        bridged.add(edges[k], edges[k + 1], interval_s);
        continue;
      }
      refuse_at(
          spec.column_mention,
          fmt::format("{} has no numbers for {}, beginning {} after the start of the run", spec.params.column,
                      format_quantity(edges[k + 1] - edges[k], "s"), format_quantity(std::max(edges[k], 0.0), "s")),
          "write a longer `longest_gap`, the time for which numbers may be missing");
      return;
    }
    if (bridged.count > 0) spec.notes.push_back(bridged.text(spec, path_));
  }

  std::string path_;
  const FollowingRun& run_;
  const LocalTime start_;
  Problems& problems_;
  std::optional<CsvTable> table_;
  std::list<Times> times_;
  bool is_good_ = false;
};

}  // namespace

void read_followed_files(std::span<FollowSpec* const> followed, const FollowingRun& run, Problems& problems) {
  std::list<RecordFile> files;
  for (FollowSpec* spec : followed) {
    if (spec->file.empty()) continue;  // that there is none has been reported
    auto file = std::ranges::find(files, spec->file, &RecordFile::path);
    if (file == files.end()) {
      files.emplace_back(*spec, run, problems);
      file = std::prev(files.end());
    }
    file->read(*spec);
  }
}

}  // namespace wattloop::twin
