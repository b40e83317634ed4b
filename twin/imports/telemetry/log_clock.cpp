#include "twin/imports/telemetry/log_clock.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/tables/csv_text.hpp"
#include "core/tables/local_time.hpp"
#include "core/tables/stamp_text.hpp"
#include "core/tables/time_of_run.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr LocalTime first_of_1970{1970, 1, 1};
constexpr std::size_t day_length = 11;  // "2023/09/15 "

/// Times that count from 1970: nothing that counts from its own start lasts three years.
constexpr double least_unix_s = 1e8;
constexpr double most_s = 1e11;  // of the year 5138

}  // namespace

std::string clock_text(ClockKind clock, double time_s) {
  if (clock == ClockKind::seconds) return fmt::format("{:.12g} s", time_s);
  LocalTime time = time_after(first_of_1970, std::round(time_s * 1000.0) / 1000.0);
  const double milliseconds = std::round(time.second_of_day * 1000.0);
  const int seconds = static_cast<int>(milliseconds / 1000.0);
  const int rest = static_cast<int>(milliseconds - 1000.0 * seconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}", time.year, time.month, time.day, seconds / 3600,
                     seconds / 60 % 60, seconds % 60, rest > 0 ? fmt::format(".{:03}", rest) : "",
                     clock == ClockKind::unix_time ? "Z" : "");
}

std::string span_text(double seconds) {
  return seconds < 60.0 ? fmt::format("{:.4g} s", seconds) : time_of_run(std::round(seconds));
}

std::string LogClock::expected() const {
  if (kind_ && kind_ != ClockKind::date && !has_offset_) return "a number, as in the rows before";
  if (order_ != "date") return fmt::format("a date, {} hh:mm:ss", order_);
  if (has_offset_) return "a date with its offset, 2023-09-15T10:23:45Z, as in the rows before";
  if (kind_) return "a date without an offset, 2023-09-15T10:23:45, as in the rows before";
  return "2023/09/15 10:23:45.123, 2023-09-15T10:23:45Z, UNIX seconds or seconds since a start";
}

std::optional<double> LogClock::read(std::string_view text) {
  if (const std::optional<double> value = number_in(text); value && std::isfinite(*value)) return number(*value);
  return date(text);
}

std::optional<double> LogClock::number(double value) {
  if (per_unit_s_ == 0.0) {
    if (kind_) return std::nullopt;  // those before were dates
    const double size = std::abs(value);
    const bool is_by_size = unit_.empty() || unit_ == "s";
    per_unit_s_ = !is_by_size   ? to_si(1.0, unit_, "s")
                  : size > 1e17 ? 1e-9
                  : size > 1e14 ? 1e-6
                  : size > 1e11 ? 1e-3
                                : 1.0;
    kind_ = size * per_unit_s_ > least_unix_s ? ClockKind::unix_time : ClockKind::seconds;
  }
  const double time_s = value * per_unit_s_;
  return std::abs(time_s) < most_s ? std::optional(time_s) : std::nullopt;
}

std::optional<double> LogClock::date(std::string_view text) {
  if (per_unit_s_ > 0.0) return std::nullopt;
  if (kind_ && !has_offset_ && text.size() > day_length &&
      text.substr(0, day_length) == day_) {  // the common case, fast
    if (const std::optional<double> second = parse_time_of_day(text.substr(day_length))) return day_s_ + *second;
  }
  const std::optional<LocalTime> time = parse_stamp(text, order_);
  if (!time) return std::nullopt;
  const bool has_offset = time->utc_offset_s.has_value();
  if (kind_ && has_offset != has_offset_) return std::nullopt;
  has_offset_ = has_offset;
  kind_ = has_offset ? ClockKind::unix_time : ClockKind::date;
  const double stamp_s = seconds_between(first_of_1970, *time);
  const bool has_day = text.size() > day_length && (text[day_length - 1] == ' ' || text[day_length - 1] == 'T');
  if (has_day && !text.substr(day_length).starts_with("24")) {  // which is another day
    day_ = text.substr(0, day_length);
    day_s_ = stamp_s - time->second_of_day;
  }
  return stamp_s - time->utc_offset_s.value_or(0.0);
}

}  // namespace wattloop::twin
