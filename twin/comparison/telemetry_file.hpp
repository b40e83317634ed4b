// Measurements from a CSV file, as its map says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/comparison/overlay.hpp"
#include "twin/comparison/telemetry_map.hpp"

namespace wattloop::twin {

struct Telemetry {
  std::vector<SampleSeries> series{};  ///< one for each of the map, in the map's units and simulated seconds
  std::vector<std::string> notes{};    ///< for the user: of its times
};

/// Cells that are empty, "nan", "null" or "-" are no samples. `start_iso` is the date of simulated zero. What is wrong goes to `problems`.
Telemetry read_telemetry(const std::filesystem::path& file, const TelemetryMap& map, const std::string& start_iso,
                         Problems& problems);

}  // namespace wattloop::twin
