// All figures of a run's end: of the summary, of what the work lost, of the work, and the verdict. One list for commands and studies.
#pragma once

#include <vector>

#include "twin/planning/work/work.hpp"
#include "twin/run/figures/losses.hpp"
#include "twin/run/figures/summary.hpp"

namespace wattloop::twin {

std::vector<NamedValue> all_figures(const FinishedRun& run, const Losses& losses, const Work& work);

}  // namespace wattloop::twin
