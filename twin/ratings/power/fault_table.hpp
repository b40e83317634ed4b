// Fault levels of all buses in the normal position, as `wattloop check --fault-levels` prints them: twin/ratings/power/fault_network.hpp says what they are.
// Verified in tests/verification/power/fault_level_rows.cpp,
// and against the rows of `check` in tests/unit/scenario/branch_breakers.cpp.
#pragma once

#include <string>
#include <vector>

#include "electrical/power_tree.hpp"

namespace wattloop::twin {

/// Of one bus, A at its nominal voltage; 0: not reached.
struct BusFaultLevels {
  std::string bus;
  double nominal_v;
  double largest_a;         ///< three-phase, from feeds, and behind a UPS also from its inverters
  double smallest_a;        ///< the same with hot conductors, no correction of transformers, and redundant modules out
  double generators_a;      ///< largest from generators alone, to UPS
  double largest_earth_a;   ///< line to earth, from feeds
  double smallest_earth_a;  ///< the same
  double peak_a;            ///< largest peak, three-phase, of whichever source
  double breaking_a;        ///< what the weakest breaker or fuse there interrupts; infinite: not known
};

/// In the order of the diagram.
std::vector<BusFaultLevels> fault_table(const electrical::PowerTree& tree);

}  // namespace wattloop::twin
