// Tables of parts: their columns are those that the headers of their kinds say.

#include <algorithm>

#include "twin/parts/part_catalog.hpp"
#include "twin/run/recorder.hpp"

namespace wattloop::twin {

namespace {

/// Parts of one kind in a table, from item `first` on.
struct PartsOfKind {
  const PartSet* set;
  std::size_t first;
};

RecordedColumn column_of(const PartColumn& column, std::size_t number, const std::vector<PartsOfKind>& parts) {
  const auto fill = [number, parts](const Moment& m, std::span<double> items) {
    for (const PartsOfKind& of_kind : parts) {
      of_kind.set->fill_column(number, m.read_plant(), items.subspan(of_kind.first, of_kind.set->names().size()));
    }
  };
  const auto value = [number, parts](const Moment& m, std::size_t item) {
    const auto behind = std::ranges::upper_bound(parts, item, {}, &PartsOfKind::first);
    const PartsOfKind& of_kind = *std::prev(behind);
    return of_kind.set->column_of(item - of_kind.first, number, m.read_plant());
  };
  RecordedColumn recorded({std::string(column.name), std::string(column.unit), std::string(column.text)}, value, fill);
  if (column.numerator.empty()) return recorded;
  return std::move(recorded).ratio_of(std::string(column.numerator), std::string(column.denominator));
}

}  // namespace

RecordedTable part_table(const Plant& plant, const RecordSpec& record, std::string_view group) {
  std::vector<PartsOfKind> parts;
  std::vector<std::string> names;
  const PartKind* kind = nullptr;
  for (std::size_t k = 0; k < part_kinds().size(); ++k) {
    const PartSet& set = *plant.components[k];
    if (part_kinds()[k].table.group != group || set.names().empty()) continue;
    kind = &part_kinds()[k];
    parts.push_back({&set, names.size()});
    names.insert(names.end(), set.names().begin(), set.names().end());
  }
  if (kind == nullptr) return {};
  RecordedTable table{table_of(std::string(group), std::string(kind->table.item), names), record.facility_s, {}};
  for (std::size_t c = 0; c < kind->columns.size(); ++c) table.columns.push_back(column_of(kind->columns[c], c, parts));
  return table;
}

}  // namespace wattloop::twin
