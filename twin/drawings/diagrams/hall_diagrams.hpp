// The one-line diagram and the cooling schematic of a run at one instant, drawn from what its results say of parts and connections.
#pragma once

#include <set>
#include <string>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

struct DiagramMoment {
  double time_s = 0.0;
  std::set<std::string, std::less<>> names_alone{};  ///< parts that have boxes of their own: what failed
};

/// Power of every part, loading of the most loaded, charge of batteries; open and failed equipment. Empty without topology.
std::string one_line_diagram(const ResultsReader& results, const DiagramMoment& moment);

/// Heat, flows and temperatures from racks to the weather. Empty without topology.
std::string cooling_schematic(const ResultsReader& results, const DiagramMoment& moment);

}  // namespace wattloop::twin
