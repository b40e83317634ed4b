// A hall with two power sides in code: ten racks of one node on one loop, towers and chillers on the low voltage, CDU
// pumps behind the UPS, one minute of battery, two generators a side. For tests of switching.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {
struct EventRecord;
}

namespace wattloop::tests {

twin::Scenario two_sided_scenario();

/// An event as a scenario would say it; `for_s` 0 is without limit.
twin::EventSpec event(double at_s, twin::EventSpec::Kind kind, std::vector<std::string> targets, double for_s = 0.0);

/// When the first event of that kind happened; NaN where none has.
double event_time_s(const std::vector<twin::EventRecord>& events, std::string_view kind);

}  // namespace wattloop::tests
