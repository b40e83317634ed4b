// Work of a hall whose jobs come and go: each node does the program of its job, at the clock of this job, or is idle.
#pragma once

#include <memory>
#include <vector>

#include "workload/queue/job_queue.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::workload {

/// Nodes that are alike, and what they do of each program.
struct ProgramsOfNodes {
  std::size_t nodes = 0;
  NodeSplitParams split = {};
  std::vector<std::unique_ptr<Workload>> programs = {};  ///< [program]
};

/// A range of nodes must lie in one group. `queue`: its `programs` are filled here.
/// contents [program]: where they differ, the hall was built for watts that contain nothing.
std::unique_ptr<Workload> make_queued_work(std::vector<ProgramsOfNodes> groups, JobQueue queue,
                                           std::vector<WattsContain> contents);

}  // namespace wattloop::workload
