// How the watts of a node at its AC inlet divide into GPUs and the rest, and the reverse.
//
//   P_gpu  = (P_node - base) / overhead / count, clamped to idle ... limit; what is left is the rest's
//   P_node = base + overhead * sum(P_gpu)
//
// A node that draws less than its idle GPUs would is off or starting: its GPUs then share what there is, so
// that the rest of the node never gets negative power. Fans and power-supply loss are part of P_node, never
// added to it.
//
// An estimate: node power taken as affine in that of its GPUs; the hardware file says whence its two numbers
// come. Verified in tests/unit/plant/node_split.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "core/parts/field.hpp"

namespace wattloop::workload {

/// Split of a node's power into its parts.
struct NodeSplitParams {
  double base_w = required;
  double overhead_ratio = required;
  double gpu_idle_w = required;
  double gpu_limit_w = required;

  static constexpr auto fields() {
    using P = NodeSplitParams;
    return std::array{
        Field<P>{&P::base_w, "base_power", "W", Range::non_negative,
                 "Node power that is independent of the GPUs: CPUs, memory, drives, board."},
        Field<P>{&P::overhead_ratio, "overhead", "1", Range::positive,
                 "Further node power for each watt of its GPUs: conversion, fabric adapters, memory traffic."},
        Field<P>{&P::gpu_idle_w, "gpu_idle_power", "W", Range::non_negative, "Power of an idle GPU."},
        Field<P>{&P::gpu_limit_w, "gpu_power_limit", "W", Range::positive, "Power limit of a GPU."},
    };
  }
};

/// Power of each of `gpu_count` GPUs in a node that draws `node_ac_w`.
inline double gpu_from_node_w(const NodeSplitParams& p, double node_ac_w, int gpu_count) noexcept {
  const double asked_w = (node_ac_w - p.base_w) / p.overhead_ratio / gpu_count;
  const double available_w = std::max(node_ac_w, 0.0) / gpu_count;
  return std::min(std::min(std::max(asked_w, p.gpu_idle_w), p.gpu_limit_w), available_w);
}

/// Power at the AC inlet of a node whose GPUs draw `gpu_sum_w` together.
inline double node_from_gpus_w(const NodeSplitParams& p, double gpu_sum_w) noexcept {
  return p.base_w + p.overhead_ratio * gpu_sum_w;
}

}  // namespace wattloop::workload
