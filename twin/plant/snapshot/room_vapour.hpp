// Vapour of rooms: names of the inputs that their humidity follows from, and what of it condensed on coils.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/plant/equipment/plant.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

// Inputs that stand before all others; the first is what rooms without humidity control have.
inline constexpr std::string_view dew_point_outside = "weather.dew_point";
inline constexpr std::string_view pressure_in_rooms = "rooms.pressure";

/// "room_1.vapour": meter of the heat that leaves a room with vapour. What condenses brings it in, so that it is negative.
std::string vapour_meter_of(std::string_view room);

/// What condensed on coils in one room.
struct RoomCondensate {
  std::string room;
  double water_kg = 0.0, latent_j = 0.0;

  bool is_noticeable() const;
};

/// [room]
std::vector<RoomCondensate> condensate_in_rooms(const Plant& plant, const PlantState& state);

}  // namespace wattloop::twin
