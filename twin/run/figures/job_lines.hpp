// What became of work, as lines of a summary.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "twin/run/figures/job_kpis.hpp"
#include "twin/run/figures/summary.hpp"

namespace wattloop::twin {

/// A label and what stands behind it, of jobs and of acceptance tests; none where nothing waits for anything.
std::vector<std::pair<std::string, std::string>> job_lines(const FinishedRun& run);

/// "5.12 million tokens/s, MFU 27.8 %, 1.66 J of IT energy a token".
std::string throughput_words(const Throughput& throughput);

}  // namespace wattloop::twin
