#include "twin/plant/snapshot/room_vapour.hpp"

#include <algorithm>

#include "physics/air/wet_coil.hpp"

namespace wattloop::twin {

std::string vapour_meter_of(std::string_view room) { return std::string(room) + ".vapour"; }

bool RoomCondensate::is_noticeable() const { return water_kg > physics::noticeable_condensate_kg; }

std::vector<RoomCondensate> condensate_in_rooms(const Plant& plant, const PlantState& state) {
  std::vector<RoomCondensate> found;
  for (const RoomPart& room : plant.rooms) {
    const std::string meter = vapour_meter_of(room.name) + ".";
    for (const std::size_t slot : plant.meters.boundaries) {
      if (!plant.layout.name(slot).starts_with(meter)) continue;
      const double latent_j = std::max(-state.states[slot], 0.0);
      found.push_back({room.name, physics::condensate_kg_per_s(latent_j), latent_j});
    }
  }
  return found;
}

}  // namespace wattloop::twin
