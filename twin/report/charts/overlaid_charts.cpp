#include "twin/report/charts/overlaid_charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "twin/drawings/names/display_name.hpp"
#include "twin/drawings/names/shown_unit.hpp"

namespace wattloop::twin {

namespace {

constexpr std::array<std::array<const char*, 2>, 19> requested_columns{{{"facility", "power"},
                                                                        {"facility", "it_power"},
                                                                        {"facility", "cooling_power"},
                                                                        {"facility", "pue"},
                                                                        {"facility", "max_die_temperature"},
                                                                        {"facility", "throttled_gpus"},
                                                                        {"facility", "shut_down_gpus"},
                                                                        {"facility", "down_gpus"},
                                                                        {"facility", "hottest_rack_inlet_temperature"},
                                                                        {"facility", "water_flow"},
                                                                        {"loops", "flow"},
                                                                        {"loops", "supply_temperature"},
                                                                        {"loops", "return_temperature"},
                                                                        {"pumps", "speed"},
                                                                        {"cdus", "valve_position"},
                                                                        {"water_systems", "supply_temperature"},
                                                                        {"rooms", "temperature"},
                                                                        {"ups", "state_of_charge"},
                                                                        {"generators", "power"}}};

/// Of what differs by less no one wants a chart.
double noticeable(const std::string& unit, double largest) {
  return unit == "K" ? 0.02 : 1e-4 * std::max(largest, 1e-9);
}

struct Pair {
  std::string item{};
  std::vector<float> a{}, b{};
  double apart = 0.0, largest = 0.0;
};

Pair pair_of(const ResultsReader& a, const ResultsReader& b, const std::array<const char*, 2>& column,
             const std::array<std::size_t, 2>& items, std::span<const double> times_s) {
  const auto& [group, name] = column;
  Pair pair{.a = a.series(group, name, items[0])};
  pair.b = at_times(b.times_s(group), b.series(group, name, items[1]), times_s);
  for (std::size_t row = 0; row < pair.a.size(); ++row) {
    const auto one = static_cast<double>(pair.a[row]), other = static_cast<double>(pair.b[row]);
    if (!std::isfinite(one) || !std::isfinite(other)) continue;
    pair.apart = std::max(pair.apart, std::abs(one - other));
    pair.largest = std::max({pair.largest, std::abs(one), std::abs(other)});
  }
  return pair;
}

/// The items of both that are farthest apart.
Pair farthest(const ResultsReader& a, const ResultsReader& b, const std::array<const char*, 2>& column,
              std::span<const double> times_s) {
  const TableSpec in_a = a.table(column[0]), in_b = b.table(column[0]);
  if (in_a.item_dimension.empty()) return pair_of(a, b, column, {0, 0}, times_s);
  Pair most;
  for (std::size_t i = 0; i < in_a.items.size(); ++i) {
    const auto other = std::ranges::find(in_b.items, in_a.items[i]);
    if (other == in_b.items.end()) continue;
    Pair pair = pair_of(a, b, column, {i, static_cast<std::size_t>(other - in_b.items.begin())}, times_s);
    pair.item = in_a.items[i];
    if (most.a.empty() || pair.apart > most.apart) most = std::move(pair);
  }
  return most;
}

}  // namespace

std::vector<float> at_times(std::span<const double> times_s, std::span<const float> values,
                            std::span<const double> requested_s) {
  std::vector<float> found;
  for (const double time_s : requested_s) {
    const auto next = std::ranges::lower_bound(times_s, time_s);
    const auto row = static_cast<std::size_t>(next - times_s.begin());
    if (next != times_s.end() && *next == time_s) {
      found.push_back(values[row]);
    } else if (next == times_s.begin() || next == times_s.end()) {
      found.push_back(NAN);
    } else {
      const double share = (time_s - times_s[row - 1]) / (times_s[row] - times_s[row - 1]);
      found.push_back(
          static_cast<float>(std::lerp(static_cast<double>(values[row - 1]), static_cast<double>(values[row]), share)));
    }
  }
  return found;
}

std::string overlaid_charts(const ResultsReader& a, const ResultsReader& b, LiveCharts& charts) {
  std::string text;
  for (const auto& column : requested_columns) {
    const auto& [group, name] = column;
    if (!a.has_table(group) || !b.has_table(group) || !a.has_column(group, name) || !b.has_column(group, name))
      continue;
    const std::vector<double> times_s = a.times_s(group);
    Pair pair = farthest(a, b, column, times_s);
    const TableSpec table = a.table(group);
    const std::string unit = std::ranges::find(table.columns, name, &ColumnSpec::name)->unit;
    if (pair.a.empty() || pair.apart <= noticeable(unit, pair.largest)) continue;
    std::string title = fmt::format("{}: {}", display_name(group), display_name(name));
    if (!pair.item.empty()) title += fmt::format(" of {}, which differs most", display_name(pair.item));
    const std::array lines{ChartLine{"A", std::move(pair.a)}, ChartLine{"B", std::move(pair.b)}};
    text += charts.add(title, unit_of_column(name, unit), times_s, lines);
  }
  return text;
}

}  // namespace wattloop::twin
