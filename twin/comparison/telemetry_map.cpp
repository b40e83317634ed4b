#include "twin/comparison/telemetry_map.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/nearest.hpp"
#include "core/units.hpp"
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

/// All that results record, by name.
class Recorded {
 public:
  explicit Recorded(std::span<const TableSpec> tables) : tables_(tables) {}

  /// None where there is none; told at `node`.
  std::optional<RecordedSeries> find(const Node& node, Problems& problems) const {
    if (tables_.empty()) {
      problems.add(
          problem_at(node, fmt::format("'{}' is not recorded: the run was recorded as summary only", node.text)));
      return std::nullopt;
    }
    std::string name = node.text;
    const std::size_t slash = name.find('/');  // "racks/row_1.rack_1.flow": of several tables this one
    const std::string table = slash == std::string::npos ? "" : name.substr(0, slash);
    if (slash != std::string::npos) name.erase(0, slash + 1);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) {
      problems.add(problem_at(node, fmt::format("'{}' names no item and column", node.text), recorded_form));
      return std::nullopt;
    }
    const std::string item = name.substr(0, dot), column = name.substr(dot + 1);
    std::vector<RecordedSeries> found;
    std::vector<std::string> columns, items;
    for (const TableSpec& spec : tables_) {
      if (!table.empty() && spec.group != table) continue;
      const auto number = number_of(spec, item, items);
      if (!number) continue;
      for (const ColumnSpec& one : spec.columns) {
        if (one.name == column) found.push_back({spec.group, column, *number, one.unit, one.is_mean});
        columns.push_back(one.name);
      }
    }
    if (found.size() == 1) return found.front();
    tell(node, item, column, found, items, columns, problems);
    return std::nullopt;
  }

 private:
  static std::optional<std::size_t> number_of(const TableSpec& spec, const std::string& item,
                                              std::vector<std::string>& names) {
    std::optional<std::size_t> number;
    for (std::size_t k = 0; k < spec.item_count(); ++k) {
      names.push_back(item_name(spec, k));
      if (names.back() == item || (spec.items.empty() && numbered_name(spec, k) == item)) number = k;
    }
    return number;
  }

  static void tell(const Node& node, const std::string& item, const std::string& column,
                   const std::vector<RecordedSeries>& found, const std::vector<std::string>& items,
                   const std::vector<std::string>& columns, Problems& problems) {
    if (!found.empty()) {
      problems.add(problem_at(node, fmt::format("'{}' is recorded in several tables", node.text),
                              fmt::format("say which: {}/{}.{}", found.front().table, item, column)));
    } else if (columns.empty()) {
      problems.add(problem_at(node, fmt::format("the results record no '{}'", item), nearest_hint(item, items)));
    } else {
      std::string hint = nearest_hint(column, columns);
      if (hint.empty()) hint = fmt::format("known: {}", fmt::join(columns, ", "));
      problems.add(problem_at(node, fmt::format("the results record no '{}' of {}", column, item), std::move(hint)));
    }
  }

  std::span<const TableSpec> tables_;
};

/// Is a number in `unit` one in `si_unit`? Told at `node` where not.
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

void read_series(const Node& node, const Recorded& recorded, TelemetryMap& map, Problems& problems) {
  MapReader reader(node, "series", problems);
  const Node* column = reader.require("column", "a column of the measurements");
  const Node* name = reader.require("recorded", recorded_form);
  const Node* unit = reader.require("unit", "the unit of the measurements: degC, kW, L/min");
  reader.report_unknown_keys();
  const std::optional<RecordedSeries> series = name != nullptr ? recorded.find(*name, problems) : std::nullopt;
  if (column == nullptr || unit == nullptr) return;
  if (series && !is_unit_of(*unit, series->unit, problems)) return;
  map.series.push_back({column->text, name != nullptr ? name->text : "", unit->text, series.value_or(RecordedSeries{}),
                        problem_at(*column, {})});
}

}  // namespace

TelemetryMap read_telemetry_map(const std::filesystem::path& file, const ResultsReader& results, Problems& problems) {
  const Node root = read_document(file, problems);
  if (root.entries.empty() && !problems.empty()) return {};  // it cannot be read
  std::vector<TableSpec> tables;
  for (const std::string& group : results.tables()) tables.push_back(results.table(group));
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
    for (const Node& one : series->items) read_series(one, Recorded(recorded), map, problems);
  }
  reader.report_unknown_keys();
  return map;
}

}  // namespace wattloop::twin
