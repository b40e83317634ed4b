// Switches that were opened and stay so, from the log of events: the state of a switch says that it is open, not why.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// By name "tripped" or "open": what the last event of it was until then. What merely rests, or never closed, is not among them.
std::map<std::string, std::string, std::less<>> openings_at(const ResultsReader& results, double time_s);

}  // namespace wattloop::twin
