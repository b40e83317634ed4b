// Rows of dated tables at the seconds of a run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/tables/time_stamps.hpp"

namespace wattloop {

/// Rows of dates where a run has them. Seconds of the run.
struct PlacedRows {
  std::vector<std::size_t> rows{};  ///< of the table
  std::vector<double> times_s{};    ///< increasing
  std::vector<std::string> notes{};
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
