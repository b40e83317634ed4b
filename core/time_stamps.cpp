#include "core/time_stamps.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/series.hpp"
#include "core/time_of_run.hpp"
#include "core/units.hpp"

namespace wattloop {

namespace {

constexpr double hour_s = 3600.0, day_s = 86400.0;
constexpr double longest_interval_ratio = 1.5;
constexpr double largest_utc_offset_s = 14.0 * hour_s;
constexpr std::array<std::string_view, 3> date_orders{"date", "MM/DD/YYYY", "DD/MM/YYYY"};
constexpr std::string_view none = "none";

/// "-5 h", "+05:30", "Z": what the clock of a run is ahead of UTC.
std::optional<double> utc_offset_of(const std::string& text) {
  const std::optional<LocalTime> as_stamp = parse_local_time("2000-01-01T00:00" + text);
  if (as_stamp && as_stamp->utc_offset_s) return as_stamp->utc_offset_s;
  try {
    const double offset_s = to_si(text, "s");
    return std::abs(offset_s) <= largest_utc_offset_s ? std::optional(offset_s) : std::nullopt;
  } catch (const QuantityError&) {
    return std::nullopt;
  }
}

/// "10/31/2026 01:15 PM" as "2026-10-31T13:15"; what is in another order as it is.
std::string in_iso_order(std::string_view text, std::string_view order) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::array<std::string_view, 3> parts;
  std::size_t at = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    parts[k] = text.substr(begin, at - begin);
    if (k == 2) break;
    if (at == text.size() || std::string_view("/.-").find(text[at]) == std::string_view::npos) return {};
    ++at;
  }
  if (order != "date") {
    std::swap(parts[0], parts[2]);                             // year first
    if (order == "MM/DD/YYYY") std::swap(parts[1], parts[2]);  // then the month
  }
  if (parts[0].size() != 4 || parts[1].empty() || parts[2].empty()) return {};
  return fmt::format("{}-{:0>2}-{:0>2}{}", parts[0], parts[1], parts[2], text.substr(at));
}

/// Takes "AM" or "PM" from the end of a stamp: the hours that it adds. None: there is none.
std::optional<double> take_half_of_day(std::string_view& text) {
  for (const auto& [name, hours] : {std::pair("AM", 0.0), std::pair("PM", 12.0)}) {
    if (!text.ends_with(name)) continue;
    text.remove_suffix(2);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return hours;
  }
  return std::nullopt;
}

std::optional<LocalTime> parse_stamp(std::string_view text, std::string_view order) {
  const std::optional<double> half = take_half_of_day(text);
  std::optional<LocalTime> time = parse_local_time(in_iso_order(text, order));
  if (!time || !half) return time;
  const double hour = std::floor(time->second_of_day / hour_s);
  if (hour < 1.0 || hour > 12.0 || time->utc_offset_s) return std::nullopt;
  time->second_of_day += (hour == 12.0 ? *half - 12.0 : *half) * hour_s;
  return time;
}

/// The day of the week of the first of a month, 0: Sunday.
int weekday_of_first(int year, int month) {
  const LocalTime thursday{1970, 1, 1};
  const double days = seconds_between(thursday, {year, month, 1}) / day_s;
  return static_cast<int>(std::fmod(std::fmod(days + 4.0, 7.0) + 7.0, 7.0));
}

/// The `count`th Sunday of a month, from 1; 0: the last one of a month of 31 days.
int sunday_of(int year, int month, int count) {
  const int first = (7 - weekday_of_first(year, month)) % 7 + 1;
  return count > 0 ? first + 7 * (count - 1) : first + 7 * ((31 - first) / 7);
}

/// Clocks that show summer time in a part of the year.
class SummerTime {
 public:
  SummerTime(std::string_view rule, double utc_offset_s) : is_eu_(rule == "EU"), utc_offset_s_(utc_offset_s) {}

  /// When clocks jump from this time on by an hour, as standard time has it.
  LocalTime begin(int year) const {
    return is_eu_ ? time_after({year, 3, sunday_of(year, 3, 0)}, hour_s + utc_offset_s_)
                  : LocalTime{year, 3, sunday_of(year, 3, 2), 2.0 * hour_s};
  }
  /// When they go back, as standard time has it: the hour from then on is shown for the second time.
  LocalTime end(int year) const {
    return is_eu_ ? time_after({year, 10, sunday_of(year, 10, 0)}, hour_s + utc_offset_s_)
                  : LocalTime{year, 11, sunday_of(year, 11, 1), hour_s};
  }

 private:
  bool is_eu_;
  double utc_offset_s_;
};

double median_step_s(const std::vector<double>& stamps_s) {
  if (stamps_s.size() < 2) return 0.0;
  std::vector<double> steps_s(stamps_s.size() - 1);
  for (std::size_t i = 0; i < steps_s.size(); ++i) steps_s[i] = stamps_s[i + 1] - stamps_s[i];
  const auto middle = steps_s.begin() + static_cast<std::ptrdiff_t>(steps_s.size() / 2);
  std::ranges::nth_element(steps_s, middle);
  return *middle;
}

class StampReader {
 public:
  StampReader(const CsvTable& table, std::size_t column, const StampFormat& format, CsvProblems& problems)
      : table_(table), column_(column), format_(format), problems_(problems) {
    if (format.utc_offset != none) utc_offset_s_ = utc_offset_of(format.utc_offset);
    if (format.summer_time != none) summer_.emplace(format.summer_time, utc_offset_s_.value_or(0.0));
  }

  std::optional<TimeStamps> read() {
    TimeStamps stamps;
    stamps.since_first_s.reserve(table_.rows.size());
    const double per_unit_s = format_.is_date() ? 1.0 : to_si(1.0, format_.unit, "s");
    bool is_good = true;
    double latest_s = -std::numeric_limits<double>::infinity();
    std::string_view latest_text;
    for (const CsvLine& row : table_.rows) {
      const CsvCell cell = table_.cell(row, column_);
      const std::optional<double> stamp_s = format_.is_date() ? date(row, cell, stamps) : number(row, cell, per_unit_s);
      is_good = is_good && stamp_s;
      if (!stamp_s) continue;
      if (!(*stamp_s - latest_s > 2.0 * boundary_slack_s)) {
        is_good = false;
        problems_.add(row, cell.column,
                      fmt::format("time '{}' does not come after '{}' of the row before", cell.text, latest_text),
                      order_hint(latest_s - *stamp_s));
      }
      latest_s = *stamp_s;
      latest_text = cell.text;
      stamps.since_first_s.push_back(*stamp_s);
    }
    if (table_.rows.empty()) problems_.add("no data rows after the header");
    if (!is_good || stamps.since_first_s.empty()) return std::nullopt;
    if (!format_.is_date()) {
      stamps.first_s = stamps.since_first_s.front();
      for (double& stamp_s : stamps.since_first_s) stamp_s -= stamps.first_s;
    }
    stamps.interval_s = median_step_s(stamps.since_first_s);
    return stamps;
  }

 private:
  std::optional<double> number(const CsvLine& row, const CsvCell& cell, double per_unit_s) {
    const std::optional<double> value = number_in(cell.text);
    if (value && std::isfinite(*value)) return *value * per_unit_s;
    if (cell.text.empty()) {
      problems_.add(row, cell.column, "the time is missing");
      return std::nullopt;
    }
    std::string hint = number_hint(cell.text, "times are numbers, in `time_unit`; `time` names their column");
    for (const std::string_view order : date_orders) {
      if (parse_stamp(cell.text, order))
        hint = fmt::format("these are dates: `time_unit: {}`, in a map `unit: {}`", order, order);
    }
    problems_.add(row, cell.column, fmt::format("time '{}' is not a finite number of {}", cell.text, format_.unit),
                  std::move(hint));
    return std::nullopt;
  }

  /// Seconds since the first row, as local standard time has them.
  std::optional<double> date(const CsvLine& row, const CsvCell& cell, TimeStamps& stamps) {
    const std::optional<LocalTime> time = parse_stamp(cell.text, format_.unit);
    if (!time) {
      std::string hint = format_.unit == "date" ? "2022-01-01 00:00:00" : format_.unit + " hh:mm:ss";
      for (const std::string_view order : date_orders) {
        if (order != format_.unit && parse_stamp(cell.text, order)) hint = fmt::format("`time_unit: {}`?", order);
      }
      problems_.add(row, cell.column, fmt::format("time '{}' is no date", cell.text), std::move(hint));
      return std::nullopt;
    }
    const std::optional<LocalTime> standard = standard_time(row, cell, *time, stamps);
    if (!standard) return std::nullopt;
    if (!stamps.first) stamps.first = standard;
    return seconds_between(*stamps.first, *standard);
  }

  std::optional<LocalTime> standard_time(const CsvLine& row, const CsvCell& cell, LocalTime time, TimeStamps& stamps) {
    if (time.utc_offset_s) {
      if (utc_offset_s_) return remember(time_after(time, *utc_offset_s_ - *time.utc_offset_s));
      if (!std::exchange(is_offset_told_, true))  // of all rows alike
        problems_.add(row, cell.column,
                      fmt::format("time '{}' has a UTC offset, and the run's clock has none", cell.text),
                      "`utc_offset: 1 h` says what the run's clock, local standard time, is ahead of UTC");
      return std::nullopt;
    }
    if (!summer_) return remember(time);
    const LocalTime begin = summer_->begin(time.year), end = summer_->end(time.year);
    const double since_begin_s = seconds_between(begin, time), since_end_s = seconds_between(end, time);
    if (since_begin_s < 0.0 || since_end_s >= hour_s) return remember(time);
    if (since_begin_s < hour_s) {
      problems_.add(row, cell.column,
                    fmt::format("time '{}' is in the hour that clocks of summer time leave out", cell.text),
                    fmt::format("clocks go forward at {}", minute_text(begin)));
      return std::nullopt;
    }
    const LocalTime as_summer = time_after(time, -hour_s);
    if (since_end_s < 0.0 || !latest_ || seconds_between(*latest_, as_summer) > 2.0 * boundary_slack_s)
      return remember(as_summer);
    if (noted_year_ != time.year) {
      noted_year_ = time.year;
      stamps.notes.push_back(fmt::format(
          "{}: the hour from {} is there twice; its first rows are of summer time, those from line {} on of "
          "standard time",
          table_.file, minute_text(end), row.number));
    }
    return remember(time);
  }

  LocalTime remember(const LocalTime& time) {
    latest_ = time_after(time, 0.0);
    return *latest_;
  }

  /// Local time that goes back by an hour or less is that of clocks with summer time.
  std::string order_hint(double back_s) const {
    if (!format_.is_date() || summer_ || back_s > hour_s) return {};
    return "the hour that clocks show twice? `summer_time: US` or `EU` reads it";
  }

  const CsvTable& table_;
  const std::size_t column_;
  const StampFormat& format_;
  CsvProblems& problems_;
  std::optional<double> utc_offset_s_;
  std::optional<SummerTime> summer_;
  std::optional<LocalTime> latest_;  // standard time
  int noted_year_ = 0;
  bool is_offset_told_ = false;
};

}  // namespace

bool StampFormat::is_date() const { return std::ranges::find(date_orders, unit) != date_orders.end(); }

std::optional<TimeStamps> read_time_stamps(const CsvTable& table, std::size_t column, const StampFormat& format,
                                           CsvProblems& problems) {
  return StampReader(table, column, format, problems).read();
}

std::string format_mistake(const StampFormat& format) {
  if (format.utc_offset != none && !utc_offset_of(format.utc_offset))
    return fmt::format("utc_offset: '{}' is no offset: 1 h, -5 h, +05:30", format.utc_offset);
  if (format.utc_offset != none && !format.is_date()) return "utc_offset is for dates, and times are numbers";
  if (format.summer_time != none && !format.is_date()) return "summer_time is for dates, and times are numbers";
  if (format.summer_time == "EU" && format.utc_offset == none)
    return "summer_time: EU needs `utc_offset`: its clocks all change at 01:00 UTC";
  return {};
}

StampOf stamp_of(std::string_view name) {
  return name == "end" ? StampOf::end : name == "instant" ? StampOf::instant : StampOf::begin;
}

RowIntervals row_intervals(std::span<const double> stamps_s, double interval_s, StampOf stamp) {
  RowIntervals intervals;
  const auto reach_s = [&](double gap_s) { return gap_s > longest_interval_ratio * interval_s ? interval_s : gap_s; };
  const double before = stamp == StampOf::begin ? 0.0 : stamp == StampOf::end ? 1.0 : 0.5;  // shares of the intervals
  for (std::size_t row = 0; row < stamps_s.size(); ++row) {
    const double stamp_s = stamps_s[row];
    const double since_s = row > 0 ? stamp_s - stamps_s[row - 1] : interval_s;
    const double until_s = row + 1 < stamps_s.size() ? stamps_s[row + 1] - stamp_s : interval_s;
    intervals.begin_s.push_back(stamp_s - before * reach_s(since_s));
    intervals.end_s.push_back(stamp_s + (1.0 - before) * reach_s(until_s));
  }
  return intervals;
}

}  // namespace wattloop
