// Events that are seen after their time: what began inside an interval is reported at its end.
#pragma once

#include <iterator>
#include <utility>
#include <vector>

#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Adds an event where its time belongs, behind those of the same time.
inline void add_in_order(EventRecord record, std::vector<EventRecord>& events) {
  auto place = events.end();
  while (place != events.begin() && std::prev(place)->time_s > record.time_s) --place;
  events.insert(place, std::move(record));
}

}  // namespace wattloop::twin
