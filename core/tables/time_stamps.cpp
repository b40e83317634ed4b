#include "core/tables/time_stamps.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/tables/stamp_text.hpp"
#include "core/tables/time_of_run.hpp"
#include "core/units/units.hpp"

namespace wattloop {

namespace {

constexpr double hour_s = 3600.0, day_s = 86400.0;
constexpr double longest_interval_ratio = 1.5;
constexpr double largest_utc_offset_s = 14.0 * hour_s;
constexpr std::array<std::string_view, 3> date_orders{"date", "MM/DD/YYYY", "DD/MM/YYYY"};
constexpr std::string_view none = "none";

/// "-5 h", "+05:30", "Z": the offset of the clock of a run from UTC.
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

/// Converts "10/31/2026 01:15 PM" to "2026-10-31T13:15". A text in another order is returned unchanged.
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

/// Removes "AM", "pm" or "p.m." from the end of a stamp, and returns the hours to add. None if there is no such ending.
std::optional<double> take_half_of_day(std::string_view& text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> halves{
      {{"am", 0.0}, {"a.m.", 0.0}, {"pm", 12.0}, {"p.m.", 12.0}}};
  const auto is_same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  for (const auto& [name, hours] : halves) {
    if (text.size() < name.size() || !std::ranges::equal(text.substr(text.size() - name.size()), name, is_same))
      continue;
    text.remove_suffix(name.size());
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return hours;
  }
  return std::nullopt;
}

/// "2026-07-15T24:00" is the midnight that ends the day (ISO 8601): read as 00:00, a day later.
std::optional<LocalTime> parse_end_of_day(std::string iso) {
  constexpr std::size_t hour_at = 11;
  iso.replace(hour_at, 2, "00");
  const std::optional<LocalTime> midnight = parse_local_time(iso);
  if (!midnight || midnight->second_of_day != 0.0) return std::nullopt;
  LocalTime next = time_after(*midnight, day_s);
  next.utc_offset_s = midnight->utc_offset_s;
  return next;
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

  /// Standard time at which clocks go forward by an hour.
  LocalTime begin(int year) const {
    return is_eu_ ? time_after({year, 3, sunday_of(year, 3, 0)}, hour_s + utc_offset_s_)
                  : LocalTime{year, 3, sunday_of(year, 3, 2), 2.0 * hour_s};
  }
  /// Standard time at which clocks go back. From then on, clocks show one hour for the second time.
  LocalTime end(int year) const {
    return is_eu_ ? time_after({year, 10, sunday_of(year, 10, 0)}, hour_s + utc_offset_s_)
                  : LocalTime{year, 11, sunday_of(year, 11, 1), hour_s};
  }

 private:
  bool is_eu_;
  double utc_offset_s_;
};

/// "10/31/26 01:15": three numbers, and none of them is a year of four digits.
bool has_short_year(std::string_view text) {
  std::array<std::size_t, 3> digits{};
  std::size_t part = 0;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (is_digit) ++digits[part];
    if (!is_digit && (digits[part] == 0 || std::string_view("/.- T").find(c) == std::string_view::npos)) return false;
    if (!is_digit && ++part == digits.size()) break;
  }
  return std::ranges::all_of(digits, [](std::size_t count) { return count == 1 || count == 2; });
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
    if (format_.is_date() && !summer_) note_spring(stamps);
    return stamps;
  }

 private:
  std::optional<double> number(const CsvLine& row, const CsvCell& cell, double per_unit_s) {
    const std::optional<double> value = number_in(cell.text);
    if (value && std::isfinite(*value)) return *value * per_unit_s;
    if (is_missing(row, cell)) return std::nullopt;
    std::string hint = "times are numbers, in `time_unit`; `time` names their column";
    for (const std::string_view order : date_orders) {
      if (parse_stamp(cell.text, order))
        hint = fmt::format("these are dates: `time_unit: {}`, in a map `unit: {}`", order, order);
    }
    problems_.add_no_number(row, cell, fmt::format("time '{}' is not a finite number of {}", cell.text, format_.unit),
                            std::move(hint));
    return std::nullopt;
  }

  bool is_missing(const CsvLine& row, const CsvCell& cell) {
    const bool is_empty = is_missing_number(cell.text);
    if (is_empty) problems_.add(row, cell.column, "the time is missing");
    return is_empty;
  }

  /// Seconds since the first row, in local standard time.
  std::optional<double> date(const CsvLine& row, const CsvCell& cell, TimeStamps& stamps) {
    const std::optional<LocalTime> time = parse_stamp(cell.text, format_.unit);
    if (!time) {
      if (is_missing(row, cell)) return std::nullopt;
      std::string hint = format_.unit == "date" ? "2022-01-01 00:00:00" : format_.unit + " hh:mm:ss";
      if (has_short_year(cell.text)) hint += "; years are written with four digits";
      for (const std::string_view order : date_orders) {
        if (order != format_.unit && parse_stamp(cell.text, order)) hint = fmt::format("`time_unit: {}`?", order);
      }
      problems_.add(row, cell.column, fmt::format("time '{}' is not a date", cell.text), std::move(hint));
      return std::nullopt;
    }
    const std::optional<LocalTime> standard = standard_time(row, cell, *time, stamps);
    if (!standard) return std::nullopt;
    if (!stamps.first) stamps.first = standard;
    return seconds_between(*stamps.first, *standard);
  }

  std::optional<LocalTime> standard_time(const CsvLine& row, const CsvCell& cell, LocalTime time, TimeStamps& stamps) {
    if (time.utc_offset_s) {
      has_offsets_ = true;
      if (utc_offset_s_) return remember(time_after(time, *utc_offset_s_ - *time.utc_offset_s));
      if (!std::exchange(is_offset_reported_, true))  // of all rows alike
        problems_.add(row, cell.column,
                      fmt::format("time '{}' has a UTC offset, and the run's clock has none", cell.text),
                      "write `utc_offset: 1 h`, the offset of the run's clock (local standard time) from UTC");
      return std::nullopt;
    }
    if (!summer_) return remember(time);
    const LocalTime begin = summer_->begin(time.year), end = summer_->end(time.year);
    const double since_begin_s = seconds_between(begin, time), since_end_s = seconds_between(end, time);
    if (since_begin_s < 0.0 || since_end_s >= hour_s) return remember(time);
    if (since_begin_s < hour_s) {
      problems_.add(row, cell.column,
                    fmt::format("time '{}' is in the hour that clocks with summer time skip in spring", cell.text),
                    fmt::format("clocks go forward at {}", minute_text(begin)));
      return std::nullopt;
    }
    const LocalTime as_summer = time_after(time, -hour_s);
    if (since_end_s < 0.0 || !latest_ || seconds_between(*latest_, as_summer) > 2.0 * boundary_slack_s)
      return remember(as_summer);
    if (noted_year_ != time.year) {
      noted_year_ = time.year;
      stamps.notes.push_back(
          fmt::format("{}: the file has the hour from {} twice; its first rows are in summer time, and the rows from "
                      "line {} are in standard time",
                      table_.file, minute_text(end), row.number));
    }
    return remember(time);
  }

  /// Finds rows of clocks with summer time although `summer_time` is not given: only the hour that such clocks skip in spring is missing.
  void note_spring(TimeStamps& stamps) const {
    const std::vector<double>& times_s = stamps.since_first_s;
    const double interval_s = stamps.interval_s;
    if (interval_s > hour_s || has_offsets_) return;
    for (std::size_t row = 1; row < times_s.size(); ++row) {
      if (std::abs(times_s[row] - times_s[row - 1] - interval_s - hour_s) > 0.5 * interval_s) continue;
      const LocalTime before = time_after(*stamps.first, times_s[row - 1]);
      const std::string_view rule = rule_of_spring(before, time_after(*stamps.first, times_s[row]));
      if (rule.empty()) continue;
      stamps.notes.push_back(
          fmt::format("{}: it has no rows between {} and {}, where clocks with summer time go forward: `summer_time: "
                      "{}` reads such "
                      "clocks, else all later times are taken as standard time",
                      table_.file, minute_text(before), minute_text(time_after(*stamps.first, times_s[row])), rule));
    }
  }

  /// The region whose clocks skip an hour between two times of a night. In the EU this local hour differs from zone to zone.
  static std::string_view rule_of_spring(const LocalTime& before, const LocalTime& after) {
    const auto is_left_out = [&](const LocalTime& begin) {
      return seconds_between(before, begin) > 0.0 && seconds_between(begin, after) >= hour_s;
    };
    if (is_left_out(SummerTime("US", 0.0).begin(before.year))) return "US";
    for (const double zone_s : {0.0, hour_s, 2.0 * hour_s}) {
      if (is_left_out(SummerTime("EU", zone_s).begin(before.year))) return "EU";
    }
    return {};
  }

  LocalTime remember(const LocalTime& time) {
    latest_ = time_after(time, 0.0);
    return *latest_;
  }

  /// If local time goes back by an hour or less, the clocks probably have summer time.
  std::string order_hint(double back_s) const {
    if (!format_.is_date() || summer_ || back_s > hour_s) return {};
    return "is this the hour that clocks show twice in autumn? If so, write `summer_time: US` or `summer_time: EU`";
  }

  const CsvTable& table_;
  const std::size_t column_;
  const StampFormat& format_;
  CsvProblems& problems_;
  std::optional<double> utc_offset_s_;
  std::optional<SummerTime> summer_;
  std::optional<LocalTime> latest_;  // standard time
  int noted_year_ = 0;
  bool is_offset_reported_ = false, has_offsets_ = false;
};

}  // namespace

std::optional<LocalTime> parse_stamp(std::string_view text, std::string_view order) {
  const std::optional<double> half = take_half_of_day(text);
  const std::string iso = in_iso_order(text, order);
  if (!half && iso.size() > 11 && std::string_view(iso).substr(11).starts_with("24:")) return parse_end_of_day(iso);
  std::optional<LocalTime> time = parse_local_time(iso);
  if (!time || !half) return time;
  const double hour = std::floor(time->second_of_day / hour_s);
  if (hour < 1.0 || hour > 12.0 || time->utc_offset_s) return std::nullopt;
  time->second_of_day += (hour == 12.0 ? *half - 12.0 : *half) * hour_s;
  return time;
}

double median_step_s(std::span<const double> times_s) {
  if (times_s.size() < 2) return 0.0;
  std::vector<double> steps_s(times_s.size() - 1);
  for (std::size_t i = 0; i < steps_s.size(); ++i) steps_s[i] = times_s[i + 1] - times_s[i];
  const auto middle = steps_s.begin() + static_cast<std::ptrdiff_t>(steps_s.size() / 2);
  std::ranges::nth_element(steps_s, middle);
  if (steps_s.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(steps_s.begin(), middle));
}

bool StampFormat::is_date() const { return std::ranges::find(date_orders, unit) != date_orders.end(); }

std::optional<TimeStamps> read_time_stamps(const CsvTable& table, std::size_t column, const StampFormat& format,
                                           CsvProblems& problems) {
  return StampReader(table, column, format, problems).read();
}

std::string format_mistake(const StampFormat& format) {
  if (format.utc_offset != none && !utc_offset_of(format.utc_offset))
    return fmt::format("utc_offset: '{}' is not an offset such as 1 h, -5 h, +05:30", format.utc_offset);
  if (format.utc_offset != none && !format.is_date()) return "utc_offset needs dates, but the times are numbers";
  if (format.summer_time != none && !format.is_date()) return "summer_time needs dates, but the times are numbers";
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
