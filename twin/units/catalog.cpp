#include "twin/units/catalog.hpp"

#include <algorithm>
#include <array>

#include "physics/units/air_part.hpp"
#include "physics/units/cold_plate.hpp"
#include "physics/units/heat_sink.hpp"
#include "physics/units/immersion_tank.hpp"
#include "physics/units/node_rest.hpp"

namespace wattloop::twin {

std::span<const UnitKind> unit_kinds() {
  static const std::array kinds{
      unit_kind<physics::ColdPlate>(),     unit_kind<physics::NodeRest>(), unit_kind<physics::AirPart>(),
      unit_kind<physics::ImmersionTank>(), unit_kind<physics::HeatSink>(),
  };
  return kinds;
}

const UnitKind* find_unit_kind(std::string_view name) {
  const auto kinds = unit_kinds();
  const auto found = std::ranges::find(kinds, name, &UnitKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

std::vector<std::string_view> unit_kind_names() {
  std::vector<std::string_view> names;
  for (const UnitKind& kind : unit_kinds()) names.push_back(kind.name);
  return names;
}

}  // namespace wattloop::twin
