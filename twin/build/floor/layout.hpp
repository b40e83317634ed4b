// Where everything that can be drawn stands in the hall: a pure function of racks and counts, written to the results
// file so that views need nothing else. A drawing, not a survey: sizes are those of ordinary equipment (600
// mm racks of 42 units, aisles of 1.2 and 1.8 m), positions follow the usual plan of a hall with hot and cold
// aisles.
//
//   x along a row, from the end where its CDUs stand; y across the rows; z up; the origin is the front left
//   foot of row 1. Odd rows look towards -y and even rows towards +y, so that rows stand back to back across
//   a hot aisle; of several rooms, which lie behind one another, those of each.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/parts/part_columns.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// A part of which its header says how large it is and where it stands.
struct PlacedPart {
  std::string name, kind;
  Box box;
  int room = 0;  ///< in `HallFloor::rooms`; of a part in the yard: without meaning
  int row = -1;  ///< of racks, from 0; -1: of a part in rows, those of its room in turn
};

/// Equipment of one block of power.
struct BlockCounts {
  std::string name;  ///< "a"
  int substations = 0, transformers = 0, ups = 0, generators = 0, pdus = 0;
  std::vector<int> pdu_rooms = {};  ///< of each PDU, in `HallFloor::rooms`; none: the hall has one
};

/// One of several rooms of racks.
struct RoomOnFloor {
  std::string name;
  int network_racks = 0;
  int crahs = 0;
};

/// A rack, in a row and on a technology loop.
struct RackOnFloor {
  std::string name;
  int row = 0;    ///< from 0
  int place = 0;  ///< in its row, from 0
  int loop = -1;  ///< in `HallFloor::loops`; -1: none
  int room = 0;   ///< in `HallFloor::rooms`
  int nodes = 8;
  int gpus_per_node = 8;
  bool has_rear_door = true;
};

struct LoopOnFloor {
  std::string name;
  int cdus = 1;
};

/// What stands in the hall and around it. What is zero is not drawn.
struct HallFloor {
  std::vector<RackOnFloor> racks = {};  ///< row by row
  std::vector<LoopOnFloor> loops = {};
  std::vector<RoomOnFloor> rooms = {};  ///< none: one, without walls
  bool has_rear_doors = true;           ///< on racks of switches
  int network_racks = 0;
  int crahs = 0;
  int chillers = 0;
  int towers = 0;  ///< cells of the cooling towers
  int sides = 0;   ///< power supplies a, b, c ... of the hall; each has what follows
  int substations_per_side = 0;
  int transformers_per_side = 0;
  int ups_per_side = 0;
  int generators_per_side = 0;
  int pdus_per_side = 0;
  std::vector<std::vector<int>> pdu_rooms_of_sides = {};  ///< as in BlockCounts
  std::vector<BlockCounts> blocks = {};  ///< power by blocks that have names of their own, instead of sides
  std::vector<PlacedPart> others = {};   ///< in the order of their results

  int block_count() const { return blocks.empty() ? sides : static_cast<int>(blocks.size()); }
  /// Block or side `number` (from 0).
  BlockCounts block(int number) const;
};

/// Boxes in the order of the components: row by row each rack, its nodes with their GPUs and its door; then
/// loop by loop pipes and CDUs; network racks; then what twin/build/floor/layout_surroundings draws. Kinds: rack, node,
/// gpu, rear_door, supply_pipe, return_pipe, cdu, network_rack, pdu, crah, room, ups, substation, transformer,
/// chiller, tower, generator, and those of other parts, kind by kind in their order: between the racks of a row, behind the walls
/// of a room, or in the yard. Rooms are drawn where there are several, as their floor. A pipe is a box too: its axis is along the
/// longest edge and ends half a diameter before it does. Doors stand in racks, pipes
/// and CDUs in their loop ("loop_1"), network racks in "network", electrical equipment in its side
/// ("side_a"). Counts below one draw nothing of theirs.
std::vector<LayoutBox> hall_layout(const HallFloor& counts);

/// Size of a box, m.
constexpr std::array<double, 3> size_of(const Box& box) { return {box.width_m, box.depth_m, box.height_m}; }

/// Letter of power supply `side` (from 0): "a".
std::string side_letter(int side);

}  // namespace wattloop::twin
