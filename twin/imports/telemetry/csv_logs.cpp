// Tables of power that no tool prescribes: wide, with a column for each node or GPU, and long, with a row for each of them and time.
//
//   t_s,node_1,node_2          time,host,gpu,power_w
//   0,6930,                    2026-07-15T10:00:00,n1,0,612.3
#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tables/log_table.hpp"
#include "core/text/nearest.hpp"
#include "twin/imports/telemetry/log_readers.hpp"

namespace wattloop::twin {

namespace {

/// The unit that the name of a column of times ends in: "t_ms", "time [ms]".
std::string_view time_unit_of(std::string_view name) {
  const NameWithUnit parts = name_with_unit(name);
  const std::size_t end = parts.name.rfind('_');
  const std::string_view unit = !parts.unit.empty()             ? parts.unit
                                : end == std::string_view::npos ? std::string_view()
                                                                : parts.name.substr(end + 1);
  for (const std::string_view known : {"s", "ms", "us", "ns", "min", "h"}) {
    if (unit == known) return known;
  }
  return {};
}

std::optional<std::size_t> time_column(LogTable& table, ReadingFile& file) {
  const auto column =
      table.column({"t_s",       "time_s",    "timestamp", "time",         "ts",          "t",       "datetime",
                    "date_time", "date",      "seconds",   "elapsed_s",    "t_ms",        "time_ms", "t_unix_s",
                    "unix_s",    "unix_time", "epoch",     "timestamp_ms", "timestamp_s", "ts_utc"});
  if (!column)
    file.problems.add(table.head(), 1, "there is no column of times",
                      "name the column of times t_s, time or timestamp");
  return column;
}

/// "node_" of "node_12"; empty: the name ends in no number.
std::string_view stem_of(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end == std::string_view::npos || end + 1 == name.size()) return {};
  return name.substr(0, end + 1);
}

/// Columns of power of a wide table: as the command line lists them, else as their names say, else those of the most frequent numbered name.
class PowerColumns {
 public:
  PowerColumns(const LogTable& table, std::size_t time, ReadingFile& file) : table_(table), time_(time), file_(file) {}

  std::vector<std::size_t> find() {
    const std::vector<std::string>& asked = file_.logs.request.columns;
    if (!asked.empty()) return as_asked(asked);
    std::vector<std::size_t> found = those([](const std::string& name) { return is_power_name(name); });
    if (found.empty()) found = of_most_frequent_stem();
    if (found.empty())
      file_.problems.add(table_.head(), 1,
                         "there is no column of power: no name contains 'power', 'watt' or a unit of power, and no "
                         "name has a number, as in node_1",
                         "name the columns with --columns; with `--columns all` every column except the times is used");
    return found;
  }

 private:
  template <class Wanted>
  std::vector<std::size_t> those(const Wanted& wanted) const {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < table_.names().size(); ++k) {
      if (k != time_ && wanted(table_.names()[k])) found.push_back(k);
    }
    return found;
  }

  std::vector<std::size_t> as_asked(const std::vector<std::string>& asked) {
    if (asked.size() == 1 && asked.front() == "all") return those([](const std::string&) { return true; });
    std::vector<std::size_t> found;
    for (const std::string& name : asked) {
      const auto place = std::ranges::find(table_.names(), name);
      if (place == table_.names().end())
        file_.problems.add(table_.head(), 1, fmt::format("--columns: there is no column '{}'", name),
                           nearest_hint(name, table_.names()));
      else
        found.push_back(static_cast<std::size_t>(place - table_.names().begin()));
    }
    return found;
  }

  std::vector<std::size_t> of_most_frequent_stem() const {
    std::map<std::string_view, std::size_t> counts;
    for (const std::size_t k : those([](const std::string& name) { return !stem_of(name).empty(); }))
      ++counts[stem_of(table_.names()[k])];
    if (counts.empty()) return {};
    const std::string_view stem =
        std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
    return those([&](const std::string& name) { return stem_of(name) == stem; });
  }

  const LogTable& table_;
  std::size_t time_;
  ReadingFile& file_;
};

/// A column of a wide table: the node and the GPU that its name says.
struct Owner {
  std::string node, gpu;
};

Owner owner_of(std::string_view name, const ReadingFile& file) {
  const std::string_view bare = name_with_unit(name).name;
  const std::string_view unit = unit_of_name(bare);
  const std::string_view base = unit.empty() ? bare : bare.substr(0, bare.size() - unit.size() - 1);
  std::string small(base);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::size_t gpu = small.rfind("gpu");
  const std::string prefix = file.is_alone ? "" : file.node + ".";
  const std::size_t number = base.find_last_not_of("0123456789");
  const bool is_numbered = number != std::string_view::npos && number + 1 < base.size();
  if (gpu != std::string::npos && is_numbered) {
    std::string_view node = base.substr(0, gpu);
    while (!node.empty() && std::string_view("_./:- ").find(node.back()) != std::string_view::npos)
      node.remove_suffix(1);
    return {node.empty() || is_power_name(node) ? file.node : prefix + std::string(node),
            std::string(base.substr(number + 1))};
  }
  const std::string& boundary = file.logs.request.boundary;
  if (boundary == "gpu" || boundary == "board")
    return {file.node, std::string(is_numbered ? base.substr(number + 1) : base)};
  return {prefix + std::string(base), ""};
}

/// The stamp of a row; reported where it is none.
std::optional<double> stamp_of_row(const LogTable& table, std::size_t column, LogClock& clock, CsvProblems& problems) {
  const CsvCell& cell = table.cell(column);
  const std::optional<double> time_s = clock.read(cell.text);
  if (!time_s)
    problems.add(table.row(), cell.column,
                 cell.text.empty() ? "the time is missing" : fmt::format("time '{}' cannot be read", cell.text),
                 clock.expected());
  return time_s;
}

std::string unit_or(std::string_view unit, const LogRequest& request) {
  return !unit.empty() ? std::string(unit) : request.unit.empty() ? "W" : request.unit;
}

void note_columns_left_out(const LogTable& table, std::size_t time, const std::vector<std::size_t>& used,
                           PowerLog& log) {
  std::vector<std::string> others;
  for (std::size_t k = 0; k < table.names().size(); ++k) {
    if (k != time && std::ranges::find(used, k) == used.end()) others.push_back(table.names()[k]);
  }
  if (others.empty()) return;
  const std::size_t count = others.size();
  constexpr std::size_t few = 6;
  if (count > few) others.resize(few);
  log.notes.push_back(fmt::format("columns that are not read, unless --columns names them: {}{}",
                                  fmt::join(others, ", "),
                                  count > few ? fmt::format(" and {} more", count - few) : ""));
}

}  // namespace

void read_wide_table(ReadingFile& file) {
  LogTable table(file.lines, file.problems);
  if (!table.has_head()) return;
  const std::optional<std::size_t> time = time_column(table, file);
  if (!time) return;
  const std::vector<std::size_t> columns = PowerColumns(table, *time, file).find();
  if (columns.empty()) return;
  note_columns_left_out(table, *time, columns, file.logs.log);
  std::vector<PowerCells> powers;
  std::vector<std::size_t> series;
  for (const std::size_t column : columns) {
    const std::string& name = table.names()[column];
    const Owner owner = owner_of(name, file);
    powers.emplace_back(name, unit_or(unit_of_name(name), file.logs.request), file.problems);
    series.push_back(file.logs.powers.series_of(owner.node, owner.gpu));
  }
  LogClock clock("date", time_unit_of(table.names()[*time]));
  while (table.next()) {
    const std::optional<double> time_s = stamp_of_row(table, *time, clock, file.problems);
    if (!time_s) continue;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const CsvCell& cell = table.cell(columns[k]);
      const std::optional<double> power_w = powers[k].read(table.row(), cell, file.logs.log.missing_cells);
      if (power_w) file.logs.powers.add(series[k], {*time_s, *power_w, table.row(), cell.column}, file.problems);
    }
  }
  file.logs.powers.demand_clock(clock.kind(), file.problems);
  file.logs.log.repeated_heads += table.repeated_heads();
}

void read_long_table(ReadingFile& file) {
  LogTable table(file.lines, file.problems);
  if (!table.has_head()) return;
  const std::optional<std::size_t> time = time_column(table, file);
  const auto node = table.column({"node", "host", "hostname", "nodename", "server", "instance"});
  const auto gpu = table.column({"gpu", "gpu_id", "index", "gpu_index", "device", "uuid", "gpu_uuid"});
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < table.names().size(); ++k) {
    const bool is_asked = file.logs.request.columns.empty()
                              ? is_power_name(table.names()[k]) || table.names()[k] == "value"
                              : table.names()[k] == file.logs.request.columns.front();
    if (is_asked && k != node && k != gpu && k != time) columns.push_back(k);
  }
  if (!node && !gpu)
    file.problems.add(table.head(), 1, "there is no column of nodes or GPUs", "name a column node, host or gpu");
  if (columns.size() != 1)
    file.problems.add(
        table.head(), 1,
        columns.empty() ? "there is no column of power" : fmt::format("{} columns have power", columns.size()),
        "name it with --columns");
  if (!time || (!node && !gpu) || columns.size() != 1) return;
  const std::string& name = table.names()[columns.front()];
  PowerCells powers(name, unit_or(unit_of_name(name), file.logs.request), file.problems);
  LogClock clock("date", time_unit_of(table.names()[*time]));
  while (table.next()) {
    const std::optional<double> time_s = stamp_of_row(table, *time, clock, file.problems);
    if (!time_s) continue;
    const std::size_t series =
        file.logs.powers.series_of(node ? std::string_view(table.cell(*node).text) : std::string_view(file.node),
                                   gpu ? std::string_view(table.cell(*gpu).text) : std::string_view());
    const CsvCell& cell = table.cell(columns.front());
    const std::optional<double> power_w = powers.read(table.row(), cell, file.logs.log.missing_cells);
    if (power_w) file.logs.powers.add(series, {*time_s, *power_w, table.row(), cell.column}, file.problems);
  }
  file.logs.powers.demand_clock(clock.kind(), file.problems);
  file.logs.log.repeated_heads += table.repeated_heads();
}

}  // namespace wattloop::twin
