#include "twin/plant/state/limited_quantities.hpp"

#include <cmath>

#include <fmt/format.h>

#include "twin/parts/part_catalog.hpp"
#include "twin/plant/state/limit_words.hpp"

namespace wattloop::twin {

namespace {

LimitedQuantity quantity_of(const PartKind& kind, const PartSet& parts, std::size_t column) {
  const PartColumn& of = kind.columns[column];
  return {.parts = &parts,
          .column = column,
          .part_kind = kind.table.item,
          .name = of.name,
          .unit = of.unit,
          .beyond = Beyond::log,
          .side = Side::above,
          .why = "over its rating",
          .limit = {}};
}

void add_declared(const PartKind& kind, const PartSet& parts, std::vector<LimitedQuantity>& list) {
  for (std::size_t l = 0; l < kind.limits.size(); ++l) {
    const PartLimit& declared = kind.limits[l];
    LimitedQuantity quantity = quantity_of(kind, parts, declared.column);
    quantity.beyond = declared.beyond;
    quantity.side = declared.side;
    quantity.why = declared.why;
    bool any = false;
    for (std::size_t part = 0; part < parts.names().size(); ++part) {
      quantity.limit.push_back(parts.limit(part, l));
      any = any || std::isfinite(quantity.limit.back());
    }
    if (any) list.push_back(std::move(quantity));
  }
}

void add_ratings(const PartKind& kind, const PartSet& parts, std::vector<LimitedQuantity>& list) {
  for (std::size_t r = 0; r < kind.ratings.size(); ++r) {
    LimitedQuantity quantity = quantity_of(kind, parts, column_number(kind, kind.ratings[r].column));
    quantity.is_rating = true;
    for (std::size_t part = 0; part < parts.names().size(); ++part) quantity.limit.push_back(parts.rated_w(part, r));
    list.push_back(std::move(quantity));
  }
}

}  // namespace

std::vector<LimitedQuantity> limited_quantities(const Plant& plant) {
  std::vector<LimitedQuantity> list;
  for (std::size_t k = 0; k < part_kinds().size(); ++k) {
    const PartSet& parts = *plant.components[k];
    if (parts.names().empty()) continue;
    add_declared(part_kinds()[k], parts, list);
    add_ratings(part_kinds()[k], parts, list);
  }
  return list;
}

std::size_t part_count(std::span<const LimitedQuantity> quantities) {
  std::size_t count = 0;
  for (const LimitedQuantity& quantity : quantities) count += quantity.count();
  return count;
}

std::string beyond_text(const LimitedQuantity& quantity, std::size_t part, double value) {
  const ValueAndLimit shown = value_and_limit(value, quantity.limit[part], quantity.unit);
  return fmt::format("{} {}, {}: {}", quantity.name, shown.value, quantity.why, shown.limit);
}

}  // namespace wattloop::twin
