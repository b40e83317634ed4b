// What an import of measured power has found.
#pragma once

#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/imports/telemetry/node_copies.hpp"
#include "twin/imports/telemetry/node_lags.hpp"
#include "twin/imports/telemetry/power_log.hpp"
#include "twin/imports/telemetry/trace_rows.hpp"
#include "twin/imports/telemetry/trace_series.hpp"

namespace wattloop::twin {

struct TelemetryOptions {
  LogRequest log{};
  SeriesOptions series{};
  CopyOptions copies{};  ///< of no nodes: the trace as measured
};

struct ImportedTelemetry {
  PowerLog log{};
  SeriesFacts facts{};
  TraceRows trace{};
  std::vector<NodeCopy> copies{};
  CopyOptions asked{};
  SeriesOptions options{};
  std::string boundary{};  ///< gpu, board, node_ac, node_dc
  std::vector<NodeLag> lags{};

  /// As a replay calls the boundary.
  std::string meaning() const { return boundary == "board" ? "gpu" : boundary; }
};

}  // namespace wattloop::twin
