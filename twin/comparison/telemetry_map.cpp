#include "twin/comparison/telemetry_map.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/name_pattern.hpp"
#include "core/units/units.hpp"
#include "twin/document/document.hpp"
#include "twin/document/map_reader.hpp"

namespace wattloop::twin {

namespace {

/// By its number, which names it, too: gpu_7.
std::string numbered_name(const TableSpec& table, std::size_t item) {
  return fmt::format("{}_{}", table.item_dimension, item + 1);
}

constexpr const char* recorded_form = "write ITEM.COLUMN, as cdu_1.return_temperature or facility.power";

/// As events have it: of a GPU row_1.rack_1.node_1.gpu_1, where the table has these names.
std::string item_name(const TableSpec& table, std::size_t item) {
  if (table.item_dimension.empty()) return table.group;
  if (!table.items.empty()) return table.items[item];
  for (const ItemLabels& labels : table.labels) {
    if (labels.name == table.item_dimension + "_name" && item < labels.texts.size()) return labels.texts[item];
  }
  return numbered_name(table, item);
}

/// Items of a table by name.
struct NamedItems {
  const TableSpec* spec = nullptr;
  NameIndex names{};
  std::vector<std::size_t> items{};  ///< [name]

  explicit NamedItems(const TableSpec& table) : spec(&table) {
    for (std::size_t item = 0; item < table.item_count(); ++item) add(item_name(table, item), item);
    for (std::size_t item = 0; table.items.empty() && item < table.numbered_items; ++item)
      add(numbered_name(table, item), item);
  }

 private:
  void add(const std::string& name, std::size_t item) {
    if (names.add(name) == items.size()) items.push_back(item);
  }
};

/// A recorded series that a name or a pattern means.
struct NamedSeries {
  std::string name;  ///< "cdu_3.return_temperature"
  RecordedSeries series;
};

/// All that results record, by name.
class Recorded {
 public:
  explicit Recorded(std::span<const TableSpec> tables) {
    for (const TableSpec& table : tables) {
      for (const std::string& name : tables_.emplace_back(table).names.names()) all_items_.add(name);
    }
  }

  /// None where there is none; reported at `node`.
  std::vector<NamedSeries> find(const Node& node, Problems& problems) const {
    if (tables_.empty()) {
      problems.add(
          problem_at(node, fmt::format("'{}' is not recorded: the run was recorded as summary only", node.text)));
      return {};
    }
    std::string name = node.text;
    const std::size_t slash = name.find('/');  // "racks/row_1.rack_1.flow": of several tables this one
    const std::string table = slash == std::string::npos ? "" : name.substr(0, slash);
    if (slash != std::string::npos) name.erase(0, slash + 1);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) {
      problems.add(problem_at(node, fmt::format("'{}' is not an item and a column", node.text), recorded_form));
      return {};
    }
    const std::string item = name.substr(0, dot), column = name.substr(dot + 1);
    std::vector<NamedSeries> found;
    NameIndex columns, reported;
    for (const NamedItems& named : tables_) {
      if (!table.empty() && named.spec->group != table) continue;
      for (const std::size_t number : named.names.fitting(item)) {
        for (const ColumnSpec& one : named.spec->columns) {
          columns.add(one.name);
          if (!fits_pattern(one.name, column)) continue;
          found.push_back({named.names.names()[number] + "." + one.name,
                           {named.spec->group, one.name, named.items[number], one.unit, one.is_mean}});
          if (reported.add(found.back().name) + 1 == found.size()) continue;
          problems.add(problem_at(node, fmt::format("'{}' is recorded in several tables", node.text),
                                  fmt::format("say which: {}/{}", found.front().series.table, name)));
          return {};
        }
      }
    }
    if (found.empty()) report_none(node, item, column, columns, problems);
    return found;
  }

 private:
  void report_none(const Node& node, const std::string& item, const std::string& column, const NameIndex& columns,
                   Problems& problems) const {
    if (columns.names().empty()) {
      problems.add(problem_at(node, fmt::format("the results contain no '{}'", item), all_items_.hint(item, problems)));
    } else {
      std::string hint = columns.hint(column, problems);
      if (hint.empty()) hint = fmt::format("known: {}", fmt::join(columns.names(), ", "));
      problems.add(problem_at(node, fmt::format("the results contain no '{}' of {}", column, item), std::move(hint)));
    }
  }

  std::vector<NamedItems> tables_{};
  NameIndex all_items_{};
};

/// Is a number in `unit` one in `si_unit`? Reported at `node` where not.
bool is_unit_of(const Node& node, const std::string& si_unit, Problems& problems) {
  try {
    to_si(1.0, node.text, si_unit);
    return true;
  } catch (const QuantityError& error) {
    problems.add(problem_at(node, fmt::format("unit: {}", error.what()), error.hint));
    return false;
  }
}

void read_choice(MapReader& reader, const std::string& key, const std::vector<std::string>& choices,
                 std::string& value) {
  const Node* node = reader.find(key);
  if (node == nullptr) return;
  if (std::ranges::find(choices, node->text) != choices.end()) {
    value = node->text;
  } else {
    reader.problems().add(
        problem_at(*node, fmt::format("{}: '{}', expected {}", key, node->text, fmt::join(choices, ", "))));
  }
}

void read_time(const Node& node, TelemetryMap& map, Problems& problems) {
  MapReader reader(node, "time", problems);
  if (const Node* column = reader.require("column", "the column that holds times")) {
    map.time_column = column->text;
    map.time_at = problem_at(*column, {});
  }
  if (const Node* unit = reader.find("unit")) {
    const StampFormat written{.unit = unit->text};
    if (written.is_date() || is_unit_of(*unit, "s", problems)) map.format = written;
  }
  read_choice(reader, "summer_time", {"none", "US", "EU"}, map.format.summer_time);
  if (const Node* offset = reader.find("utc_offset")) map.format.utc_offset = offset->text;
  std::string stamp = "begin";
  read_choice(reader, "stamp", {"begin", "end", "instant"}, stamp);
  map.stamp = stamp_of(stamp);
  const std::string mistake = format_mistake(map.format);
  if (!mistake.empty()) problems.add(problem_at(node, mistake));
  if (const Node* offset = reader.find("offset")) {
    try {
      map.offset_s = to_si(offset->text, "s");
    } catch (const QuantityError& error) {
      problems.add(problem_at(*offset, fmt::format("offset: {}", error.what()), error.hint));
    }
  }
  reader.report_unknown_keys();
}

/// `column` with its stars replaced by the texts that the stars of `recorded` stand for.
std::string filled(std::string column, std::string_view name, std::string_view recorded) {
  recorded.remove_prefix(recorded.find('/') == std::string_view::npos ? 0 : recorded.find('/') + 1);
  std::size_t at = 0;
  for (const std::string& star : stars_of(name, recorded)) {
    at = column.find('*', at);
    column.replace(at, 1, star);
    at += star.size();
  }
  return column;
}

void read_series(const Node& node, const Recorded& recorded, TelemetryMap& map, Problems& problems) {
  MapReader reader(node, "series", problems);
  const Node* column = reader.require("column", "a column of the measurements");
  const Node* name = reader.require("recorded", recorded_form);
  const Node* unit = reader.require("unit", "the unit of the measurements: degC, kW, L/min");
  reader.report_unknown_keys();
  std::vector<NamedSeries> found;
  if (name != nullptr) found = recorded.find(*name, problems);
  if (column == nullptr || unit == nullptr) return;
  const bool is_pattern = !found.empty() && has_wildcard(name->text);
  if (is_pattern && std::ranges::count(column->text, '*') != std::ranges::count(name->text, '*')) {
    problems.add(problem_at(
        *column,
        fmt::format("'{}' matches {} series, but '{}' does not match so many", name->text, found.size(), column->text),
        "write the same number of stars in `column` and in `recorded`: each star is replaced by the same text"));
    return;
  }
  if (found.empty()) found.push_back({name != nullptr ? name->text : "", {}});  // its column is looked for, too
  for (const NamedSeries& one : found) {
    if (!one.series.unit.empty() && !is_unit_of(*unit, one.series.unit, problems)) return;
    map.series.push_back({is_pattern ? filled(column->text, one.name, name->text) : column->text,
                          is_pattern        ? one.name
                          : name != nullptr ? name->text
                                            : "",
                          unit->text, one.series, problem_at(*column, {})});
  }
}

}  // namespace

TelemetryMap read_telemetry_map(const std::filesystem::path& file, const ResultsReader& results, Problems& problems) {
  const Node root = read_document(file, problems);
  if (root.entries.empty() && !problems.empty()) return {};  // it cannot be read
  std::vector<TableSpec> tables;
  for (const std::string& group : results.tables()) {
    tables.push_back(results.table(group));
    tables.back().labels = results.labels(group);
  }
  return read_telemetry_map(root, tables, problems);
}

TelemetryMap read_telemetry_map(const Node& root, std::span<const TableSpec> recorded, Problems& problems) {
  TelemetryMap map;
  MapReader reader(root, "the map", problems);
  if (const Node* time = reader.require("time", "time: { column: NAME, unit: s, stamp: begin }"))
    read_time(*time, map, problems);
  const Node* series = reader.require("series", "a list of { column: NAME, recorded: ITEM.COLUMN, unit: UNIT }");
  if (series != nullptr && !series->is_sequence()) {
    problems.add(problem_at(*series, fmt::format("series: expected a list, found {}", describe(*series)),
                            "- { column: NAME, recorded: ITEM.COLUMN, unit: UNIT }"));
  } else if (series != nullptr) {
    const Recorded by_name(recorded);
    for (const Node& one : series->items) read_series(one, by_name, map, problems);
  }
  reader.report_unknown_keys();
  return map;
}

}  // namespace wattloop::twin
