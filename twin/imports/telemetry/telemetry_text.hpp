// What an import of measured power reports, for people and for programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/imports/telemetry/telemetry_report.hpp"
#include "twin/imports/telemetry/trace_file.hpp"

namespace wattloop::twin {

/// Lines for people.
std::vector<std::string> telemetry_text(const ImportedTelemetry& imported, const TraceSums& sums,
                                        const std::filesystem::path& output);
/// The same for programs.
std::string telemetry_json(const ImportedTelemetry& imported, const TraceSums& sums,
                           const std::filesystem::path& output);

}  // namespace wattloop::twin
