// What an import of measured power reports, and the trace that it writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/imports/telemetry/node_copies.hpp"
#include "twin/imports/telemetry/power_log.hpp"
#include "twin/imports/telemetry/trace_rows.hpp"
#include "twin/imports/telemetry/trace_series.hpp"

namespace wattloop::twin {

/// The first line of every trace that is written.
inline constexpr std::string_view imported_trace_head = "# power trace, written by wattloop import telemetry\n";

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

/// Throws InputError with every mistake.
ImportedTelemetry import_telemetry(const std::vector<std::filesystem::path>& files, const TelemetryOptions& options);

/// Sums of the rows that are written, W.
struct TraceSums {
  double least_w = 0.0, mean_w = 0.0, most_w = 0.0, deviation_w = 0.0;
};

/// The file appears whole or not at all. Throws FileError.
TraceSums write_trace(const ImportedTelemetry& imported, const std::filesystem::path& output);

/// Lines for people.
std::vector<std::string> telemetry_text(const ImportedTelemetry& imported, const TraceSums& sums,
                                        const std::filesystem::path& output);
/// The same for programs.
std::string telemetry_json(const ImportedTelemetry& imported, const TraceSums& sums,
                           const std::filesystem::path& output);

}  // namespace wattloop::twin
