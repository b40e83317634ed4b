// The fabric of a hall at one instant, by tiers and islands: what links carry, and what has failed.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Switches of a tier in an island, as group `fabric_tiers` of results has them.
struct DrawnFabricTier {
  std::string name{};  ///< "leaf.island_3", "core"
  double switches = 0.0, links = 0.0;
  double failed_switches = 0.0, impaired_links = 0.0;
  double mean_load_fraction = 0.0, most_load_fraction = 0.0;  ///< of links down
};

/// A row for each tier, the top tier first; an island is a column. Empty without tiers.
/// tiers: from the leaves up, island by island.
std::string fabric_diagram(std::span<const DrawnFabricTier> tiers);

/// The same from the record of that time. Empty where the fabric is not modelled.
std::string fabric_diagram(const ResultsReader& results, double time_s);

}  // namespace wattloop::twin
