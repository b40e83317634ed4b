// Jobs that users submit to a cluster: what each asks for. Immutable in a run.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace wattloop::workload {

/// What a user submits.
struct JobRequest {
  std::string name = {};
  double submit_s = 0.0;                                          ///< of the run; below zero: before it
  std::size_t nodes = 1;                                          ///< whole ones
  double run_time_s = std::numeric_limits<double>::infinity();    ///< at full clock, without stops; infinity: endless
  double time_limit_s = std::numeric_limits<double>::infinity();  ///< from its start, whatever slows or stops it
  int priority = 0;                                               ///< higher first
  bool is_preemptable = false;   ///< by a job of higher priority that could not start otherwise
  std::size_t program = 0;       ///< what it does: number of its program
  double node_power_w = 0.0;     ///< that a node of it is expected to draw: counts against budgets
  std::size_t least_nodes = 0;   ///< of an elastic job in a run without a hall, with which it goes on; 0: it needs all
  std::string reservation = {};  ///< that it may use; empty: none
};

/// It has its nodes for good: neither its work nor a time limit ends it.
inline bool is_endless(const JobRequest& job) {
  constexpr double never = std::numeric_limits<double>::infinity();
  return job.run_time_s == never && job.time_limit_s == never;
}

/// Sorted by `submit_s`, equal ones in the order in which they are written.
using JobList = std::vector<JobRequest>;

}  // namespace wattloop::workload
