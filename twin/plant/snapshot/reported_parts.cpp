#include "twin/plant/snapshot/reported_parts.hpp"

#include <algorithm>

#include "twin/parts/part_catalog.hpp"

namespace wattloop::twin {

std::vector<ReportedParts> parts_reporting(const Plant& plant, std::string_view group, std::string_view column) {
  std::vector<ReportedParts> found;
  for (std::size_t k = 0; k < part_kinds().size(); ++k) {
    const PartKind& kind = part_kinds()[k];
    if (kind.table.group != group || plant.components[k]->names().empty()) continue;
    const auto in_kind = std::ranges::find(kind.columns, column, &PartColumn::name);
    if (in_kind == kind.columns.end()) continue;
    found.push_back({plant.components[k].get(), static_cast<std::size_t>(in_kind - kind.columns.begin())});
  }
  return found;
}

}  // namespace wattloop::twin
