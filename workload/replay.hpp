// Replay: measured power, row by row, on as many nodes as the hall has.
//
// The run starts at the trace's first stamp. Node i (GPU i for `meaning: gpu`) follows column i modulo columns. Trace
// time never stretches. Watts of a node at its AC inlet are taken as they are; DC watts go through the power supply
// first; the watts of GPUs add up to a node by its split.
//
// Verified in tests/verification/gpt3_trace.cpp and tests/properties/workload.cpp. Documented in docs/models/replay.md.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "workload/power_trace.hpp"
#include "workload/workload.hpp"

namespace wattloop::workload {

/// Power at the AC inlet of one node from the power behind its power supplies.
using AcFromDc = std::function<double(double dc_w)>;

/// `ac_from_dc_w` is called while building only, and only for `meaning: node_dc`, where it must be given.
std::unique_ptr<Workload> make_replay(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes,
                                      const AcFromDc& ac_from_dc_w = {});

/// Lines for the user: what was read, holes, how columns map to nodes, what happens after the end of the trace.
std::vector<std::string> describe_replay(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes,
                                         double duration_s);

}  // namespace wattloop::workload
