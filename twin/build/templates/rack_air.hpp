// Air through a rack of any sort, from the cold aisle of its row through its rear door, where it has one, to the hot aisle.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "twin/build/templates/templates.hpp"

namespace wattloop::twin {

/// A rack of any sort, as air sees it.
struct RackAir {
  std::string name;
  std::size_t row = 0;
  double airflow_kg_per_s = 0.0;
  std::size_t place = 0;             ///< among the racks of its room that hang on the same blocks of power
  const DoorsSpec* doors = nullptr;  ///< none: it has no door
  std::vector<std::string> blocks = {};
  bool is_door_clogged = false;  ///< by an event: it then has a branch of its own
};

/// Water on its way through a door.
struct DoorWater {
  const FluidSystem& system;
  JunctionId inside;
  FlowId flow;
};

/// What became of it.
struct JoinedAir {
  JunctionId exhaust;
  std::optional<DoorWater> door = {};
  InputId airflow = {};
};

/// Junctions and flows of a rack; `join_air` when its load is declared, because that of the fans of its door comes after it.
JoinedAir declare_air(Diagram& diagram, const RackAir& rack, const Scenario& scenario);
DoorFanPart join_air(Diagram& diagram, const RackAir& rack, const JoinedAir& joined);

/// Where the water of a door is read; where there is none, what stands for it is read by no one.
struct DoorCodes {
  double supply_k, return_k, kg_per_s;
};

DoorCodes door_codes(Diagram& diagram, const RackAir& air, const JoinedAir& joined);

/// Without a door nothing is beyond its rating.
double door_rating_w(const RackAir& air);

/// Number of a row in `Diagram::rows`.
std::size_t row_number(const Diagram& diagram, const std::string& name);

/// How many racks in a room hang on any block of power so far.
std::size_t racks_on_any_block(const Diagram& diagram, std::size_t room);

}  // namespace wattloop::twin
