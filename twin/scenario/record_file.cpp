#include "twin/scenario/record_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/local_time.hpp"
#include "core/nearest.hpp"
#include "core/series.hpp"
#include "core/units.hpp"
#include "twin/document/field_reader.hpp"
#include "twin/document/packed_text.hpp"
#include "workload/csv_text.hpp"

namespace wattloop::twin {

namespace {

using workload::CsvCell;
using workload::CsvLine;
using workload::CsvLines;
using workload::CsvProblems;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double usual_gap_intervals = 3.0;
constexpr std::string_view dates = "date";

/// The number that is all of `text`; not a number where it says so; infinite where it is too large.
std::optional<double> number_in(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

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
    problems.add({at.place, fmt::format("unit of {}: '{}' is not what it may be in", of, unit),
                  error.hint.empty() || si_unit == "1" ? fmt::format("a unit of {}", kind) : error.hint, at.excerpt});
    return std::nullopt;
  }
}

/// Six minutes are six minutes, in hours, too: to the microsecond, below which instants are the same.
double whole_microseconds(double time_s) { return std::round(time_s * 1e6) / 1e6; }

double median_step(const std::vector<double>& stamps) {
  std::vector<double> steps(stamps.size() - 1);
  for (std::size_t row = 0; row + 1 < stamps.size(); ++row) steps[row] = stamps[row + 1] - stamps[row];
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  return *middle;
}

/// Times of a file by one of its columns, from its first row.
struct Times {
  std::string column, unit;
  bool is_good = false;
  std::vector<double> stamps_s;
  double interval_s = 0.0;
  std::optional<LocalTime> first;  ///< of dates: that of the first row
};

/// A file, read once.
class RecordFile {
 public:
  RecordFile(const FollowSpec& first, const FollowingRun& run, Problems& problems)
      : path_(first.file), run_(run), problems_(problems) {
    open(first);
  }

  const std::string& path() const { return path_; }

  void read(FollowSpec& spec) {
    if (!is_good_) return;
    const std::optional<ToSi> in_si =
        read_unit(spec.params.unit, spec.info.unit, spec.unit_mention, spec.setting, problems_);
    const std::optional<std::size_t> column = find_column(spec.params.column, spec.column_mention);
    const Times* times = times_of(spec);
    if (!in_si || !column || times == nullptr) return;
    const std::vector<double> values = numbers_of(*column);
    if (values.empty()) return;
    fill(spec, *times, *in_si, {*column, values});
    if (!spec.series.stamps_s.empty()) check_extent(spec, *times);
  }

 private:
  struct Column {
    std::size_t number;
    const std::vector<double>& values;  ///< [row] as in the file
  };

  void open(const FollowSpec& first) {
    std::optional<std::string> unpacked = unpacked_text(path_);
    if (!unpacked) return refuse(first, "cannot be read, or is packed and damaged");
    text_ = *std::move(unpacked);
    if (text_.find('\0') != std::string::npos) return refuse(first, "is a binary file, not CSV text");
    std::string_view text = text_;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    CsvLines lines(text);
    if (!lines.next(header_)) return refuse(first, "is empty");
    for (std::size_t position = 0; position <= header_.text.size();)
      names_.emplace_back(workload::next_cell(header_.text, position).text);
    for (CsvLine line; lines.next(line);) rows_.push_back(line);
    if (rows_.size() < 2) return refuse(first, "has fewer than two rows of numbers");
    check_widths();
  }

  void refuse(const FollowSpec& spec, std::string_view why) {
    is_good_ = false;
    const Mention& at = spec.file_mention;
    problems_.add({at.place, fmt::format("file '{}' {}", path_, why), {}, at.excerpt});
  }

  void check_widths() {
    CsvProblems told(path_, problems_);
    for (const CsvLine& row : rows_) {
      std::size_t cells = 0;
      for (std::size_t position = 0; position <= row.text.size(); ++cells) workload::next_cell(row.text, position);
      if (cells != names_.size())
        told.add(row, 1, fmt::format("{} cells, but the first line names {} columns", cells, names_.size()));
    }
    is_good_ = told.empty();
    told.finish();
  }

  std::optional<std::size_t> find_column(const std::string& name, const Mention& at) {
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    constexpr std::size_t few = 8;
    const std::string near = nearest(name, names_);
    const std::string hint =
        !near.empty()
            ? fmt::format("did you mean '{}'?", near)
            : fmt::format("its columns: {}{}", fmt::join(std::span(names_).first(std::min(few, names_.size())), ", "),
                          names_.size() > few ? ", ..." : "");
    problems_.add({at.place, fmt::format("{} has no column '{}'", path_, name), hint, at.excerpt});
    return std::nullopt;
  }

  /// Null, with problems the first time, where they are not good.
  const Times* times_of(const FollowSpec& spec) {
    const FollowParams& params = spec.params;
    const auto known = std::ranges::find_if(
        times_, [&](const Times& times) { return times.column == params.time && times.unit == params.time_unit; });
    if (known != times_.end()) return known->is_good ? &*known : nullptr;
    Times& times =
        times_.emplace_back(Times{.column = params.time, .unit = params.time_unit, .stamps_s = {}, .first = {}});
    const bool are_dates = params.time_unit == dates;
    const std::optional<ToSi> in_s =
        are_dates ? ToSi("s", "s") : read_unit(params.time_unit, "s", spec.time_unit_mention, "times", problems_);
    std::optional<std::size_t> column = 0;
    if (params.time != "first") column = find_column(params.time, spec.time_mention);
    if (!in_s || !column) return nullptr;
    times.is_good = are_dates ? read_dates(*column, times) : read_stamps(*column, *in_s, times.stamps_s);
    if (!times.is_good) return nullptr;
    times.interval_s = median_step(times.stamps_s);
    return &times;
  }

  bool read_stamps(std::size_t column, const ToSi& in_s, std::vector<double>& stamps_s) {
    CsvProblems told(path_, problems_);
    double latest_s = -std::numeric_limits<double>::infinity();
    for (const CsvLine& row : rows_) {
      const CsvCell cell = workload::cell_at(row.text, column);
      const std::optional<double> value = number_in(cell.text);
      if (!value || !std::isfinite(*value)) {
        told.add(row, cell.column, fmt::format("time '{}' is not a finite number", cell.text),
                 "times are numbers, in `time_unit`; `time` names their column");
        continue;
      }
      const double stamp_s = in_s(*value);
      if (!(stamp_s > latest_s + 2.0 * boundary_slack_s))
        told.add(row, cell.column, fmt::format("time {} does not come after that of the row before", cell.text));
      latest_s = stamp_s;
      stamps_s.push_back(stamp_s);
    }
    if (!stamps_s.empty()) {
      const double first_s = stamps_s.front();
      for (double& stamp_s : stamps_s) stamp_s -= first_s;
    }
    told.finish();
    return told.empty();
  }

  /// Dates are counted from the first row; where in the year that is, says where the run begins.
  bool read_dates(std::size_t column, Times& times) {
    CsvProblems told(path_, problems_);
    for (const CsvLine& row : rows_) {
      const CsvCell cell = workload::cell_at(row.text, column);
      const std::optional<LocalTime> date = parse_local_time(cell.text);
      if (!date) {
        told.add(row, cell.column, fmt::format("time '{}' is no date", cell.text), "2022-01-01 00:00:00");
        continue;
      }
      if (!times.first) times.first = date;
      const double stamp_s = seconds_between(*times.first, *date);
      if (!times.stamps_s.empty() && !(stamp_s > times.stamps_s.back()))
        told.add(row, cell.column, fmt::format("time {} does not come after that of the row before", cell.text));
      times.stamps_s.push_back(stamp_s);
    }
    told.finish();
    return told.empty();
  }

  /// Where the run begins, from the first row of the file.
  double begin_s(const FollowSpec& spec, const Times& times) const {
    if (spec.params.time_unit != dates) return spec.params.skip_s;
    std::optional<LocalTime> start = parse_local_time(run_.start);
    if (!start) return spec.params.skip_s;  // told elsewhere
    start->year = times.first->year;
    if (seconds_between(*times.first, *start) < 0.0) ++start->year;
    return seconds_between(*times.first, *start) + spec.params.skip_s;
  }

  /// [row]; none, with problems, where a cell is no number.
  std::vector<double> numbers_of(std::size_t column) {
    CsvProblems told(path_, problems_);
    std::vector<double> values;
    values.reserve(rows_.size());
    for (const CsvLine& row : rows_) {
      const CsvCell cell = workload::cell_at(row.text, column);
      const std::optional<double> value = cell.text.empty() ? missing : number_in(cell.text);
      if (!value || std::isinf(*value)) {
        told.add(row, cell.column, fmt::format("{}: '{}' is not a finite number", names_[column], cell.text),
                 "where a value is missing the cell stays empty");
      }
      values.push_back(value.value_or(missing));
    }
    told.finish();
    if (!told.empty()) values.clear();
    return values;
  }

  void fill(FollowSpec& spec, const Times& times, const ToSi& in_si, const Column& column) {
    const FollowParams& params = spec.params;
    const double begin = begin_s(spec, times);
    FollowedSeries& series = spec.series;
    series.interval_s = times.interval_s;
    series.between = params.between == "step" ? FollowedSeries::Between::step : FollowedSeries::Between::linear;
    std::size_t lowest = rows_.size(), highest = rows_.size();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const double value = column.values[row];
      if (std::isnan(value)) continue;
      if (lowest == rows_.size() || value < column.values[lowest]) lowest = row;
      if (highest == rows_.size() || value > column.values[highest]) highest = row;
      series.stamps_s.push_back(whole_microseconds(times.stamps_s[row] - begin));
      series.values.push_back(in_si(params.scale_ratio * value + params.offset));
    }
    if (series.values.empty())
      return problems_.add({spec.column_mention.place,
                            fmt::format("{}: no row has a number", names_[column.number]),
                            {},
                            spec.column_mention.excerpt});
    check_value(spec, column, lowest, in_si);
    if (highest != lowest) check_value(spec, column, highest, in_si);
  }

  /// Whether the setting may be that: told where the file says it, of the lowest and of the highest.
  void check_value(const FollowSpec& spec, const Column& column, std::size_t row, const ToSi& in_si) {
    constexpr double coldest_k = 233.15, hottest_k = 373.15;
    const CsvCell cell = workload::cell_at(rows_[row].text, column.number);
    const double value = in_si(spec.params.scale_ratio * column.values[row] + spec.params.offset);
    CsvProblems told(path_, problems_);
    if (spec.info.unit == "K" && !(value >= coldest_k && value <= hottest_k)) {
      told.add(rows_[row], cell.column,
               fmt::format("{}: {} of {} would be {:.6g} degC", names_[column.number], cell.text, spec.setting,
                           value - 273.15),
               "between -40 degC and 100 degC");
      return;
    }
    Problems found;
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = spec.info.unit == "1" ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, spec.info.unit);
    double ignored = 0.0;
    if (read_field(node, {&ignored, spec.info}, found)) return;
    for (const Problem& problem : found.all())
      told.add(rows_[row], cell.column,
               fmt::format("{} as {}: {}", names_[column.number], spec.setting, problem.message), problem.hint);
  }

  /// Of the run: from its begin to its end, without a hole.
  void check_extent(const FollowSpec& spec, const Times& times) {
    const double duration_s = run_.duration_s, begin = begin_s(spec, times);
    const std::vector<double>& stamps_s = spec.series.stamps_s;
    const double first_s = times.stamps_s.front() - begin;
    const double last_s = times.stamps_s.back() - begin + times.interval_s;
    const auto refuse_at = [&](const Mention& at, std::string message, std::string hint) {
      problems_.add({at.place, std::move(message), std::move(hint), at.excerpt});
    };
    if (spec.params.after_end == "refuse" && last_s < duration_s - boundary_slack_s)
      refuse_at(spec.file_mention,
                fmt::format("{} ends {} before the run does", path_, format_quantity(duration_s - last_s, "s")),
                "a shorter `duration`, or `after_end: hold`");
    const double longest_s =
        spec.params.longest_gap_s > 0.0 ? spec.params.longest_gap_s : usual_gap_intervals * times.interval_s;
    std::vector<double> edges{first_s};
    edges.insert(edges.end(), stamps_s.begin(), stamps_s.end());
    edges.push_back(last_s - times.interval_s);
    for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
      if (edges[k + 1] <= 0.0 || edges[k] >= duration_s || edges[k + 1] - edges[k] <= longest_s * (1.0 + 1e-9))
        continue;
      refuse_at(
          spec.column_mention,
          fmt::format("{} has no numbers for {} from {} of the run on", spec.params.column,
                      format_quantity(edges[k + 1] - edges[k], "s"), format_quantity(std::max(edges[k], 0.0), "s")),
          "`longest_gap` says how long numbers may be missing");
      return;
    }
  }

  std::string path_, text_;
  const FollowingRun& run_;
  Problems& problems_;
  CsvLine header_;
  std::vector<std::string> names_;
  std::vector<CsvLine> rows_;
  std::list<Times> times_;
  bool is_good_ = true;
};

}  // namespace

void read_followed_files(std::span<FollowSpec* const> followed, const FollowingRun& run, Problems& problems) {
  std::list<RecordFile> files;
  for (FollowSpec* spec : followed) {
    if (spec->file.empty()) continue;  // that there is none has been told
    auto file = std::ranges::find(files, spec->file, &RecordFile::path);
    if (file == files.end()) {
      files.emplace_back(*spec, run, problems);
      file = std::prev(files.end());
    }
    file->read(*spec);
  }
}

}  // namespace wattloop::twin
