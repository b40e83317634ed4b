// How far nodes of a trace are behind the others.
#pragma once

#include <string>
#include <vector>

#include "twin/imports/telemetry/trace_rows.hpp"

namespace wattloop::twin {

/// How far nodes are behind the others, by the lag at which their power is most alike.
struct NodeLag {
  std::string node;
  double lag_s;
  double correlation, correlation_now;
};
std::vector<NodeLag> node_lags(const TraceRows& trace);

}  // namespace wattloop::twin
