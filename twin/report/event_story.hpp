// Events in words: what failed, what followed, when.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/results/results_schema.hpp"

namespace wattloop::twin {

/// Events of one kind that follow each other.
struct StoryLine {
  double first_s = 0.0, last_s = 0.0;
  std::size_t event_count = 0;
  std::string words{};  ///< "failed: cdu_1.pump_a, cdu_1.pump_b and 4 more"; plain text, not escaped
};

/// In the order of the log; every event is counted in exactly one line.
std::vector<StoryLine> event_story(std::span<const EventRecord> events);

}  // namespace wattloop::twin
