// What failed, opened, tripped or stopped in a run, by what was undone of it before the end, from the log of events.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Names of parts and jobs, each once, in the order in which they were first concerned.
struct Recoveries {
  std::vector<std::string> back{};     ///< restored, closed, off battery, at full speed again
  std::vector<std::string> lasting{};  ///< still as their last event left them at the end
};

/// An order that found done what it asks counts as no event.
Recoveries recoveries(std::span<const EventRecord> events);

/// "CRAH 3 to 10; job": names of one kind together, so that every number in the text counts one kind. Of many kinds the first.
std::string names_by_kind(std::span<const std::string> names);

}  // namespace wattloop::twin
