// Which racks stand in which row and hang on which technology loop, by names: a pure function of a scenario, before anything of
// a plant is built.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

struct PlannedRow {
  std::string name;       ///< "row_1"
  std::size_t group = 0;  ///< of racks, in Scenario::racks
  std::size_t racks = 0;
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
  bool is_clogged = false;  ///< by an event: it then has a branch of its own, others of its group flow as one
};

/// What of a rack clogs: "row_1.rack_1.coolant".
std::string coolant_passage(const std::string& rack);

struct RackPlan {
  std::vector<PlannedRow> rows;
  std::vector<PlannedLoop> loops;
  std::vector<PlannedRack> racks;  ///< row by row
};

/// Groups stand in rows one after the other; loops of one sort share the racks of a group evenly, in their order. Of a scenario that
/// was read without problems.
RackPlan plan_racks(const Scenario& scenario);

/// Names of the racks that events of a scenario clog.
std::vector<std::string> clogged_racks(const Scenario& scenario);

}  // namespace wattloop::twin
