#include "core/local_time.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace wattloop {

namespace {

constexpr std::array days_before_month{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
constexpr double hour_s = 3600.0, day_s = 86400.0;
constexpr int days_of_year = 365, days_of_week = 7, months_of_year = 12;

/// Reads digits from the front of `text`; none where there are not `least` to `most` of them.
std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t count = 0;
  while (count < text.size() && count < most && text[count] >= '0' && text[count] <= '9') ++count;
  if (count < least) return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + count, value);
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

/// "18:00", "06:00:30" from the front of `text`.
std::optional<double> take_time_of_day(std::string_view& text) {
  const std::optional<int> hour = take_digits(text, 1, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  const std::optional<int> minute = take_digits(text, 2, 2);
  std::optional<int> second = 0;
  if (minute && take(text, ':')) second = take_digits(text, 2, 2);
  if (!minute || !second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return *hour * hour_s + *minute * 60.0 + *second;
}

/// Fractions of a second, and "Z", "+00:00", "-05".
bool is_tail(std::string_view text) {
  if (take(text, '.') && !take_digits(text, 1, 9)) return false;
  if (text.empty() || text == "Z") return true;
  if (!take(text, '+') && !take(text, '-')) return false;
  if (!take_digits(text, 2, 2)) return false;
  take(text, ':');
  return text.empty() || (take_digits(text, 2, 2) && text.empty());
}

/// Number of a day of the year, from 0; 29 February is 1 March.
int day_of_year(const LocalTime& time) {
  const bool is_leap_day = time.month == 2 && time.day == 29;
  return days_before_month.at(static_cast<std::size_t>(time.month - 1)) + (is_leap_day ? 28 : time.day - 1);
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
  using namespace std::chrono;
  const year_month_day date{std::chrono::year{*year}, std::chrono::month{static_cast<unsigned>(*month)},
                            std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  LocalTime time{*year, *month, *day, 0.0};
  if (text.empty()) return time;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const std::optional<double> second = take_time_of_day(text);
  if (!second || !is_tail(text)) return std::nullopt;
  time.second_of_day = *second;
  return time;
}

double seconds_between(const LocalTime& from, const LocalTime& to) {
  using namespace std::chrono;
  const auto days_of = [](const LocalTime& time) {
    const year_month_day date{year{time.year}, month{static_cast<unsigned>(time.month)},
                              day{static_cast<unsigned>(time.day)}};
    return sys_days{date}.time_since_epoch().count();
  };
  return static_cast<double>(days_of(to) - days_of(from)) * day_s + to.second_of_day - from.second_of_day;
}

double seconds_of_year(const LocalTime& time) { return day_of_year(time) * day_s + time.second_of_day; }

double seconds_of_year(std::string_view local_time) {
  const std::optional<LocalTime> time = parse_local_time(local_time);
  if (!time) throw std::invalid_argument("no local time: " + std::string(local_time));
  return seconds_of_year(*time);
}

double length_of_month_s(int month_number) {
  const auto month = static_cast<std::size_t>(month_number % months_of_year);
  return (days_before_month.at(month + 1) - days_before_month.at(month)) * day_s;
}

LocalClock::LocalClock(std::string_view start) {
  const std::optional<LocalTime> time = parse_local_time(start);
  if (!time) throw std::invalid_argument("no local time: " + std::string(start));
  using namespace std::chrono;
  const year_month_day date{year{time->year}, month{static_cast<unsigned>(time->month)},
                            day{static_cast<unsigned>(time->day)}};
  start_year_ = time->year;
  start_weekday_ = static_cast<int>(weekday{sys_days{date}}.iso_encoding()) - 1;
  start_s_ = seconds_of_year(*time);
}

ClockNow LocalClock::at(double time_s) const {
  const double second = start_s_ + time_s;
  const int day = static_cast<int>(std::floor(second / day_s));
  const int day_in_year = day % days_of_year, years = day / days_of_year;
  int month = 1;
  while (days_before_month.at(static_cast<std::size_t>(month)) <= day_in_year) ++month;
  const int weekday = (start_weekday_ + day - static_cast<int>(std::floor(start_s_ / day_s))) % days_of_week;
  constexpr int saturday = 5;
  return {.month = month,
          .month_number = years * months_of_year + month - 1,
          .hour = static_cast<int>(std::floor((second - day * day_s) / hour_s)),
          .is_weekend = weekday >= saturday};
}

double LocalClock::next_multiple_s(double time_s, double interval_s) const {
  return (std::floor((start_s_ + time_s) / interval_s) + 1.0) * interval_s - start_s_;
}

double LocalClock::next_time_of_day_s(double second_of_day) const {
  const double wait_s = second_of_day - std::fmod(start_s_, day_s);
  return wait_s < 0.0 ? wait_s + day_s : wait_s;
}

double LocalClock::seconds_of_run(const LocalTime& time) const {
  return (time.year - start_year_) * days_of_year * day_s + seconds_of_year(time) - start_s_;
}

}  // namespace wattloop
