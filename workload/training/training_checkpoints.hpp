// What the saves of a training job cost, from its model and its storage: how long GPUs wait, how long the write goes on, when the next save is due,
// and what a restart reads.
//
// Verified in tests/verification/work/checkpoints.cpp. Documented in docs/models/checkpoints.md.
#pragma once

#include <string>
#include <vector>

#include "workload/work/parameters.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::workload {

struct CheckpointPlan {
  double bytes_b = 0.0;
  double ranks = 1.0, nodes = 1.0;  ///< that save
  double write_s = 0.0, read_s = 0.0;
  bool is_write_limited_by_nodes = false, is_read_limited_by_nodes = false;
  double stop_s = 0.0;        ///< of GPUs, for one save
  double background_s = 0.0;  ///< for which the write goes on after that
  double interval_s = 0.0;    ///< asked for, from the begin of a save to the begin of the next
  double mean_time_s = 0.0;   ///< between failures of the job; infinity: none
};

/// Of a job that has `checkpoint` and `storage`.
CheckpointPlan checkpoint_plan(const TrainingParams& params, const NodeSet& nodes);

/// Parameters of the schedule that follow from the plan; others as they are. Without `checkpoint` the same.
TrainingParams with_checkpoints(TrainingParams params, const NodeSet& nodes);

/// What parameters of checkpoints contradict each other, each beginning with a key; empty: nothing.
std::vector<std::string> checkpoint_mistakes(const TrainingParams& params, const NodeSet& nodes);

/// Size, times and interval for people, and what decides them. Of a job `with_checkpoints`.
std::string checkpoint_note(const TrainingParams& params, const NodeSet& nodes);

}  // namespace wattloop::workload
