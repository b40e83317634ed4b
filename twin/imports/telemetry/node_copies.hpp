// Many nodes from a few that were measured: copies, each moved in time and with a level of its own.
//
//   P_i(t) = level_i P_source(i)(t - shift_i)          source(i) = i modulo the measured nodes; the trace is a circle
//
// shift: uniform from 0 to the jitter, in whole rows, so that each copy keeps its spectrum to the bit. level: 1 + spread z, z standard normal within
// +-3. Copies of one node with a standard deviation s have in sum N s without jitter, and s sqrt(N) where the jitter is the whole trace. Random numbers
// by counter [salmon2011]: node i of a seed is the same whatever their number is. All GPUs of a node move together.
// Verified in tests/verification/work/imported_copies.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/imports/telemetry/trace_rows.hpp"

namespace wattloop::twin {

struct CopyOptions {
  std::size_t nodes = 0;
  double jitter_s = 0.0;
  double spread_ratio = 0.0;  ///< standard deviation of levels
  std::uint64_t seed = 1;
};

struct NodeCopy {
  std::size_t source = 0;  ///< index into `TraceRows::nodes`
  std::size_t shift_rows = 0;
  double level_ratio = 1.0;
};

/// A jitter below one interval is a problem: no copy would move.
std::vector<NodeCopy> copies_of(const TraceRows& trace, const CopyOptions& options, Problems& problems);

/// Power of a column of the measured trace in a row of a copy; not a number where it is missing.
inline double copied_power_w(const TraceRows& trace, const NodeCopy& copy, std::size_t row, std::size_t column) {
  const std::size_t rows = trace.rows(),
                    from = row >= copy.shift_rows ? row - copy.shift_rows : row + rows - copy.shift_rows;
  return copy.level_ratio * trace.power_w[from * trace.columns() + column];
}

}  // namespace wattloop::twin
