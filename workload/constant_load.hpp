// Constant load: every node draws the same watts at its AC inlet all the time.
//
// GPUs and the rest of a node share them as in a replay of node power (workload/nodes/node_split.hpp). Verified in
// tests/verification/work/constant_load.cpp. Documented in docs/models/constant_load.md.
#pragma once

#include <memory>

#include "workload/work/parameters.hpp"
#include "workload/work/workload_kind.hpp"

namespace wattloop::workload {

std::unique_ptr<Workload> make_constant_load(double node_ac_w, const NodeSet& nodes);

/// A problem for more than the nameplate power of a node, a warning for less than its idle GPUs draw.
MadeWork make_work(const ConstantParams& params, const WorkRequest& request, Problems& problems);
static_assert(WorkloadKind<ConstantParams>);

}  // namespace wattloop::workload
