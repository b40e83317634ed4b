// The power tree as its diagram shows it: ties between buses of one level, and all other branches down from the sources.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "twin/results/schema/topology.hpp"

namespace wattloop::twin {

struct DrawnPower {
  /// Of electricity alone. A branch that goes both ways comes from the bus that fewer branches join to a feed; ties take from both of their buses.
  Topology topology{};
  std::map<std::string, std::array<std::string, 2>, std::less<>> ties{};  ///< buses that each joins
};

DrawnPower drawn_power(const Topology& topology);

}  // namespace wattloop::twin
