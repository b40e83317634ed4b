#include "core/tables/local_time.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/tables/time_of_run.hpp"

namespace wattloop {

namespace {

namespace chrono = std::chrono;

constexpr double minute_s = 60.0, hour_s = 3600.0, day_s = 86400.0;
constexpr int months_of_year = 12;

chrono::year_month_day date_of(int year, int month, int day) {
  return {chrono::year{year}, chrono::month{static_cast<unsigned>(month)}, chrono::day{static_cast<unsigned>(day)}};
}

/// Days since 1970.
chrono::sys_days days_of(const LocalTime& time) { return date_of(time.year, time.month, time.day); }

/// Reads digits from the front of `text`. Returns none if the number of digits is not between `least` and `most`.
std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t count = 0;
  while (count < text.size() && count < most && text[count] >= '0' && text[count] <= '9') ++count;
  if (count < least) return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + count, value);
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

/// "18:00", "06:00:30", "06:00:30.250" from the front of `text`.
std::optional<double> take_time_of_day(std::string_view& text) {
  const std::optional<int> hour = take_digits(text, 1, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  const std::optional<int> minute = take_digits(text, 2, 2);
  std::optional<int> second = 0;
  double fraction = 0.0;
  if (minute && take(text, ':')) {
    second = take_digits(text, 2, 2);
    if (second && !text.empty() && text.front() == '.') {
      const auto [end, error] =
          std::from_chars(text.data(), text.data() + text.size(), fraction, std::chars_format::fixed);
      if (error != std::errc{}) return std::nullopt;
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
  }
  if (!minute || !second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return *hour * hour_s + *minute * minute_s + *second + fraction;
}

/// The offset "Z", "+00:00", "-0530" or "-05", if it is the whole `text`; otherwise none.
bool read_offset(std::string_view text, std::optional<double>& offset_s) {
  if (text.empty()) return true;
  const bool is_behind = text.front() == '-';
  std::optional<int> hours = 0, minutes = 0;
  if (!take(text, 'Z')) {
    if (!take(text, '+') && !take(text, '-')) return false;
    hours = take_digits(text, 2, 2);
    take(text, ':');
    if (!text.empty()) minutes = take_digits(text, 2, 2);
  }
  if (!hours || !minutes || *hours > 14 || *minutes > 59 || !text.empty()) return false;
  offset_s = (is_behind ? -1.0 : 1.0) * (*hours * hour_s + *minutes * minute_s);
  return true;
}

}  // namespace

std::optional<double> parse_time_of_day(std::string_view text) {
  const std::optional<double> second = take_time_of_day(text);
  return text.empty() ? second : std::nullopt;
}

std::optional<LocalTime> parse_local_time(std::string_view text) {
  const std::optional<int> year = take_digits(text, 4, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const std::optional<int> month = take_digits(text, 2, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const std::optional<int> day = take_digits(text, 2, 2);
  if (!day) return std::nullopt;
  if (!is_date(*year, *month, *day)) return std::nullopt;
  LocalTime time{*year, *month, *day};
  if (text.empty()) return time;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const std::optional<double> second = take_time_of_day(text);
  if (!second || !read_offset(text, time.utc_offset_s)) return std::nullopt;
  time.second_of_day = *second;
  return time;
}

bool is_date(int year, int month, int day) { return date_of(year, month, day).ok(); }

bool is_leap_year(int year) { return chrono::year{year}.is_leap(); }

double seconds_of_year(const LocalTime& time) { return seconds_between({time.year}, time); }

double seconds_between(const LocalTime& from, const LocalTime& to) {
  return static_cast<double>((days_of(to) - days_of(from)).count()) * day_s + to.second_of_day - from.second_of_day;
}

LocalTime time_after(const LocalTime& from, double seconds) {
  const double second = from.second_of_day + seconds, days = std::floor(second / day_s);
  const chrono::year_month_day date = days_of(from) + chrono::days{static_cast<int>(days)};
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())), second - days * day_s};
}

std::string minute_text(const LocalTime& time) {
  const LocalTime shown = time_after(time, 0.5 * minute_s);
  const int minutes = static_cast<int>(shown.second_of_day / minute_s);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}", shown.year, shown.month, shown.day, minutes / 60, minutes % 60);
}

std::string instant_text(std::string_view start, double time_s) {
  const std::optional<LocalTime> begin = parse_local_time(start);
  if (!begin || !(time_s > day_s) || !std::isfinite(time_s)) return time_of_run(time_s);
  LocalTime shown = time_after(*begin, time_s + 0.5);
  const int seconds = static_cast<int>(shown.second_of_day) % static_cast<int>(minute_s);
  shown.second_of_day = std::floor(shown.second_of_day) - seconds;
  return minute_text(shown) + (seconds > 0 ? fmt::format(":{:02}", seconds) : "");
}

LocalClock::LocalClock(std::string_view start) {
  const std::optional<LocalTime> time = parse_local_time(start);
  if (!time) throw std::invalid_argument("no local time: " + std::string(start));
  start_ = *time;
  start_s_ = seconds_of_year(start_);
}

ClockNow LocalClock::at(double time_s) const {
  const LocalTime now = time_after(start_, time_s);
  constexpr unsigned saturday = 6;
  return {.month = now.month,
          .month_number = (now.year - start_.year) * months_of_year + now.month - 1,
          .hour = static_cast<int>(std::floor(now.second_of_day / hour_s)),
          .is_weekend = chrono::weekday{days_of(now)}.iso_encoding() >= saturday};
}

double LocalClock::begin_of_month_s(int month_number) const {
  return seconds_of_run({start_.year + month_number / months_of_year, month_number % months_of_year + 1});
}

double LocalClock::length_of_month_s(int month_number) const {
  return begin_of_month_s(month_number + 1) - begin_of_month_s(month_number);
}

double LocalClock::next_multiple_s(double time_s, double interval_s) const {
  return (std::floor((start_s_ + time_s) / interval_s) + 1.0) * interval_s - start_s_;
}

double LocalClock::next_time_of_day_s(double second_of_day) const {
  const double wait_s = second_of_day - start_.second_of_day;
  return wait_s < 0.0 ? wait_s + day_s : wait_s;
}

}  // namespace wattloop
