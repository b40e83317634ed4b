// Constant load: every node draws the same watts at its AC inlet all the time.
//
// GPUs and the rest of a node share them as in a replay of node power (workload/node_split.hpp). Verified in
// tests/verification/work/constant_load.cpp. Documented in docs/models/constant_load.md.
#pragma once

#include <memory>

#include "workload/workload.hpp"

namespace wattloop::workload {

std::unique_ptr<Workload> make_constant_load(double node_ac_w, const NodeSet& nodes);

}  // namespace wattloop::workload
