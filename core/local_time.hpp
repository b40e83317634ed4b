// Local standard time of a run: the clock that weather, tariffs and clock times of events share. Years count 365 days, as the years
// of weather files do; 29 February is 1 March.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wattloop {

/// Seconds from the first midnight of the year to a local time "2026-07-15T06:00:00", as `parse_local_time` takes it.
double seconds_of_year(std::string_view local_time);

/// A local time as people write it: "2026-07-15T06:00:00" or with a blank in place of the T, seconds left out or not, with or without
/// "Z" or an offset behind it, which is not applied. None where it is none.
struct LocalTime {
  int year = 0, month = 1, day = 1;  ///< 1 to 12, 1 to 31
  double second_of_day = 0.0;
};
std::optional<LocalTime> parse_local_time(std::string_view text);

/// "18:00" or "18:00:30" as seconds after midnight; none where it is no time of day.
std::optional<double> parse_time_of_day(std::string_view text);

/// Seconds from the first midnight of its year.
double seconds_of_year(const LocalTime& time);

/// By the calendar, leap days included; 29 February of another year is 1 March.
double seconds_between(const LocalTime& from, const LocalTime& to);

/// What a clock shows. Months of a run are counted through its years: equal ones are billed together.
struct ClockNow {
  int month = 1;         ///< 1 to 12
  int month_number = 0;  ///< 12 years + month - 1, years from that of the start
  int hour = 0;          ///< 0 to 23
  bool is_weekend = false;
};

/// Length of a month by its number, 29 February left out, s.
double length_of_month_s(int month_number);

/// The clock of a run that begins at `start`, a local time.
class LocalClock {
 public:
  explicit LocalClock(std::string_view start);

  ClockNow at(double time_s) const;
  /// The first whole multiple of `interval_s` since midnight after `time_s`, in seconds of the run; 3600: the next full hour.
  double next_multiple_s(double time_s, double interval_s) const;
  /// When the clock shows that time of day for the first time, at the start or after it.
  double next_time_of_day_s(double second_of_day) const;
  /// Seconds of the run at a local time of its own calendar; negative before it. Later years count 365 days.
  double seconds_of_run(const LocalTime& time) const;

 private:
  int start_year_ = 0;
  int start_weekday_ = 0;  ///< 0 Monday
  double start_s_ = 0.0;   ///< of its year
};

}  // namespace wattloop
