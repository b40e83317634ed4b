#include "tests/support/halls/regular_hall.hpp"

#include <fmt/format.h>

namespace wattloop::twin {

std::string rack_name(const HallCounts& counts, int index) {
  const int per_row = (counts.racks + counts.rows - 1) / counts.rows;
  return fmt::format("row_{}.rack_{}", index / per_row + 1, index % per_row + 1);
}

HallFloor floor_of(const HallCounts& counts) {
  HallFloor floor;
  floor.has_rear_doors = counts.has_rear_doors;
  floor.network_racks = counts.network_racks;
  floor.crahs = counts.crahs;
  floor.chillers = counts.chillers;
  floor.towers = counts.towers;
  floor.sides = counts.sides;
  floor.substations_per_side = counts.substations_per_side;
  floor.transformers_per_side = counts.transformers_per_side;
  floor.ups_per_side = counts.ups_per_side;
  floor.generators_per_side = counts.generators_per_side;
  floor.pdus_per_side = counts.pdus_per_side;
  floor.others = counts.others;
  if (counts.rows < 1 || counts.racks < 1) return floor;
  for (int loop = 1; loop <= counts.loops; ++loop)
    floor.loops.push_back({fmt::format("loop_{}", loop), counts.cdus_per_loop});
  const int per_row = (counts.racks + counts.rows - 1) / counts.rows;
  for (int index = 0; index < counts.racks; ++index) {
    floor.racks.push_back({.name = rack_name(counts, index),
                           .row = index / per_row,
                           .place = index % per_row,
                           .loop = static_cast<int>(static_cast<long long>(index) * counts.loops / counts.racks),
                           .nodes = counts.nodes_per_rack,
                           .gpus_per_node = counts.gpus_per_node,
                           .has_rear_door = counts.has_rear_doors});
  }
  return floor;
}

}  // namespace wattloop::twin
