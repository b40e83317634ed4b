// Work as the step loop sees it: power asked for, sample by sample.
#pragma once

#include <cstddef>
#include <span>

#include "workload/node_split.hpp"

namespace wattloop::workload {

/// The nodes that do the work; all alike.
struct NodeSet {
  int nodes = 1;
  int gpus_per_node = 8;
  NodeSplitParams split;
};

/// Nodes from `first` on.
struct NodeRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Ranges of so many nodes, beginning at a multiple of it, are cheap for every kind of work.
inline constexpr std::size_t nodes_asked_together = 128;

/// Power asked for by the work. Immutable: `sample` is a pure function of time, safe to call from any thread,
/// and allocates nothing.
class Workload {
 public:
  virtual ~Workload() = default;

  /// First sample boundary after `t_s`; infinity where nothing changes any more.
  virtual double next_change_s(double t_s) const = 0;

  /// Mean power of `nodes` over the sample that holds at `t_s`; a boundary belongs to the later sample. The
  /// same to the bit, whatever range a node is asked for in.
  /// gpu_w [node of the range * gpus_per_node + gpu]; node_ac_w [node of the range], at the AC inlet, GPUs
  /// included.
  virtual void sample(double t_s, NodeRange nodes, std::span<double> gpu_w,
                      std::span<double> node_ac_w) const = 0;

  /// Ranges that begin and end at multiples of this many nodes are the cheapest.
  virtual std::size_t nodes_at_once() const { return 1; }

  /// The same for all nodes, or the first ones that `node_ac_w` has room for.
  void sample_all(double t_s, std::span<double> gpu_w, std::span<double> node_ac_w) const {
    sample(t_s, {0, node_ac_w.size()}, gpu_w, node_ac_w);
  }
};

}  // namespace wattloop::workload
