#include "twin/report/charts/run_charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "twin/drawings/names/display_name.hpp"
#include "twin/drawings/names/meaning_colours.hpp"
#include "twin/drawings/names/shown_unit.hpp"
#include "twin/results/reader/still_loops.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_lines = 8;

/// Columns of one table in one chart.
struct RequestedChart {
  const char* title;
  const char* group;
  std::array<const char*, 4> columns;  ///< up to the first that is null; of a table with items the first alone
};

constexpr std::array requested_charts{
    RequestedChart{"power of the facility", "facility", {"power", "it_power", "cooling_power", "electrical_loss"}},
    RequestedChart{"hottest and mean die", "facility", {"max_die_temperature", "mean_die_temperature"}},
    RequestedChart{
        "GPUs throttled, down and switched off", "facility", {"throttled_gpus", "down_gpus", "shut_down_gpus"}},
    RequestedChart{"flow of coolant loops", "loops", {"flow"}},
    RequestedChart{"supply of coolant loops", "loops", {"supply_temperature"}},
    RequestedChart{"return of coolant loops", "loops", {"return_temperature"}},
    RequestedChart{"speed of pumps", "pumps", {"speed"}},
    RequestedChart{"loading of CDUs", "cdus", {"loading"}},
    RequestedChart{"valves of CDUs", "cdus", {"valve_position"}},
    RequestedChart{"supply of water systems", "water_systems", {"supply_temperature"}},
    RequestedChart{"air of rooms", "rooms", {"temperature"}},
    RequestedChart{"cold aisles", "rows", {"cold_aisle_temperature"}},
    RequestedChart{"power from batteries", "ups", {"battery_power"}},
    RequestedChart{"charge of batteries", "ups", {"state_of_charge"}},
    RequestedChart{"power of generators", "generators", {"power"}},
    RequestedChart{"weather", "facility", {"dry_bulb", "wet_bulb"}},
    RequestedChart{"make-up water", "facility", {"water_flow"}},
};

double range_of(const ChartLine& line) {
  double least = INFINITY, most = -INFINITY;
  for (const float value : line.values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, static_cast<double>(value));
    most = std::max(most, static_cast<double>(value));
  }
  return most >= least ? most - least : 0.0;
}

/// Of what moves less no one wants a chart.
double noticeable_range(std::string_view unit) {
  if (unit == "K") return 0.02;
  if (unit == "W") return 1.0;
  return unit == "1" || unit == "kg/s" ? 1e-3 : 0.0;
}

/// A line of a chart, and the items that it stands for.
struct ItemLine {
  ChartLine line;
  std::vector<std::string> items{};
};

/// All values of a column by item.
std::vector<ItemLine> all_lines(const ResultsReader& results, const TableSpec& table, const char* column) {
  std::vector<float> all = results.column(table.group, column);
  blank_still_loops(results, table.group, column, all);
  const std::size_t count = table.item_count();
  std::vector<ItemLine> lines(count);
  for (std::size_t i = 0; i < all.size(); ++i) lines[i % count].line.values.push_back(all[i]);
  for (std::size_t i = 0; i < count; ++i)
    lines[i].items = {table.items.empty() ? std::to_string(i + 1) : table.items[i]};
  return lines;
}

/// From the lowest to the highest value of all.
double range_of(const std::vector<ItemLine>& lines) {
  double least = INFINITY, most = -INFINITY;
  for (const ItemLine& one : lines) {
    for (const float value : one.line.values) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, static_cast<double>(value));
      most = std::max(most, static_cast<double>(value));
    }
  }
  return most >= least ? most - least : 0.0;
}

bool are_alike(const ChartLine& a, const ChartLine& b, double apart) {
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    const bool is_gap = !std::isfinite(a.values[k]);
    if (is_gap != !std::isfinite(b.values[k])) return false;
    if (!is_gap && std::abs(a.values[k] - b.values[k]) > apart) return false;
  }
  return true;
}

/// Lines of items that no one could tell from one another in their chart are one, with the names of all.
std::vector<ItemLine> told_apart(std::vector<ItemLine> lines) {
  constexpr double seen_share = 0.005;  // of the height of a chart: one pixel
  const double apart = seen_share * range_of(lines);
  std::vector<ItemLine> kept;
  for (ItemLine& one : lines) {
    const auto like = std::ranges::find_if(kept, [&](const ItemLine& k) { return are_alike(k.line, one.line, apart); });
    if (like == kept.end())
      kept.push_back(std::move(one));
    else
      like->items.push_back(one.items.front());
  }
  for (ItemLine& one : kept) one.line.name = display_names(one.items);
  return kept;
}

/// The highest of all at each time, or the lowest.
ChartLine end_of(const std::vector<ChartLine>& lines, bool is_highest, std::size_t items) {
  ChartLine end{fmt::format("{} of {}", is_highest ? "highest" : "lowest", items), lines.front().values,
                is_highest ? "#555555" : "#aaaaaa"};
  for (const ChartLine& line : lines) {
    for (std::size_t k = 0; k < line.values.size(); ++k)
      end.values[k] = is_highest ? std::fmax(end.values[k], line.values[k]) : std::fmin(end.values[k], line.values[k]);
  }
  return end;
}

/// Which line has the highest or the lowest value of all times.
std::size_t item_with_end(const std::vector<ChartLine>& lines, bool is_highest) {
  const auto end_of_line = [&](const ChartLine& line) {
    float end = is_highest ? -INFINITY : INFINITY;
    for (const float value : line.values) end = is_highest ? std::fmax(end, value) : std::fmin(end, value);
    return is_highest ? end : -end;
  };
  return static_cast<std::size_t>(std::ranges::max_element(lines, {}, end_of_line) - lines.begin());
}

/// Lines of a chart and the number of items that they stand for, without the ends of all.
struct ChosenLines {
  std::vector<ChartLine> lines{};
  std::size_t items = 0;
  bool has_ends = false;
};

/// Those that move more than `least`; where none does, the first. Of more than `most_lines` the two that have the highest and the lowest
/// value and those that move most, then the ends of all.
ChosenLines lines_of_items(const ResultsReader& results, const TableSpec& table, const char* column, double least) {
  std::vector<std::vector<std::string>> items;
  std::vector<ChartLine> lines;
  for (ItemLine& one : told_apart(all_lines(results, table, column))) {
    items.push_back(std::move(one.items));
    lines.push_back(std::move(one.line));
  }
  const std::size_t count = lines.size();
  std::vector<double> ranges;
  for (const ChartLine& line : lines) ranges.push_back(range_of(line));
  const auto moving = static_cast<std::size_t>(std::ranges::count_if(ranges, [&](double r) { return r > least; }));
  ChosenLines chosen{.has_ends = moving > most_lines};
  std::vector<ChartLine> ends;
  if (chosen.has_ends) {
    ends = {end_of(lines, true, table.item_count()), end_of(lines, false, table.item_count())};
    for (const bool is_highest : {true, false}) ranges[item_with_end(lines, is_highest)] = INFINITY;
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return ranges[a] > ranges[b]; });
  order.resize(std::min(count, chosen.has_ends ? most_lines - 2 : std::max<std::size_t>(moving, 1)));
  std::ranges::sort(order);
  for (const std::size_t i : order) {
    chosen.items += items[i].size();
    chosen.lines.push_back(std::move(lines[i]));
  }
  std::ranges::move(ends, std::back_inserter(chosen.lines));
  return chosen;
}

/// The colour that a curve of the facility has in pictures, too.
std::string colour_of(std::string_view column) {
  constexpr std::array<std::pair<std::string_view, const char*>, 10> known{
      {{"power", meaning::facility_power},
       {"it_power", meaning::it_power},
       {"cooling_power", meaning::cooling_power},
       {"electrical_loss", meaning::electrical_loss},
       {"battery_power", meaning::battery},
       {"max_die_temperature", meaning::hottest_die},
       {"mean_die_temperature", meaning::mean_die},
       {"throttled_gpus", meaning::throttled},
       {"down_gpus", meaning::down},
       {"shut_down_gpus", "#999999"}}};
  const auto found = std::ranges::find(known, column, &std::pair<std::string_view, const char*>::first);
  return found == known.end() ? std::string() : found->second;
}

std::string chart(const ResultsReader& results, const RequestedChart& requested, LiveCharts& charts) {
  if (!results.has_table(requested.group)) return {};
  const TableSpec table = results.table(requested.group);
  std::vector<ChartLine> lines;
  std::string unit, title = requested.title;
  for (const char* column : requested.columns) {
    if (column == nullptr) break;
    const auto spec = std::ranges::find(table.columns, column, &ColumnSpec::name);
    if (spec == table.columns.end()) continue;
    unit = unit_of_column(column, spec->unit);
    if (table.item_dimension.empty()) {
      lines.push_back({column == std::string_view("power") ? "facility power" : display_name(column),
                       results.series(requested.group, column), colour_of(column)});
    } else {
      ChosenLines chosen = lines_of_items(results, table, column, noticeable_range(unit));
      if (table.item_count() > chosen.items)
        title += fmt::format(": {} of {}, those that move most{}", chosen.items, table.item_count(),
                             chosen.has_ends ? ", and the highest and lowest of all" : "");
      lines = std::move(chosen.lines);
    }
  }
  const double least = noticeable_range(unit);
  const bool is_still = std::ranges::all_of(lines, [&](const ChartLine& line) { return range_of(line) <= least; });
  return lines.empty() || is_still ? std::string() : charts.add(title, unit, results.times_s(requested.group), lines);
}

}  // namespace

std::string run_charts(const ResultsReader& results, LiveCharts& charts) {
  std::string text;
  for (const RequestedChart& requested : requested_charts) text += chart(results, requested, charts);
  return text;
}

}  // namespace wattloop::twin
