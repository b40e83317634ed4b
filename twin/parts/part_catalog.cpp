#include "twin/parts/part_catalog.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "core/parts/fault_setting.hpp"
#include "twin/parts/part_kinds.hpp"
#include "twin/parts/part_set_of.hpp"

namespace wattloop::twin {

namespace {

template <Part K>
std::vector<bool> numbers_given() {
  std::vector<bool> given;
  for (const double change : noticeable_changes<K>()) given.push_back(change == 0.0);
  return given;
}

/// A parameter that `ports()` names by member pointer, out of erased parameters.
template <Part K, auto which, std::size_t port>
double parameter(const std::any& params) {
  constexpr auto member = K::ports()[port].*which;
  if constexpr (member == nullptr) {
    return 0.0;
  } else {
    return std::any_cast<const typename K::Params&>(params).*member;
  }
}

template <Part K>
std::vector<PartPort> ports_of() {
  std::vector<PartPort> ports;
  const auto add = [&]<std::size_t i>() {
    const Port<K> port = K::ports()[i];
    const bool is_fluid = port.medium == PortMedium::liquid || port.medium == PortMedium::air;
    ports.push_back({port.name, port.medium, port.seen, port.done, port.unit,
                     is_fluid && port.seen.count == number_count<Liquid>, port.is_moved_by_own_motor, port.imposed_flow,
                     port.may_precool, port.inside, port.use, port.speed, &parameter<K, &Port<K>::volume_m3, i>,
                     &parameter<K, &Port<K>::design_kg_per_s, i>, &parameter<K, &Port<K>::restart_delay_s, i>});
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (add.template operator()<i>(), ...); }
  (std::make_index_sequence<K::ports().size()>());
  return ports;
}

template <Part K>
WritablePart writable_part() {
  WritablePart part{
      .default_params = [] { return std::any(typename K::Params{}); },
      .fields = [](std::any& params) { return field_refs(std::any_cast<typename K::Params&>(params)); },
      .in_liquid = [](const std::any& params, [[maybe_unused]] std::string_view port,
                      [[maybe_unused]] const LiquidBesideWater& liquid) -> std::any {
        if constexpr (FollowsLiquid<K>) {
          return K::in_liquid(std::any_cast<const typename K::Params&>(params), port, liquid);
        } else {
          return params;
        }
      },
      .states = {},
      .first_state_seen = 0,
      .first_rate_done = 0,
      .now_count = number_count<typename K::Now>,
      .effect_count = number_count<typename K::Effect>,
      .ports = ports_of<K>(),
      .settings = {},
      .faults = {},
  };
  if constexpr (HasState<K>) {
    part.states.resize(number_count<typename K::State>);
    for (const StateOf<K>& state : K::states()) part.states[state.number] = state.info;
    part.first_state_seen = numbers_of(&K::Now::state).first;
    part.first_rate_done = numbers_of(&K::Effect::rate).first;
  }
  if constexpr (HasSettings<K>) {
    for (const Setting<K>& setting : K::settings()) {
      auto& list = is_fault(setting.name) ? part.faults : part.settings;
      list.push_back(
          {setting.number, {setting.name, setting.unit, setting.range, setting.doc, {}}, setting.is_of_system});
    }
  }
  return part;
}

template <Part K>
std::optional<WritablePart> written_part() {
  if constexpr (IsWritable<K>) return writable_part<K>();
  return std::nullopt;
}

/// Declared limits, by numbers of columns.
template <Part K>
std::vector<PartLimit> limits_of() {
  std::vector<PartLimit> limits;
  if constexpr (HasLimits<K>) {
    for (const Limit<K>& limit : K::limits()) {
      std::size_t column = 0;
      while (K::columns()[column].name != limit.quantity) ++column;
      limits.push_back({column, limit.beyond, limit.side, limit.why});
    }
  }
  return limits;
}

template <Part K>
PartKind part_kind() {
  PartTable table;
  Box box = not_drawn;
  std::vector<PartColumn> columns;
  std::vector<RatedColumn> ratings;
  std::vector<WatchedAs> watched;
  if constexpr (HasColumns<K>) {
    table = K::table;
    box = K::box;
    for (const Column<K>& column : K::columns()) {
      columns.push_back({column.name, column.unit, column.text, column.numerator, column.denominator});
    }
  }
  if constexpr (HasRatings<K>) {
    for (const Rating<K>& rating : K::ratings())
      ratings.push_back({rating.column, rating.carries, rating.left_w != nullptr, rating.load_w != nullptr});
  }
  if constexpr (HasWatched<K>) {
    for (const Watched<K>& quantity : K::watched()) watched.push_back(quantity.as);
  }
  return {
      .name = K::kind,
      .doc = K::doc,
      .box = box,
      .table = table,
      .columns = std::move(columns),
      .ratings = std::move(ratings),
      .limits = limits_of<K>(),
      .watched = std::move(watched),
      .is_given = numbers_given<K>(),
      .make_set = []() -> std::unique_ptr<PartSet> { return std::make_unique<PartSetOf<K>>(); },
      .written = written_part<K>(),
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

std::size_t column_number(const PartKind& kind, std::string_view name) {
  const auto found = std::ranges::find(kind.columns, name, &PartColumn::name);
  if (found == kind.columns.end()) throw std::logic_error(fmt::format("kind '{}' has no column '{}'", kind.name, name));
  return static_cast<std::size_t>(found - kind.columns.begin());
}

std::size_t part_kind_number(std::string_view name) {
  const auto kinds = part_kinds();
  const auto found = std::ranges::find(kinds, name, &PartKind::name);
  if (found == kinds.end()) {
    throw std::logic_error(fmt::format("kind '{}' is not in the catalog, twin/parts/part_kinds.hpp", name));
  }
  return static_cast<std::size_t>(found - kinds.begin());
}

const PartKind* find_written_kind(std::string_view name) {
  const auto kinds = part_kinds();
  const auto found = std::ranges::find(kinds, name, &PartKind::name);
  return found == kinds.end() || !found->written ? nullptr : &*found;
}

}  // namespace wattloop::twin
