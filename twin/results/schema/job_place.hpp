// Where a job of a queue had nodes: a row of the group `placements`.
#pragma once

#include <cstdint>
#include <limits>

namespace wattloop::twin {

/// Nodes of one rack that a job had from one instant to another.
struct JobPlace {
  std::int64_t job = 0;   ///< row of the jobs of a queue, from 0
  std::int64_t rack = 0;  ///< place among the racks of nodes, from 0
  std::int64_t nodes = 0;
  double begin_s = 0.0;
  double end_s =
      std::numeric_limits<double>::quiet_NaN();  ///< not a number where the job has them at the end of the run

  bool is_at(double time_s) const { return begin_s <= time_s && !(end_s <= time_s); }
};

}  // namespace wattloop::twin
