// A run as one HTML page that needs nothing else: no network, no other file.
#pragma once

#include <string>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// The whole page. What was not recorded is said. Throws FileError.
std::string run_report(const ResultsReader& results, const std::string& file_name);

}  // namespace wattloop::twin
