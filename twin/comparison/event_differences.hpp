// Events that two runs do not share: in one alone, at another time, or with another detail.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Two events are the same one where kind and target are; of several such those that lie nearest in time.
struct EventDifference {
  std::optional<EventRecord> a, b;  ///< both: moved, or reported otherwise

  double time_s() const { return a && b ? std::min(a->time_s, b->time_s) : (a ? *a : *b).time_s; }
  double moved_s() const { return a && b ? b->time_s - a->time_s : 0.0; }
  bool operator==(const EventDifference&) const = default;
};

/// Events are moved where their times are farther apart than this.
inline constexpr double smallest_reported_move_s = 1e-3;

/// By time.
std::vector<EventDifference> event_differences(std::span<const EventRecord> a, std::span<const EventRecord> b);

}  // namespace wattloop::twin
