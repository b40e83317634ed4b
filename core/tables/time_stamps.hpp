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

/// A run from `start` on for `duration_s`.
struct RunSpan {
  LocalTime start;
  double duration_s = 0.0;
};

}  // namespace wattloop
