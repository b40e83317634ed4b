// Mean power of a run from the feed through its uses to the outdoors, computed from the energies of its summary.
#pragma once

#include "twin/drawings/charts/sankey.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// In W. Without flows where the summary has no energies.
Sankey power_sankey(const ResultsReader& results);

}  // namespace wattloop::twin
