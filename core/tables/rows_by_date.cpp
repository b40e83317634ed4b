// Puts rows with dates at times of a run: at their own dates, or at the same day and time of another year.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/tables/rows_by_date.hpp"
#include "core/tables/time_of_run.hpp"

namespace wattloop {

namespace {

constexpr double day_s = 86400.0;

bool is_leap_day(const LocalTime& time) { return time.month == 2 && time.day == 29; }

/// The same day and time of another year. If that year has no 29 February, the day before is used.
LocalTime in_year(LocalTime time, int year) {
  if (is_leap_day(time) && !is_leap_year(year)) time.day = 28;
  time.year = year;
  return time;
}

/// The year of the file that contains the start date of the run; none if no year contains this date.
std::optional<int> year_with(const TimeStamps& stamps, const LocalTime& start) {
  const LocalTime &first = *stamps.first, last = time_after(first, stamps.since_first_s.back() + stamps.interval_s);
  for (int year = first.year; year <= last.year; ++year) {
    const LocalTime there = in_year(start, year);
    if (seconds_between(first, there) >= -boundary_slack_s && seconds_between(there, last) > boundary_slack_s)
      return year;
  }
  return std::nullopt;
}

/// The first row of a day, and the row after its last row.
struct Day {
  std::size_t first = 0, end = 0;
};

Day rows_of(const PlacedRows& placed, double midnight_s) {
  const auto at = [&](double time_s) {
    return static_cast<std::size_t>(std::ranges::lower_bound(placed.times_s, time_s - boundary_slack_s) -
                                    placed.times_s.begin());
  };
  return {at(midnight_s), at(midnight_s + day_s)};
}

/// Copies the rows of 28 February to 29 February if that day has no rows, and there are rows before and after it.
bool repeat_day_before(PlacedRows& placed, double midnight_s) {
  const Day before = rows_of(placed, midnight_s - day_s), own = rows_of(placed, midnight_s);
  if (own.first != own.end || before.first == before.end || own.first == placed.rows.size()) return false;
  const PlacedRows copy = placed;
  const auto place = static_cast<std::ptrdiff_t>(own.first);
  const auto from = static_cast<std::ptrdiff_t>(before.first), to = static_cast<std::ptrdiff_t>(before.end);
  placed.rows.insert(placed.rows.begin() + place, copy.rows.begin() + from, copy.rows.begin() + to);
  placed.times_s.insert(placed.times_s.begin() + place, copy.times_s.begin() + from, copy.times_s.begin() + to);
  for (std::ptrdiff_t k = place; k < place + to - from; ++k) placed.times_s[static_cast<std::size_t>(k)] += day_s;
  return true;
}

/// Fills every 29 February of the run.
void fill_leap_days(PlacedRows& placed, const RunSpan& run) {
  const LocalTime end = time_after(run.start, run.duration_s);
  for (int year = run.start.year; year <= end.year; ++year) {
    const double midnight_s = seconds_between(run.start, {year, 2, 29});
    if (!is_leap_year(year) || midnight_s + day_s <= 0.0 || midnight_s >= run.duration_s) continue;
    if (repeat_day_before(placed, midnight_s))
      placed.notes.push_back(fmt::format("it has no 29 February {}: the day before is repeated", year));
  }
}

}  // namespace

PlacedRows rows_by_date(const TimeStamps& stamps, const RunSpan& run) {
  PlacedRows placed;
  const LocalTime& start = run.start;
  const double first_s = seconds_between(start, *stamps.first);
  const double end_s = first_s + stamps.since_first_s.back() + stamps.interval_s;
  const bool has_own = first_s < run.duration_s && end_s > boundary_slack_s;
  const int shift = has_own ? 0 : start.year - year_with(stamps, start).value_or(start.year);
  if (shift != 0)
    placed.notes.push_back(
        fmt::format("it has no row of {}: the rows of {} with the same day and time of the year are used",
                    minute_text(start).substr(0, 10), start.year - shift));
  bool is_left_out = false;
  for (std::size_t row = 0; row < stamps.since_first_s.size(); ++row) {
    double time_s = first_s + stamps.since_first_s[row];
    if (shift != 0) {
      const LocalTime own = time_after(*stamps.first, stamps.since_first_s[row]);
      const LocalTime there = in_year(own, own.year + shift);
      time_s = seconds_between(start, there);
      if (is_leap_day(own) && !is_leap_day(there)) {
        is_left_out = is_left_out || (time_s > -day_s && time_s < run.duration_s);
        continue;
      }
    }
    placed.rows.push_back(row);
    placed.times_s.push_back(time_s);
  }
  if (is_left_out) placed.notes.push_back("its 29 February is left out: the run's year has none");
  fill_leap_days(placed, run);
  return placed;
}

std::string early_begin_text(const PlacedRows& placed, const LocalTime& start, double slack_s) {
  if (placed.times_s.empty() || placed.times_s.front() <= slack_s * (1.0 + 1e-9)) return {};
  return fmt::format("the run begins {} before the first row, {}", time_of_run(placed.times_s.front()),
                     minute_text(time_after(start, placed.times_s.front())));
}

std::string filled_begin_text(const PlacedRows& placed, const LocalTime& start) {
  const std::string early = early_begin_text(placed, start, boundary_slack_s);
  return early.empty() ? early : early + ": the values of the first row are used from the start of the run";
}

std::string few_rows_text(std::span<const double> begins_s, double interval_s, double duration_s) {
  const auto seen = std::ranges::count_if(begins_s, [&](double begin_s) {
    return begin_s + interval_s > boundary_slack_s && begin_s < duration_s - boundary_slack_s;
  });
  if (seen >= 2) return {};
  return fmt::format("the run lasts {}: it uses only {} of {} rows of the file, which are {} apart",
                     time_of_run(duration_s), seen, begins_s.size(), time_of_run(interval_s));
}

}  // namespace wattloop
