// A column of stamps: numbers of a unit or dates, the one reader of times in tables.
//
//   unit           s, ms, min, h, day: numbers        date: 2026-07-15T10:00:00.250, 2026/07/15 10:00        MM/DD/YYYY, DD/MM/YYYY: in this order
//   utc_offset     of the run's clock, local standard time: stamps with an offset or Z of their own are converted by it, without it refused
//   summer_time    US, EU: stamps without an offset are those of clocks that go forward in spring
//   stamp          begin, end: of the interval that a row is a mean of        instant: a value at its stamp
//
// In the hour that clocks of summer time show twice, stamps are of summer time until they go back.
// Verified in tests/unit/core/time_stamps.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/csv_table.hpp"
#include "core/tables/local_time.hpp"
#include "core/tables/time_keys.hpp"
#include "core/text/problem.hpp"

namespace wattloop {

/// Of each row of a table.
struct TimeStamps {
  std::vector<double> since_first_s;  ///< increasing, from 0
  double interval_s = 0.0;            ///< the median step; 0 of one row
  double first_s = 0.0;               ///< of numbers: what the first row has
  std::optional<LocalTime> first{};   ///< of dates: the first row, local standard time
  std::vector<std::string>
      notes{};  ///< for the user: an hour that is there twice, or one that clocks may have left out
};

/// The usual step of increasing times: of an even number of steps the mean of the middle two. 0 of fewer than two times.
double median_step_s(std::span<const double> times_s);

/// None, with problems, where a stamp is none, is not after the one before, or the format is wrong.
std::optional<TimeStamps> read_time_stamps(const CsvTable& table, std::size_t column, const StampFormat& format,
                                           CsvProblems& problems);

/// What is wrong with a format besides its column, for the place that says it; empty: nothing.
std::string format_mistake(const StampFormat& format);

/// What a stamp says of the interval that its row stands for.
enum class StampOf { begin, end, instant };
StampOf stamp_of(std::string_view name);

/// Intervals that rows stand for: up to the neighbour, of instants half way; at most one and a half of `interval_s`, else that.
struct RowIntervals {
  std::vector<double> begin_s, end_s;
};
RowIntervals row_intervals(std::span<const double> stamps_s, double interval_s, StampOf stamp);

/// Rows of dates where a run has them. Seconds of the run.
struct PlacedRows {
  std::vector<std::size_t> rows{};  ///< of the table
  std::vector<double> times_s{};    ///< increasing
  std::vector<std::string> notes{};
};

/// A run from `start` on for `duration_s`.
struct RunSpan {
  LocalTime start;
  double duration_s = 0.0;
};

/// Where the file has the run's own dates, at them; else by day and time of the year, in the first year that has them. 29 February repeats
/// the day before it where the file has none, and is left out where the run has none.
PlacedRows rows_by_date(const TimeStamps& stamps, const RunSpan& run);

/// "the run begins 2 h before the first row, 2026-07-15T10:00"; empty where it does not, by more than `slack_s`.
std::string early_begin_text(const PlacedRows& placed, const LocalTime& start, double slack_s);

/// The same where so much is filled, with what fills it; empty where the first row is there in time.
std::string filled_begin_text(const PlacedRows& placed, const LocalTime& start);

/// "the run of 2 min sees 1 of 150 rows, which are 16 min 40 s apart"; empty where it sees two or more. Begins of rows in the run.
std::string few_rows_text(std::span<const double> begins_s, double interval_s, double duration_s);

}  // namespace wattloop
