// All files of one import, read into one log.
#pragma once

#include <filesystem>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/imports/telemetry/power_log.hpp"

namespace wattloop::twin {

/// Whatever is wrong with a file goes into `problems`; the log returned is then of no use.
PowerLog read_power_logs(const std::vector<std::filesystem::path>& files, const LogRequest& request,
                         Problems& problems);

/// Means of power between readings of energy counters, J. Resets leave a hole; a counter that was read twice before it was renewed counts once.
std::vector<PowerSeries> means_of_counters(const std::vector<PowerSeries>& counters, PowerLog& log);

}  // namespace wattloop::twin
