// How the watts of a node at its AC inlet divide into GPUs and the rest.
//
//   P_gpu = (P_node - base) / overhead / gpu_count, clamped to idle ... limit;  the remainder goes to the rest of the node
//
// Source: DESIGN 4; S21, S22. Verified in tests/unit/node_split.cpp.
#pragma once

#include <array>
#include <string>

#include "core/field.hpp"

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
                 "Node power that does not follow the GPUs: CPUs, memory, drives, board."},
        Field<P>{&P::overhead_ratio, "overhead", "1", Range::positive,
                 "Watts of the node per watt of its GPUs: conversion, fabric adapters, memory traffic."},
        Field<P>{&P::gpu_idle_w, "gpu_idle_power", "W", Range::non_negative,
                 "Power of a GPU without work."},
        Field<P>{&P::gpu_limit_w, "gpu_power_limit", "W", Range::positive,
                 "Power limit of a GPU."},
    };
  }
};

}  // namespace wattloop::workload
