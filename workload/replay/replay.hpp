// Replay: measured power, row by row, on as many nodes as the hall has.
//
// The run starts at the trace's first stamp, of dates at its own. Node i (GPU i for `meaning: gpu`, all nodes of rack i for
// `meaning: rack`) follows column i modulo
// columns, late by a delay of its own if it is spread (workload/replay/spread.hpp). Trace time never stretches.
// Watts of a node at its AC inlet are taken as they are; DC watts go through the power supply first; the
// watts of GPUs add up to a node by its split.
//
// Verified in tests/verification/work/gpt3_trace.cpp and tests/properties/workload.cpp. Documented in
// docs/models/replay.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workload/replay/power_trace.hpp"
#include "workload/work/workload_kind.hpp"

namespace wattloop::workload {

/// What a replay takes from its surroundings.
struct ReplaySetting {
  AcFromDc ac_from_dc_w = {};  ///< for `meaning: node_dc` without a ratio of its own; called while building only
  std::uint64_t seed = 1;      ///< of the delays of a spread
};

std::unique_ptr<Workload> make_replay(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes,
                                      const ReplaySetting& setting = {});

/// Watts at the inlets of nodes for each sample of a trace, [row * columns + column]; those of GPUs stay as they are.
std::vector<double> inlet_power_w(const PowerTrace& trace, const ReplayParams& params, const AcFromDc& ac_from_dc_w);

/// What a run says that sees fewer than two rows of its trace, as where milliseconds are read as seconds; else empty.
std::string few_rows_warning(const PowerTrace& trace, const ReplayParams& params, double duration_s);

/// How many columns of the trace are used.
std::size_t columns_used(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes);

/// Lines for the user: what was read, holes in the columns that are used, how columns map to nodes, what
/// happens after the end of the trace.
std::vector<std::string> describe_replay(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes,
                                         double duration_s);

/// Reads the trace. A run stops for what is wrong with it.
MadeWork make_work(const ReplayParams& params, const WorkRequest& request, Problems& problems);
static_assert(WorkloadKind<ReplayParams>);

}  // namespace wattloop::workload
