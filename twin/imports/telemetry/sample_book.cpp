#include "twin/imports/telemetry/sample_book.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/tables/time_stamps.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double longest_late_intervals = 3.0;
constexpr double mw_per_w = 1000.0;

std::string name_of(const PowerSeries& series) {
  if (series.gpu.empty()) return series.node;
  return fmt::format("GPU {}{}", series.gpu, series.node.empty() ? "" : " of " + series.node);
}

std::vector<double> in_order(const std::vector<double>& values, const std::vector<std::size_t>& order) {
  std::vector<double> sorted(values.size());
  for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = values[order[k]];
  return sorted;
}

}  // namespace

void SampleBook::begin_file(const std::string& file) {
  file_ = file;
  for (Order& order : orders_) order.is_begun = false;
}

std::size_t SampleBook::series_of(std::string_view node, std::string_view gpu) {
  std::string key = std::string(node) + '\n' + std::string(gpu);
  const auto [place, is_new] = numbers_.try_emplace(std::move(key), series_.size());
  if (is_new) {
    series_.push_back({.node = std::string(node), .gpu = std::string(gpu)});
    orders_.emplace_back();
  }
  return place->second;
}

void SampleBook::demand_clock(ClockKind kind, CsvProblems& problems) {
  if (!log_.clock) log_.clock = kind;
  if (*log_.clock == kind) return;
  const auto words = [](ClockKind one) {
    return one == ClockKind::seconds     ? "seconds since a start"
           : one == ClockKind::unix_time ? "times in UTC"
                                         : "dates without an offset";
  };
  problems.add(fmt::format("its time stamps are {}, but the time stamps of earlier files are {}", words(kind),
                           words(*log_.clock)),
               "import together only logs whose time stamps are of the same kind");
}

void SampleBook::add(std::size_t series, const LoggedSample& sample, CsvProblems& problems) {
  Order& order = orders_[series];
  PowerSeries& to = series_[series];
  if (order.is_begun && std::abs(sample.time_s - order.latest_s) <= boundary_slack_s) {
    problems.add(sample.line, sample.column, fmt::format("{} has two rows for the same time", name_of(to)),
                 "write one row for each GPU and time");
    return;
  }
  if (!to.times_s.empty() && sample.time_s < order.latest_s) {
    order.is_sorted = false;
    if (order.is_begun) note_late(series, sample);
  }
  order.latest_s = order.is_begun ? std::max(order.latest_s, sample.time_s) : sample.time_s;
  order.is_begun = true;
  to.times_s.push_back(sample.time_s);
  to.power_w.push_back(sample.value);
}

void SampleBook::note_late(std::size_t series, const LoggedSample& sample) {
  Order& order = orders_[series];
  const double late_s = order.latest_s - sample.time_s;
  ++order.late;
  if (late_s <= order.most_late_s) return;
  order.most_late_s = late_s;
  order.worst = {
      {file_, sample.line.number, 1},
      fmt::format("the time of {} goes back by {} from the row before", name_of(series_[series]), span_text(late_s)),
      "rows that are late by at most three intervals are sorted; if a clock was set back, or if one file contains two "
      "logs, split the file",
      std::string(sample.line.text.substr(0, 90))};
}

void SampleBook::finish(Problems& problems) {
  CsvProblems collected(log_.files.empty() ? "" : log_.files.front(), problems);
  for (std::size_t k = 0; k < series_.size(); ++k) {
    PowerSeries& one = series_[k];
    Order& order = orders_[k];
    log_.late_rows += order.late;
    log_.most_late_s = std::max(log_.most_late_s, order.most_late_s);
    if (order.is_sorted) continue;
    std::vector<std::size_t> places(one.times_s.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, {}, [&](std::size_t at) { return one.times_s[at]; });
    one.times_s = in_order(one.times_s, places);
    one.power_w = in_order(one.power_w, places);
    const double interval_s = median_step_s(one.times_s);
    if (order.most_late_s > longest_late_intervals * interval_s + boundary_slack_s) {
      if (problems.size() < most_reported_problems) problems.add(order.worst);
      continue;
    }
    for (std::size_t at = 1; at < one.times_s.size(); ++at) {
      if (one.times_s[at] - one.times_s[at - 1] > boundary_slack_s) continue;
      collected.add(fmt::format("{} has two samples at {}", name_of(one),
                                clock_text(log_.clock.value_or(ClockKind::seconds), one.times_s[at])),
                    "one sample for each GPU and time; is a file named twice, or part of another one?");
      break;
    }
  }
  collected.finish();
}

std::optional<CellQuantity> quantity_in(std::string_view text) {
  double value = 0.0;
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  return CellQuantity{value, unit};
}

bool is_missing_sample(std::string_view text) {
  return is_missing_number(text) || (text.size() > 2 && text.front() == '[' && text.back() == ']') ||
         text == "Not Supported" || text == "ERR!";
}

std::optional<double> watts_of_unit(std::string_view unit) {
  if (unit == "W" || unit == "w" || unit == "watts" || unit == "Watts" || unit == "watt" || unit == "Watt") return 1.0;
  if (unit == "kW" || unit == "kw" || unit == "KW") return 1e3;
  if (unit == "mW") return 1.0 / mw_per_w;
  return std::nullopt;
}

PowerCells::PowerCells(std::string name, std::string_view unit, CsvProblems& problems)
    : name_(std::move(name)), unit_(unit), problems_(problems), per_unit_w_(watts_of_unit(unit).value_or(1.0)) {}

std::optional<double> PowerCells::read(const CsvLine& line, const CsvCell& cell, std::size_t& missing) {
  if (is_missing_sample(cell.text)) {
    ++missing;
    return std::nullopt;
  }
  const std::optional<CellQuantity> found = quantity_in(cell.text);
  const bool has_unit = found && (found->unit.empty() || std::isalpha(static_cast<unsigned char>(found->unit.front())));
  if (!has_unit || !std::isfinite(found->value)) {
    problems_.add_no_number(line, cell, fmt::format("{}: '{}' is not a power", name_, cell.text),
                            "write a number of W; leave the cell empty if a sample is missing");
    return std::nullopt;
  }
  if (found->value < 0.0) {
    problems_.add(line, cell.column, fmt::format("{}: power {} is negative", name_, cell.text));
    return std::nullopt;
  }
  if (!is_read_) {
    is_read_ = true;
    has_written_unit_ = !found->unit.empty();
    written_unit_ = found->unit;
    if (has_written_unit_) per_unit_w_ = watts_of_unit(found->unit).value_or(0.0);
  }
  if (found->unit != written_unit_ || per_unit_w_ == 0.0) {
    const std::string usual = !has_written_unit_ ? "no unit" : per_unit_w_ == 0.0 ? "W, kW or mW" : written_unit_;
    problems_.add(line, cell.column,
                  fmt::format("{}: '{}' is {}, expected {}", name_, cell.text,
                              found->unit.empty() ? "without unit" : fmt::format("in {}", found->unit), usual),
                  per_unit_w_ == 0.0 ? "" : "all cells of a column are in one unit");
    return std::nullopt;
  }
  return per_unit_w_ < 1.0 ? found->value / mw_per_w : per_unit_w_ * found->value;
}

}  // namespace wattloop::twin
