// Local standard time of a run: the clock that weather, tariffs, followed files and clock times of events share. Its calendar is the
// Gregorian one, leap years included, as stamps of results are read by others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wattloop {

/// A local time as people write it: "2026-07-15T06:00:00" or with a blank instead of the T, seconds and their fraction left out or not,
/// with or without "Z" or an offset behind it. None where it is none. Who reads it applies the offset, or refuses it.
struct LocalTime {
  int year = 0, month = 1, day = 1;  ///< 1 to 12, 1 to 31
  double second_of_day = 0.0;
  std::optional<double> utc_offset_s = std::nullopt;  ///< where one is written
};
std::optional<LocalTime> parse_local_time(std::string_view text);

/// "18:00" or "18:00:30" as seconds after midnight; none where it is no time of day.
std::optional<double> parse_time_of_day(std::string_view text);

/// Whether the calendar has that day.
bool is_date(int year, int month, int day);
bool is_leap_year(int year);

/// Seconds from the first midnight of its year.
double seconds_of_year(const LocalTime& time);

/// By the calendar; offsets that are written are not applied.
double seconds_between(const LocalTime& from, const LocalTime& to);

/// What the calendar shows so many seconds after `from`.
LocalTime time_after(const LocalTime& from, double seconds);

/// "2026-07-19T15:00", to the nearest minute.
std::string minute_text(const LocalTime& time);

/// An instant of a run that begins at `start`, a local time: "14 h 20 min" of the first day, then its date and time, "2026-07-19T15:00".
std::string instant_text(std::string_view start, double time_s);

/// What a clock shows. Months of a run are counted through its years: equal ones are billed together.
struct ClockNow {
  int month = 1;         ///< 1 to 12
  int month_number = 0;  ///< 12 years + month - 1, years from that of the start
  int hour = 0;          ///< 0 to 23
  bool is_weekend = false;
};

/// The clock of a run that begins at `start`, a local time; throws `std::invalid_argument` where it is none.
class LocalClock {
 public:
  explicit LocalClock(std::string_view start);

  const LocalTime& start() const { return start_; }
  ClockNow at(double time_s) const;
  /// The first midnight of a month by its number, in seconds of the run; negative before it.
  double begin_of_month_s(int month_number) const;
  /// Of a month by its number, s.
  double length_of_month_s(int month_number) const;
  /// The first whole multiple of `interval_s` since midnight after `time_s`, in seconds of the run; 3600: the next full hour.
  double next_multiple_s(double time_s, double interval_s) const;
  /// When the clock shows that time of day for the first time, at the start or after it.
  double next_time_of_day_s(double second_of_day) const;
  /// Seconds of the run at a local time; negative before it.
  double seconds_of_run(const LocalTime& time) const { return seconds_between(start_, time); }

 private:
  LocalTime start_;
  double start_s_ = 0.0;  ///< of its year
};

}  // namespace wattloop
