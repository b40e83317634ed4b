// Halls of racks alike in rows alike, by counts, for tests of layout and views.
#pragma once

#include <string>
#include <vector>

#include "twin/build/floor/layout.hpp"

namespace wattloop::twin {

/// Racks fill the rows one after the other, loops take racks in the same order. What is zero is not drawn.
struct HallCounts {
  int rows = 1;
  int racks = 1;  ///< in all rows together
  int nodes_per_rack = 8;
  int gpus_per_node = 8;
  int loops = 1;
  int cdus_per_loop = 1;
  bool has_rear_doors = true;
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
  std::vector<PlacedPart> others = {};
};

HallFloor floor_of(const HallCounts& counts);

inline std::vector<LayoutBox> hall_layout(const HallCounts& counts) { return hall_layout(floor_of(counts)); }

/// Name of rack `index` (from 0) of the hall: "row_2.rack_3".
std::string rack_name(const HallCounts& counts, int index);

}  // namespace wattloop::twin
