// In which rooms of a hall the PDUs of a block of power stand: a PDU feeds racks of its own room, so that rooms share those of a
// block. Tested by hand in tests/unit/scenario/rooms.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wattloop::twin {

/// Room of each of so many PDUs, in their order: rooms share them by what the racks there that hang on the block may draw,
/// rounded to the largest remainders, at least one for each room that has any while there are enough. `rated_w`: [room]; where no
/// room has any, all stand in the first.
std::vector<std::size_t> rooms_of_pdus(std::size_t pdus, std::span<const double> rated_w);

/// Numbers of those that stand in that room.
std::vector<std::size_t> pdus_in_room(std::span<const std::size_t> rooms_of_pdus, std::size_t room);

}  // namespace wattloop::twin
