// Work as the step loop sees it: power asked for, sample by sample.
#pragma once

#include <span>

#include "workload/node_split.hpp"

namespace wattloop::workload {

/// The nodes that do the work; all alike.
struct NodeSet {
  int nodes = 1;
  int gpus_per_node = 8;
  NodeSplitParams split;
};

/// Power asked for by the work. Immutable: `sample` is a pure function of time, safe to call from any thread, and
/// allocates nothing.
class Workload {
 public:
  virtual ~Workload() = default;

  /// First sample boundary after `t_s`; infinity where nothing changes any more.
  virtual double next_change_s(double t_s) const = 0;

  /// Mean power over the sample that holds at `t_s`; a boundary belongs to the later sample.
  /// gpu_w [node * gpus_per_node + gpu]; node_ac_w [node], at the AC inlet, GPUs included.
  virtual void sample(double t_s, std::span<double> gpu_w, std::span<double> node_ac_w) const = 0;
};

}  // namespace wattloop::workload
