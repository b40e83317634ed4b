// What failed, opened, tripped or stopped in a run, by what was undone of it before the end, from the log of events.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// Names of parts and jobs, each once, in the order in which they were first concerned.
struct Recoveries {
  std::vector<std::string> back{};     ///< restored, closed, off battery, at full speed again
  std::vector<std::string> lasting{};  ///< still as their last event left them at the end
};

/// An order that found done what it asks counts as no event.
Recoveries recoveries(std::span<const EventRecord> events);

}  // namespace wattloop::twin
