// An imported trace as a file that a replay reads.
#pragma once

#include <filesystem>
#include <string_view>

#include "twin/imports/telemetry/telemetry_report.hpp"

namespace wattloop::twin {

/// The first line of every trace that is written.
inline constexpr std::string_view imported_trace_head = "# power trace, written by wattloop import telemetry\n";

/// Sums of the rows that are written, W.
struct TraceSums {
  double least_w = 0.0, mean_w = 0.0, most_w = 0.0, deviation_w = 0.0;
};

/// The file appears whole or not at all. Throws FileError.
TraceSums write_trace(const ImportedTelemetry& imported, const std::filesystem::path& output);

}  // namespace wattloop::twin
