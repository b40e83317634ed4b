#include "workload/replay/trace_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/tables/time_stamps.hpp"
#include "core/text/count_text.hpp"

namespace wattloop::workload {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr double most_inserted_rows = 1e6;

/// Samples missing in `span_s` between two that are there.
int missing_in(double span_s, double interval_s) {
  const double missing = std::round(span_s / interval_s) - 1.0;
  return static_cast<int>(std::clamp(missing, 0.0, 1e9));
}

class GapFiller {
 public:
  GapFiller(PowerTrace& trace, const TraceSource& source, std::string_view fill, CsvProblems& problems)
      : trace_(trace), lines_(source.lines), source_(source), fill_(fill), problems_(problems) {}

  void run() {
    trace_.interval_s = median_step_s(trace_.stamps_s);
    if (fill_ == "zero" || fill_ == "interpolate") insert_rows();
    std::vector<std::size_t> last(trace_.columns(), none);  // the latest row with a sample
    for (std::size_t row = 0; row < trace_.rows(); ++row) {
      const bool is_after_gap =
          row > 0 && missing_in(trace_.stamps_s[row] - trace_.stamps_s[row - 1], trace_.interval_s) > 0;
      for (std::size_t column = 0; column < trace_.columns(); ++column) {
        if (std::isnan(at(row, column))) continue;
        const bool is_adjacent = last[column] == none ? row == 0 : last[column] + 1 == row;
        if (!is_adjacent || is_after_gap) close_hole(column, last[column], row);
        last[column] = row;
      }
    }
    for (std::size_t column = 0; column < trace_.columns(); ++column) {
      if (last[column] == none) {
        problems_.add(fmt::format("column '{}' has no sample at all", trace_.names[column]));
      } else if (last[column] + 1 < trace_.rows()) {
        close_hole(column, last[column], none);
      }
    }
    std::sort(trace_.holes.begin(), trace_.holes.end(), [](const Hole& a, const Hole& b) {
      return std::tie(a.column, a.start_s) < std::tie(b.column, b.start_s);
    });
  }

 private:
  /// Whether the run reads anything between two times.
  bool is_read(double from_s, double until_s) const {
    return until_s > source_.read_from_s + boundary_slack_s && from_s < source_.read_until_s - boundary_slack_s;
  }

  double& at(std::size_t row, std::size_t column) { return trace_.power_w[row * trace_.columns() + column]; }

  /// Rows for what `fill` puts into long gaps between rows, empty as yet: one for zero, all for
  /// interpolation.
  void insert_rows() {
    PowerTrace wider{.file = trace_.file,
                     .stamps_s = {},
                     .names = trace_.names,
                     .power_w = {},
                     .holes = {},
                     .interval_s = trace_.interval_s,
                     .notes = trace_.notes};
    std::vector<CsvLine> lines;
    for (std::size_t row = 0; row < trace_.rows(); ++row) {
      const double before_s = row > 0 ? trace_.stamps_s[row - 1] : trace_.stamps_s[0];
      int missing = row > 0 ? missing_in(trace_.stamps_s[row] - before_s, trace_.interval_s) : 0;
      if (!is_read(before_s + trace_.interval_s, trace_.stamps_s[row])) missing = 0;
      if (fill_ == "interpolate" && missing > most_inserted_rows) {
        problems_.add(
            lines_[row], 1,
            fmt::format("{} missing before this row are too many to interpolate", count_text(missing, "interval")));
        missing = 0;
      }
      if (missing <= longest_silent_hole) missing = 0;
      if (fill_ == "zero") missing = std::min(missing, 1);
      for (int i = 1; i <= missing; ++i) {
        wider.stamps_s.push_back(before_s + i * trace_.interval_s);
        wider.power_w.insert(wider.power_w.end(), trace_.columns(), std::numeric_limits<double>::quiet_NaN());
        lines.push_back(lines_[row]);
      }
      wider.stamps_s.push_back(trace_.stamps_s[row]);
      const auto values = trace_.row(row);
      wider.power_w.insert(wider.power_w.end(), values.begin(), values.end());
      lines.push_back(lines_[row]);
    }
    trace_ = std::move(wider);
    lines_ = std::move(lines);
  }

  /// The hole of `column` between the samples in rows `before` and `after`; `none` at either end of the
  /// trace.
  void close_hole(std::size_t column, std::size_t before, std::size_t after) {
    const double interval_s = trace_.interval_s;
    const std::vector<double>& stamps_s = trace_.stamps_s;
    const double before_s = before == none ? stamps_s.front() - interval_s : stamps_s[before];
    const double after_s = after == none ? stamps_s.back() + interval_s : stamps_s[after];
    const std::size_t first = before == none ? 0 : before + 1;
    const std::size_t end = after == none ? trace_.rows() : after;
    const bool has_empty_cells = first < end;
    const double next_s = before_s + interval_s;
    const Hole hole{
        .column = column,
        .start_s = has_empty_cells ? std::min(stamps_s[first], next_s) : next_s,
        .intervals = std::max(missing_in(after_s - before_s, interval_s), 1),
        .line = lines_[first].number,
    };
    const bool is_seen = is_read(hole.start_s, after_s), is_long = hole.intervals > longest_silent_hole;
    if (fill_ == "end" && after == none) {
      if (is_seen) ++trace_.ended_columns;
      return fill(column, before, after, "zero");
    }
    if (is_seen) trace_.holes.push_back(hole);
    if (is_seen && is_long && (fill_ == "refuse" || fill_ == "end")) refuse(hole, first, has_empty_cells, after_s);
    fill(column, before, after, is_long ? fill_ : "hold");
  }

  void fill(std::size_t column, std::size_t before, std::size_t after, std::string_view mode) {
    const std::size_t first = before == none ? 0 : before + 1;
    const std::size_t end = after == none ? trace_.rows() : after;
    const double before_w = at(before == none ? after : before, column);
    const double after_w = at(after == none ? before : after, column);
    for (std::size_t row = first; row < end; ++row) {
      double& value_w = at(row, column);
      value_w = mode == "zero" ? 0.0 : before_w;
      if (mode == "interpolate" && before != none && after != none) {
        const double start_s = trace_.stamps_s[before];
        value_w += (after_w - before_w) * (trace_.stamps_s[row] - start_s) / (trace_.stamps_s[after] - start_s);
      }
    }
  }

  /// One problem for each hole; for rows that are missing as a whole one for all columns.
  void refuse(const Hole& hole, std::size_t row, bool has_empty_cells, double after_s) {
    const std::string what = has_empty_cells ? fmt::format("column '{}' has no sample", trace_.names[hole.column])
                                             : std::string("there are no rows");
    const std::string message = fmt::format(
        "{} from {:.12g} s until {:.12g} s: {} of {:.6g} s missing in a row, at most {} are filled", what, hole.start_s,
        after_s, count_text(hole.intervals, "interval"), trace_.interval_s, longest_silent_hole);
    if (!has_empty_cells && row == refused_row_) return;
    if (!has_empty_cells) refused_row_ = row;
    const int character =
        has_empty_cells ? cell_at(lines_[row].text, source_.file_columns[hole.column], source_.separator).column : 1;
    problems_.add(lines_[row], character, message,
                  "to accept longer holes, write fill: hold, interpolate or zero; if a record ends, write fill: end");
  }

  PowerTrace& trace_;
  std::vector<CsvLine> lines_;
  const TraceSource& source_;
  std::string_view fill_;
  CsvProblems& problems_;
  std::size_t refused_row_ = none;
};

}  // namespace

void fill_gaps(PowerTrace& trace, const TraceSource& source, std::string_view fill, CsvProblems& problems) {
  GapFiller(trace, source, fill, problems).run();
}

std::vector<std::string> describe_holes(const PowerTrace& trace, const HoleListing& listing) {
  std::vector<Hole> holes;
  std::ranges::copy_if(trace.holes, std::back_inserter(holes),
                       [&](const Hole& hole) { return hole.column < listing.columns; });
  std::vector<std::string> ends;
  if (trace.ended_columns > 0)
    ends.push_back(fmt::format("{} of {} columns end before the trace ends: 0 W is used from there",
                               trace.ended_columns, trace.columns()));
  if (holes.empty()) return ends.empty() ? std::vector<std::string>{"no sample is missing"} : ends;
  const Hole& longest = *std::ranges::max_element(holes, {}, &Hole::intervals);
  std::vector<std::string> lines{
      fmt::format("{} filled, the longest of {} in column '{}' at {:.12g} s", count_text(holes.size(), "hole"),
                  count_text(longest.intervals, "interval"), trace.names[longest.column], longest.start_s)};
  std::ranges::move(ends, std::back_inserter(lines));
  if (!listing.every_hole) return lines;
  for (const Hole& hole : holes) {
    lines.push_back(fmt::format("column '{}': {} missing at {:.12g} s", trace.names[hole.column],
                                count_text(hole.intervals, "interval"), hole.start_s));
  }
  return lines;
}

}  // namespace wattloop::workload
