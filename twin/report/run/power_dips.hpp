// Dips of IT power in a run in which nothing happened: what they are, from its records.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Records in which power is below a share of what it usually is, without a gap.
struct PowerDip {
  double begin_s = 0.0, end_s = 0.0;  ///< of the first such record and of the first one behind them
  double least_w = 0.0;
};

/// Those that begin and end within the records.
std::vector<PowerDip> power_dips(std::span<const double> times_s, std::span<const float> power_w);

/// " IT power falls to 4.6 MW for 16 s, at 14 min 59 s: jobs save their checkpoints." Empty without dips. The cause is named where the time for
/// checkpoints that the summary has is that of the dips.
std::string power_dips_words(const ResultsReader& results);

}  // namespace wattloop::twin
