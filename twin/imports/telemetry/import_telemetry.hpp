// Measured power of logs, as a trace.
#pragma once

#include <filesystem>
#include <vector>

#include "twin/imports/telemetry/telemetry_report.hpp"

namespace wattloop::twin {

/// Throws InputError with every mistake.
ImportedTelemetry import_telemetry(const std::vector<std::filesystem::path>& files, const TelemetryOptions& options);

}  // namespace wattloop::twin
