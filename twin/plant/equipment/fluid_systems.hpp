// Systems of water and coolant, rooms of air, and what it is like outside: where their temperatures and set-points stand in a plant. `_node` counts
// in Plant::nodes, `_flow` in the flows, `_input` in the inputs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "twin/plant/equipment/motors.hpp"

namespace wattloop::twin {

/// A supply and a return header with their set-point: coolant of a loop, facility water, chilled water. Without a plant of
/// its own both headers are the same boundary, whose temperature is given.
struct SystemPart {
  std::string name;    ///< "loop_1", "facility", "chilled_water"
  std::string fluid;   ///< in a sentence: "coolant of loop_1", "facility water"
  std::string fluids;  ///< with others of its sort: "coolant of loops"
  std::size_t supply_node = 0;
  std::size_t return_node = 0;
  std::size_t set_point_input = 0;  ///< temperature; of a boundary the given one
  std::size_t load_flow = no_part;  ///< to everything that it cools; none: flows follow from pressures, or from outside
  std::size_t source_flow = no_part;  ///< through what cools it
  std::size_t bypass_flow = no_part;  ///< from supply to return header
  std::string pumps = {};             ///< group of motors; empty: none of its own

  bool is_own() const { return supply_node != return_node; }
};

/// Air that electrical equipment warms and air handlers cool.
struct RoomPart {
  std::string name;  ///< "room_1": the hall; "electrical_room_a"
  std::size_t node = 0;
  std::size_t sink = 0;                      ///< of heat
  std::size_t set_point_input = no_part;     ///< of its air handlers; none: it has none
  std::vector<std::size_t> coil_nodes = {};  ///< waters that come to the coils in it
  bool has_adjustable_cooling = false;       ///< air handlers alone cool it, with valves in their water
  std::optional<double> dew_point_k = {};    ///< of humidity control; none: that of the air outside
};

/// Electronics that the loss of a branch of the power tree warms first. In the tree such bodies are numbered behind the rooms.
struct LossBody {
  std::size_t room = 0;  ///< whose air is around it, in Plant::rooms
  std::size_t sink = 0;  ///< of heat
};

/// Settings of the weather, as events, files and sequences name them.
inline constexpr const char* dry_bulb_setting = "weather.dry_bulb";
inline constexpr const char* wet_bulb_setting = "weather.wet_bulb";

/// Inputs of the weather; none in a hall that does not feel it.
struct OutsideInputs {
  std::size_t dry_bulb = no_part;
  std::size_t wet_bulb = no_part;
  std::size_t humidity_ratio = no_part;  ///< water per kg of dry air
  std::size_t pressure = no_part;

  bool is_felt() const { return dry_bulb != no_part; }
};

/// A coil of water behind a rack, whose heat follows from the water alone.
struct DoorPart {
  std::string rack;
  std::size_t flow = 0;
  std::size_t from_node = 0;
  std::size_t inside_node = 0;
  double specific_heat_j_per_kg_k = 0.0;
  double rated_heat_w = 0.0;
};

}  // namespace wattloop::twin
