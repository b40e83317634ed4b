// A hall with two power sides in code: ten racks of one node on one loop, towers and chillers on the low voltage, CDU
// pumps behind the UPS, one minute of battery, two generators a side. For tests of switching.
#pragma once

#include "twin/scenario/scenario.hpp"

namespace wattloop::tests {

twin::Scenario two_sided_scenario();

/// An event as a scenario would say it; `for_s` 0 is for ever.
twin::EventSpec event(double at_s, twin::EventSpec::Kind kind, std::vector<std::string> targets, double for_s = 0.0);

}  // namespace wattloop::tests
