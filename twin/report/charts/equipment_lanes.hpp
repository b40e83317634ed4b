// What equipment did over a run, from the states that its results hold.
#pragma once

#include <string>
#include <vector>

#include "twin/drawings/charts/swim_lanes.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// A lane for all equipment that changed its state in the same way: motors, breakers and stand-by sets, batteries, economisers, and GPUs as a
/// whole. What did the same all the time has none. At most `most`, those that change first.
std::vector<Lane> equipment_lanes(const ResultsReader& results, std::size_t most = 28);

/// The same as SVG over the whole run; empty where nothing changed.
std::string equipment_lanes_picture(const ResultsReader& results);

}  // namespace wattloop::twin
