// Which job has which node, where jobs come and go. A value: part of the state of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workload/work/job_clock.hpp"

namespace wattloop::workload {

/// Jobs that have nodes are numbered by slots, which are used again.
struct Placement {
  static constexpr std::uint32_t free_node = 0;

  /// [node] number of the slot of its job and 1 more, or `free_node`; empty: jobs have fixed nodes, there is no queue.
  std::vector<std::uint32_t> slot_of_node = {};
  std::vector<std::uint32_t> program_of_slot = {};  ///< [slot]

  bool is_fixed() const { return slot_of_node.empty(); }
};

/// Jobs as they stand at an instant.
struct JobsNow {
  std::span<const JobClock> clocks =
      {};                            ///< [job], or where jobs come and go [slot]; none: as at the begin, at full clock
  const Placement* where = nullptr;  ///< null: jobs have fixed nodes
};

}  // namespace wattloop::workload
