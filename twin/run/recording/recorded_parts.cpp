// Tables of parts: their columns are those that the headers of their kinds say.

#include <algorithm>
#include <set>

#include "twin/parts/part_catalog.hpp"
#include "twin/run/recording/recorder.hpp"

namespace wattloop::twin {

namespace {

/// Parts of one kind in a table, from item `first` on.
struct PartsOfKind {
  const PartSet* set;
  std::size_t first;
};

RecordedColumn column_of(const PartColumn& column, std::size_t number, const std::vector<PartsOfKind>& parts) {
  const auto fill = [number, parts](const PlantSnapshot& m, std::span<double> items) {
    for (const PartsOfKind& of_kind : parts) {
      of_kind.set->fill_column(number, m.read_plant(), items.subspan(of_kind.first, of_kind.set->names().size()));
    }
  };
  const auto value = [number, parts](const PlantSnapshot& m, std::size_t item) {
    const auto behind = std::ranges::upper_bound(parts, item, {}, &PartsOfKind::first);
    const PartsOfKind& of_kind = *std::prev(behind);
    return of_kind.set->column_of(item - of_kind.first, number, m.read_plant());
  };
  RecordedColumn recorded({std::string(column.name), std::string(column.unit), std::string(column.text)}, value, fill);
  if (column.numerator.empty()) return recorded;
  return std::move(recorded).ratio_of(std::string(column.numerator), std::string(column.denominator));
}

double interval_s(const PartTable& table, const RecordSpec& record) {
  return table.with == RecordedWith::racks ? record.racks_s : record.facility_s;
}

/// Parts of all kinds that are reported in the group of `table`; no columns where there are none.
RecordedTable table_of_group(const Plant& plant, const RecordSpec& record, const PartTable& table) {
  std::vector<PartsOfKind> parts;
  std::vector<std::string> names;
  const PartKind* kind = nullptr;
  for (std::size_t k = 0; k < part_kinds().size(); ++k) {
    const PartSet& set = *plant.components[k];
    if (part_kinds()[k].table.group != table.group || set.names().empty()) continue;
    kind = &part_kinds()[k];
    parts.push_back({&set, names.size()});
    names.insert(names.end(), set.names().begin(), set.names().end());
  }
  RecordedTable recorded{
      table_of(std::string(table.group), std::string(table.item), names), interval_s(table, record), {}};
  if (kind == nullptr) return recorded;
  for (std::size_t c = 0; c < kind->columns.size(); ++c) {
    recorded.columns.push_back(column_of(kind->columns[c], c, parts));
  }
  return recorded;
}

}  // namespace

std::vector<RecordedTable> part_tables(const Plant& plant, const RecordSpec& record) {
  std::vector<RecordedTable> tables;
  std::set<std::string_view> groups;
  for (const PartKind& kind : part_kinds()) {
    if (kind.table.group.empty() || !groups.insert(kind.table.group).second) continue;
    RecordedTable table = table_of_group(plant, record, kind.table);
    if (!table.columns.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace wattloop::twin
