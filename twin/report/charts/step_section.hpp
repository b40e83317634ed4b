// Where the time of a training step goes: one bar for each transformer job, and a table.
#pragma once

#include <string>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// A picture in a page; empty for runs without a transformer job, or of versions that recorded none.
std::string step_bars(const ResultsReader& results);

/// The picture, the times by part and the figures of jobs in a report; empty as above.
std::string step_section(const ResultsReader& results);

/// "of the FP8 peak of the GPUs": which peak model FLOP utilisation is a share of. Empty without steps of a transformer.
std::string peak_of_utilisation(const ResultsReader& results);

}  // namespace wattloop::twin
