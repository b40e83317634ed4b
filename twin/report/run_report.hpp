// A run as one HTML page that needs nothing else: no network, no other file.
#pragma once

#include <string>

#include "twin/results/results_reader.hpp"

namespace wattloop::twin {

/// How a report begins, to tell it from files of somebody else.
inline constexpr const char* report_head = "<!DOCTYPE html>\n<!-- Wattloop report -->";

/// The whole page. What was not recorded is said. Throws FileError.
std::string run_report(const ResultsReader& results, const std::string& file_name);

}  // namespace wattloop::twin
