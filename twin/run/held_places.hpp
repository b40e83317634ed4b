// Coolant, water and air that are held at a set-point: where a run counts for how long they were not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twin/plant/plant.hpp"

namespace wattloop::twin {

struct HeldPlace {
  std::string name;  ///< "facility", "room_1"
  std::string text;  ///< "facility water", "air of room_1"
  std::size_t node = 0;
  std::size_t set_point_input = 0;
};

/// Supplies of the systems of the hall's own, and rooms with air handlers.
std::vector<HeldPlace> held_places(const Plant& plant);

}  // namespace wattloop::twin
