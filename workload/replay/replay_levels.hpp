// Whether the watts of a trace fit the nodes that replay it: samples that ask more of GPUs than their limit, and traces, or
// single columns, whose mean or whose peaks no node can draw, as where kW were read as W.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "workload/replay/power_trace.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::workload {

struct ReplayLevels {
  double clamped_sample_share = 0.0;  ///< of the samples used, those that ask more of the GPUs than their limit
  std::vector<std::string> notes;     ///< for the user
  std::vector<std::string> warnings;  ///< the same, of what can hardly be meant
};

/// `inlet_w` [row * columns + column]: watts at the inlets of nodes, or of GPUs as measured; of the first `columns` columns.
ReplayLevels replay_levels(const PowerTrace& trace, std::span<const double> inlet_w, std::size_t columns,
                           const ReplayParams& params, const NodeSet& nodes);

}  // namespace wattloop::workload
