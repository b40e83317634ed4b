// Reads EPW files: eight header lines, then one line an hour with 35 cells. The program reads five of the cells.
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/tables/csv_text.hpp"
#include "physics/air/psychrometrics.hpp"
#include "physics/weather/weather_epw.hpp"

namespace wattloop::physics {

namespace {

constexpr std::array days_of_month{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

std::vector<CsvCell> split(std::string_view line) {
  std::vector<CsvCell> cells;
  for (std::size_t position = 0; position <= line.size();) cells.push_back(next_cell(line, position));
  return cells;
}

std::optional<double> finite_in(const CsvCell& cell) {
  const std::optional<double> number = number_in(cell.text);
  return number && std::isfinite(*number) && cell.surplus_column == 0 ? number : std::nullopt;
}

/// A number of an hourly line: its column, the value from which on it means "missing", and its valid range.
struct Quantity {
  std::string_view name;
  std::size_t cell;
  double missing;
  double least, most;
  std::string_view unit;
};

constexpr Quantity dry_bulb{"dry bulb", 6, 99.9, -70.0, 70.0, "degC"};
constexpr Quantity dew_point{"dew point", 7, 99.9, -70.0, 70.0, "degC"};
constexpr Quantity humidity{"relative humidity", 8, 999.0, 0.0, 110.0, "%"};
constexpr Quantity pressure{"pressure", 9, 999999.0, 31000.0, 120000.0, "Pa"};

class EpwReader {
 public:
  EpwReader(const std::string& path, Problems& problems) : reported_(path, problems) {}

  Weather read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    CsvLines lines(text);
    bool has_periods = false;
    for (int last = 0; lines.next(line_); last = line_.number) {
      if (last == 0 && !read_location()) break;
      if (last < 8 && line_.number >= 8) has_periods = read_data_periods();
      if (line_.number < 8) continue;
      if (!has_periods) break;
      if (line_.number > 8) read_hour();
    }
    finish();
    return std::move(weather_);
  }

 private:
  void refuse(int column, std::string message, std::string hint = {}) {
    reported_.add(line_, column, std::move(message), std::move(hint));
  }

  bool read_location() {
    const std::vector<CsvCell> cells = split(line_.text);
    if (cells.size() < 10 || cells[0].text != "LOCATION") {
      refuse(1, "this is not an EPW file: the first line of an EPW file is LOCATION with ten cells",
             "expected LOCATION,city,state,country,source,station,latitude,longitude,hours to UTC,elevation");
      return false;
    }
    weather_.place = fmt::format("{}, {}", cells[1].text, cells[3].text);
    weather_.latitude_deg = header_number(cells[6], "latitude", 90.0);
    weather_.longitude_deg = header_number(cells[7], "longitude", 180.0);
    weather_.utc_offset_s = 3600.0 * header_number(cells[8], "time zone", 14.0);
    weather_.elevation_m = header_number(cells[9], "elevation", 9000.0);
    return true;
  }

  double header_number(const CsvCell& cell, std::string_view name, double most) {
    const std::optional<double> value = finite_in(cell);
    if (value && std::abs(*value) <= most) return *value;
    refuse(cell.column, fmt::format("{} '{}' is not a number from {} to {}", name, cell.text, -most, most));
    return 0.0;
  }

  bool read_data_periods() {
    const std::vector<CsvCell> cells = split(line_.text);
    if (cells.size() < 3 || cells[0].text != "DATA PERIODS") {
      refuse(1, "the eighth line is not DATA PERIODS");
      return false;
    }
    if (cells[1].text == "1" && cells[2].text == "1") return true;
    refuse(cells[1].column,
           fmt::format("{} periods with {} records an hour, expected one year of hours", cells[1].text, cells[2].text));
    return false;
  }

  void read_hour() {
    const std::vector<CsvCell> cells = split(line_.text);
    check_stamp(cells);
    if (cells.size() <= pressure.cell) {
      refuse(static_cast<int>(line_.text.size()) + 1,
             fmt::format("{} cells, expected 35: year, month, day, hour, minute, flags, dry bulb ...", cells.size()));
      weather_.samples.emplace_back();
      return;
    }
    WeatherNow hour{.dry_bulb_k = freezing_k + value(cells, dry_bulb),
                    .dew_point_k = freezing_k + value(cells, dew_point),
                    .pressure_pa = value(cells, pressure)};
    const double supersaturated_k = hour.dew_point_k - hour.dry_bulb_k;
    if (supersaturated_k > 1.0) {
      refuse(cells[dew_point.cell].column, fmt::format("dew point {} degC is above the dry bulb {} degC",
                                                       cells[dew_point.cell].text, cells[dry_bulb.cell].text));
    }
    hour.dew_point_k = std::min(hour.dew_point_k, hour.dry_bulb_k);
    const double by_dew_point = relative_humidity_fraction(hour.dry_bulb_k, hour.dew_point_k);
    const bool has_humidity = !is_missing(cells, humidity);  // no model reads it
    hour.relative_humidity_fraction = has_humidity ? 0.01 * value(cells, humidity) : by_dew_point;
    hour.wet_bulb_k = wet_bulb_k({hour.dry_bulb_k, by_dew_point, hour.pressure_pa});
    weather_.samples.push_back(hour);
  }

  static bool is_missing(const std::vector<CsvCell>& cells, const Quantity& quantity) {
    const std::optional<double> number = finite_in(cells[quantity.cell]);
    return is_missing_number(cells[quantity.cell].text) || (number && *number >= quantity.missing);
  }

  double value(const std::vector<CsvCell>& cells, const Quantity& quantity) {
    const CsvCell& cell = cells[quantity.cell];
    const std::optional<double> number = finite_in(cell);
    if (number && *number >= quantity.least && *number <= quantity.most) return *number;
    refuse(cell.column, is_missing(cells, quantity)
                            ? fmt::format("{} is missing ({})", quantity.name, cell.text)
                            : fmt::format("{} '{}' is not a number from {} to {} {}", quantity.name, cell.text,
                                          quantity.least, quantity.most, quantity.unit));
    return std::numeric_limits<double>::quiet_NaN();
  }

  /// Month, day and hour must follow those of the line before, from 1 January, hour 1; the year is free.
  void check_stamp(const std::vector<CsvCell>& cells) {
    const auto number = [&](std::size_t k) { return k < cells.size() ? finite_in(cells[k]) : std::nullopt; };
    const std::array found{number(1), number(2), number(3)};
    if (month_ == 2 && day_ == 29 && hour_ == 1 && found[0] == 3.0) month_ = 3, day_ = 1;  // no leap year
    const bool is_next = found[0] == month_ && found[1] == day_ && found[2] == hour_;
    if (!is_next && is_in_order_ && cells.size() > 3) {
      refuse(cells[1].column,
             fmt::format("the row of month {}, day {}, hour {} is here, but month {}, day {}, hour {} should follow",
                         cells[1].text, cells[2].text, cells[3].text, month_, day_, hour_));
    }
    is_in_order_ = is_in_order_ && is_next;  // said once: all that follows is shifted
    if (++hour_ <= 24) return;
    hour_ = 1;
    const int days = days_of_month[static_cast<std::size_t>(month_ - 1)] + (month_ == 2 ? 1 : 0);
    if (++day_ <= days) return;
    day_ = 1;
    month_ = month_ % 12 + 1;
  }

  void finish() {
    const std::size_t hours = weather_.samples.size();
    if (reported_.empty() && hours != 8760 && hours != 8784)
      reported_.add(fmt::format("{} hours, expected a year of 8760 or 8784", hours));
    reported_.finish();
    if (hours == 0) weather_.samples.emplace_back();
  }

  CsvProblems reported_;
  Weather weather_;
  CsvLine line_;
  int month_ = 1, day_ = 1, hour_ = 1;  // that the next line should have
  bool is_in_order_ = true;
};

}  // namespace

Weather read_epw(const std::string& path, Problems& problems, const Place& named_at) {
  const auto refuse = [&](std::string_view why) {
    const Place place = named_at.file.empty() ? Place{path, 0, 0} : named_at;
    problems.add({place, fmt::format("weather file '{}' {}", path, why), {}, {}});
    Weather none;
    none.samples.emplace_back();
    return none;
  };
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return refuse("does not exist");
  if (!std::filesystem::is_regular_file(path, ignored)) return refuse("is not a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) return refuse("cannot be opened");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  unify_line_ends(text);
  if (file.bad()) return refuse("cannot be read");
  if (text.empty()) return refuse("is empty");
  if (text.find('\0') != std::string::npos) return refuse("is a binary file, not EPW text");
  return EpwReader(path, problems).read(text);
}

}  // namespace wattloop::physics
