// Generators that stand whatever happens, because the scenario does not let them start.
#pragma once

#include <set>
#include <string>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// By name, of those that stand in the hall; empty where results keep no scenario.
std::set<std::string, std::less<>> disabled_generators(const ResultsReader& results);

}  // namespace wattloop::twin
