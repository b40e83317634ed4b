// Which racks stand in which row and hang on which technology loop, by names: a pure function of a scenario, before anything of
// a plant is built.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

struct PlannedRow {
  std::string name;       ///< "row_1"
  std::size_t group = 0;  ///< of racks, in Scenario::racks
  std::size_t racks = 0;
  std::size_t room = 0;  ///< in CoolingSpec::rooms
};

struct PlannedLoop {
  std::string name;      ///< "loop_1", or by the name of its sort
  std::size_t spec = 0;  ///< in CoolingSpec::loops
};

struct PlannedRack {
  std::string name;  ///< "row_1.rack_1"
  std::size_t group = 0;
  std::size_t row = 0;
  std::optional<std::size_t> loop = {};   ///< none: no coolant comes to it
  std::optional<std::size_t> doors = {};  ///< in CoolingSpec::doors; none: it has no door
  bool is_clogged = false;       ///< by an event: it then has a branch of its own, others of its group flow as one
  bool is_door_clogged = false;  ///< the same of the coil of its door
  double flow_ratio = 1.0;       ///< of its coolant over the mean of its kind on its loop, while clean
};

/// What of a rack clogs: "row_1.rack_1.coolant"; of its door: "row_1.rack_1.door.water".
std::string coolant_passage(const std::string& rack);
std::string door_passage(const std::string& rack);

struct RackPlan {
  std::vector<PlannedRow> rows;
  std::vector<PlannedRow> network_rows;     ///< of racks of switches, one in each room that has any
  std::vector<PlannedRow> storage_rows;     ///< of racks of storage: one, or none
  std::vector<bool> clogged_network_doors;  ///< [rack of switches]
  std::vector<PlannedLoop> loops;
  std::vector<PlannedRack> racks;  ///< row by row

  /// Rows whose racks hang on that loop, the first where none does: its CDUs stand at them in turn.
  std::vector<std::size_t> rows_of(std::size_t loop) const;
};

/// Groups stand in rows one after the other; loops of one sort share the racks of a group evenly, in their order. Of a scenario that
/// was read without problems.
RackPlan plan_racks(const Scenario& scenario);

/// Names of the racks, and of the doors of racks, that events of a scenario clog.
std::vector<std::string> clogged_racks(const Scenario& scenario);

}  // namespace wattloop::twin
