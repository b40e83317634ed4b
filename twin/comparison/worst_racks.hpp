// The racks with the hottest dies.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

struct WorstRack {
  std::string rack;
  double die_k = 0.0, time_s = 0.0;  ///< the hottest that was recorded, and when
};

/// At most `most`, the hottest first; empty where racks, or their dies, were not recorded.
std::vector<WorstRack> worst_racks(const ResultsReader& results, std::size_t most);

}  // namespace wattloop::twin
