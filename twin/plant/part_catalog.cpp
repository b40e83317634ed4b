#include "twin/plant/part_catalog.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "twin/plant/part_kinds.hpp"
#include "twin/plant/part_set_of.hpp"

namespace wattloop::twin {

namespace {

template <Part K>
std::vector<bool> numbers_given() {
  std::vector<bool> given;
  for (const double change : noticeable_changes<K>()) given.push_back(change == 0.0);
  return given;
}

template <Part K>
PartKind part_kind() {
  PartTable table;
  std::vector<PartColumn> columns;
  std::vector<std::string> ratings;
  std::vector<WatchedAs> watched;
  if constexpr (HasColumns<K>) {
    table = K::table;
    for (const Column<K>& column : K::columns()) {
      columns.push_back({column.name, column.unit, column.text, column.numerator, column.denominator});
    }
  }
  if constexpr (HasRatings<K>) {
    for (const Rating<K>& rating : K::ratings()) ratings.emplace_back(rating.column);
  }
  if constexpr (HasWatched<K>) {
    for (const Watched<K>& quantity : K::watched()) watched.push_back(quantity.as);
  }
  return {
      .name = K::kind,
      .doc = K::doc,
      .table = table,
      .columns = std::move(columns),
      .ratings = std::move(ratings),
      .watched = std::move(watched),
      .is_given = numbers_given<K>(),
      .make_set = []() -> std::unique_ptr<PartSet> { return std::make_unique<PartSetOf<K>>(); },
  };
}

template <class... Kinds>
std::array<PartKind, sizeof...(Kinds)> kinds_of(const std::tuple<Kinds...>*) {
  return {part_kind<Kinds>()...};
}

}  // namespace

std::span<const PartKind> part_kinds() {
  static const auto kinds = kinds_of(static_cast<const PartKinds*>(nullptr));
  return kinds;
}

std::size_t part_kind_number(std::string_view name) {
  const auto kinds = part_kinds();
  const auto found = std::ranges::find(kinds, name, &PartKind::name);
  if (found == kinds.end()) {
    throw std::logic_error(fmt::format("kind '{}' is not in the catalog, twin/plant/part_kinds.hpp", name));
  }
  return static_cast<std::size_t>(found - kinds.begin());
}

}  // namespace wattloop::twin
