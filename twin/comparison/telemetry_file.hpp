// Measurements from a CSV file, as its map says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/problem.hpp"
#include "twin/comparison/overlay.hpp"
#include "twin/comparison/telemetry_map.hpp"

namespace wattloop::twin {

/// One series for each of the map, in the map's units and simulated seconds; cells that are empty, "nan", "null" or "-" are no samples.
/// `start_iso` is the date of simulated zero. What is wrong goes to `problems`.
std::vector<SampleSeries> read_telemetry(const std::filesystem::path& file, const TelemetryMap& map,
                                         const std::string& start_iso, Problems& problems);

}  // namespace wattloop::twin
