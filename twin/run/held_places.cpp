#include "twin/run/held_places.hpp"

namespace wattloop::twin {

std::vector<HeldPlace> held_places(const Plant& plant) {
  std::vector<HeldPlace> places;
  for (const SystemPart& system : plant.systems) {
    if (system.is_own()) places.push_back({system.name, system.fluid, system.supply_node, system.set_point_input});
  }
  for (const RoomPart& room : plant.rooms) {
    if (room.set_point_input != no_part)
      places.push_back({room.name, "air of " + room.name, room.node, room.set_point_input});
  }
  return places;
}

}  // namespace wattloop::twin
