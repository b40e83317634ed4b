// A whole hall from what is asked: racks, loops, doors and air handlers, waters, power, in this order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twin/sizing/asked_hall.hpp"
#include "twin/sizing/climate.hpp"
#include "twin/sizing/cooling_sizes.hpp"
#include "twin/sizing/power_sizes.hpp"

namespace wattloop::twin {

/// Set-points that a way of cooling has in a climate.
struct SetPoints {
  double facility_c = 24.0;  ///< water of CDUs and condensers
  double coolant_c = 32.0;
  double chilled_c = 20.0;  ///< water of doors and air handlers
  double room_c = 25.0, dew_point_c = 15.0, ups_room_c = 32.0;
};
SetPoints set_points(const std::string& cooling, const Climate& climate);

struct HallSizes {
  AskedHall asked;
  NodeFigures node;
  Climate climate;
  SetPoints set;
  RackSizes racks;
  std::string facility_coolant = "water";
  std::optional<LoopSizes> loops;
  std::optional<CoilFigures> door;
  double room_heat_w = 0.0;  ///< what air handlers of the hall take
  CrahSizes crahs, ups_crahs;
  double ups_room_heat_w = 0.0;
  ChillerSizes chillers;                      ///< of doors and air handlers
  std::optional<ChillerSizes> loop_chillers;  ///< of CDUs
  std::optional<RejectorSizes> towers, dry_coolers;
  int facility_duty = 1, chilled_duty = 1;
  BlockPlan plan;
  BlockSizes block;
  std::vector<std::string> notes;  ///< what was not as asked

  /// Heat that leaves by water: that of CDUs and condensers.
  /// Whether chillers give their heat to outdoor air, not to facility water.
  bool are_chillers_in_air() const;
  double rejected_w() const;
};

/// Ways of cooling that a node can have, the usual one first.
std::vector<AskedChoice> fitting_coolings(const NodeFigures& node);
std::string usual_cooling(const NodeFigures& node);

/// Throws InputError where what is asked does not go together, with the nearest that does.
HallSizes size_hall(const AskedHall& asked, const NodeFigures& node, const Climate& climate,
                    const LibraryFigures& library);

}  // namespace wattloop::twin
