// The summary of a run as it was printed, kept in its results file: who prints it again needs neither plant nor run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/units/units.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/figures/summary.hpp"

namespace wattloop::twin {

/// `summary_text` in both styles of units, for the provenance: it reports how long the run took.
std::vector<NamedValue> printed_summaries(const FinishedRun& run);

/// What `summary_text` said at the end of the run of a results file; nothing in files from before it was kept.
std::optional<std::string> printed_summary(const ResultsReader& results, UnitStyle style);

}  // namespace wattloop::twin
