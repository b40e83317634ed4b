// Events in words: what failed, what followed, when.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// How important a line is for a reader who wants to know what happened.
enum class Weight { routine, notice, loss, cause };

/// What the events of a line affect; the least serious first.
enum class Consequence { none, switched, beyond_limits, equipment_lost, slowed, lost };

/// Events of one kind that belong together.
struct EventSummaryLine {
  double first_s = 0.0, last_s = 0.0;
  std::size_t event_count = 0;
  std::string words{};  ///< "CDU 1 to 3, pump a and b failed"; plain text, not escaped
  Weight weight = Weight::notice;
  bool is_failure = false;                      ///< a cause that fails, opens, sticks or clogs something
  bool is_order = false;                        ///< a cause that the scenario asks for
  bool slows_work = false;                      ///< GPUs went on below their clocks
  bool ends_work = false;                       ///< nodes went off
  Consequence consequence = Consequence::none;  ///< of the line by itself: an order has none
};

/// In the order of time, at one time causes before what follows from them; every event is counted in exactly one line.
std::vector<EventSummaryLine> event_summary(std::span<const EventRecord> events);

}  // namespace wattloop::twin
