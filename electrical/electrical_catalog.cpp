#include "electrical/electrical_catalog.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "electrical/electrical_kinds.hpp"
#include "electrical/passage.hpp"

namespace wattloop::electrical {

namespace {

/// Equipment that power passes through has a bus at both ends; a source has one bus.
template <ElectricalPart K>
std::vector<PortOfKind> ports_of() {
  std::vector<PortOfKind> ports;
  for (const PowerPort<Passage>& port : Passage::ports()) {
    const bool is_there = SourceKind<K> ? port.name == "output" : HasBattery<K> || !port.is_of_battery;
    if (is_there) ports.push_back({port.name, port.medium});
  }
  return ports;
}

template <ElectricalPart K>
ElectricalKind kind_of() {
  ElectricalKind kind{.name = K::kind,
                      .noun = K::noun,
                      .plural = K::plural,
                      .doc = K::doc,
                      .is_source = SourceKind<K>,
                      .is_of_one_side = IsOfOneSide<K>,
                      .box = K::box,
                      .metered_under = {},
                      .ports = ports_of<K>(),
                      .events = {K::events.begin(), K::events.end()},
                      .states = {},
                      .table = {},
                      .columns = {},
                      .ratings = {}};
  if constexpr (SourceKind<K>) kind.is_standby = K::is_standby;
  if constexpr (PassageKind<K>) kind.metered_under = metered_under<K>();
  if constexpr (HasState<K>) {
    for (const StateOf<K>& state : K::states()) kind.states.push_back(state.info);
  }
  if constexpr (requires { K::columns(); }) {
    const auto columns = K::columns();
    kind.columns.assign(columns.begin(), columns.end());
  }
  if constexpr (HasColumns<K>) kind.table = K::table;  // others are not recorded one by one
  if constexpr (HasRatings<K>) {
    for (const Rating<K>& rating : K::ratings()) kind.ratings.push_back({rating.column, rating.carries});
  }
  return kind;
}

template <class... Kinds>
std::array<ElectricalKind, sizeof...(Kinds)> kinds_of(const std::tuple<Kinds...>*) {
  return {kind_of<Kinds>()...};
}

}  // namespace

bool ElectricalKind::takes(PartEvent event) const { return std::ranges::find(events, event) != events.end(); }

std::span<const ElectricalKind> electrical_kinds() {
  static const auto kinds = kinds_of(static_cast<const ElectricalKinds*>(nullptr));
  return kinds;
}

const ElectricalKind& electrical_kind(std::string_view name) {
  const auto kinds = electrical_kinds();
  const auto found = std::ranges::find(kinds, name, &ElectricalKind::name);
  if (found == kinds.end()) {
    throw std::logic_error(fmt::format("kind '{}' is not in the list, electrical/electrical_kinds.hpp", name));
  }
  return *found;
}

}  // namespace wattloop::electrical
