// Which column of a trace a node, a GPU or a rack follows, and what it makes of the watts there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "workload/replay/power_trace.hpp"
#include "workload/replay/spread.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::workload {

/// Units that follow columns: nodes, GPUs for `meaning: gpu`, racks for `meaning: rack`.
inline Followers followers_of(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes) {
  const auto per_node = static_cast<std::size_t>(params.meaning == "gpu" ? nodes.gpus_per_node : 1);
  const auto nodes_together = static_cast<std::size_t>(params.meaning == "rack" ? nodes.nodes_per_rack : 1);
  return {static_cast<std::size_t>(nodes.nodes) * per_node / nodes_together, per_node, trace.columns()};
}

class FollowedColumns {
 public:
  FollowedColumns(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes)
      : nodes_(nodes),
        is_gpu_trace_(params.meaning == "gpu"),
        is_rack_trace_(params.meaning == "rack"),
        columns_(trace.columns()) {}

  std::size_t columns() const { return columns_; }
  const NodeSet& nodes() const { return nodes_; }

  /// Power of a GPU that follows watts of a column.
  double gpu_w(double column_w) const {
    if (is_gpu_trace_) return column_w;
    const double shared_by = is_rack_trace_ ? nodes_.nodes_per_rack : 1.0;
    return gpu_from_node_w(nodes_.split, column_w / shared_by, nodes_.gpus_per_node);
  }

  /// The column of a GPU of a node.
  std::size_t column_of(std::size_t node, std::size_t gpu) const {
    const auto gpus = static_cast<std::size_t>(nodes_.gpus_per_node);
    const std::size_t follower = is_gpu_trace_    ? node * gpus + gpu
                                 : is_rack_trace_ ? node / static_cast<std::size_t>(nodes_.nodes_per_rack)
                                                  : node;
    return follower % columns_;
  }

  /// Gives nodes, or GPUs, what `watts(column, follower)` says of the columns that they follow.
  template <class Watts>
  void follow(NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w, const Watts& watts) const {
    if (is_rack_trace_) return follow_racks(nodes, gpu_w, node_ac_w, watts);
    const auto gpus = static_cast<std::size_t>(nodes_.gpus_per_node);
    std::size_t follower = is_gpu_trace_ ? nodes.first * gpus : nodes.first;
    std::size_t column = follower % columns_;
    const auto next_w = [&] {
      const double w = watts(column, follower++);
      if (++column == columns_) column = 0;
      return w;
    };
    for (std::size_t node = 0; node < nodes.count; ++node) {
      const std::span<double> of_node_w = gpu_w.subspan(node * gpus, gpus);
      if (is_gpu_trace_) {
        double sum_w = 0.0;
        for (double& w : of_node_w) sum_w += w = next_w();
        node_ac_w[node] = node_from_gpus_w(nodes_.split, sum_w);
      } else {
        node_ac_w[node] = next_w();
        std::ranges::fill(of_node_w, gpu_from_node_w(nodes_.split, node_ac_w[node], nodes_.gpus_per_node));
      }
    }
  }

  /// Nodes whose GPUs are idle.
  void rest(std::span<double> gpu_w, std::span<double> node_ac_w) const {
    const double idle_w = nodes_.split.gpu_idle_w;
    std::ranges::fill(gpu_w, idle_w);
    std::ranges::fill(node_ac_w, node_from_gpus_w(nodes_.split, idle_w * nodes_.gpus_per_node));
  }

 private:
  /// The nodes of a rack share its power alike.
  template <class Watts>
  void follow_racks(NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w, const Watts& watts) const {
    const auto gpus = static_cast<std::size_t>(nodes_.gpus_per_node);
    const auto nodes_per_rack = static_cast<std::size_t>(nodes_.nodes_per_rack);
    for (std::size_t node = 0; node < nodes.count; ++node) {
      const std::size_t rack = (nodes.first + node) / nodes_per_rack;
      node_ac_w[node] = watts(rack % columns_, rack) / static_cast<double>(nodes_per_rack);
      std::ranges::fill(gpu_w.subspan(node * gpus, gpus),
                        gpu_from_node_w(nodes_.split, node_ac_w[node], nodes_.gpus_per_node));
    }
  }

  NodeSet nodes_;
  bool is_gpu_trace_, is_rack_trace_;
  std::size_t columns_;
};

}  // namespace wattloop::workload
