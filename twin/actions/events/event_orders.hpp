// Orders of events to parts, and how they are reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twin/actions/events/scheduled_events.hpp"
#include "twin/plant/state/flag_overrides.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// How an order, or its end, finds a part and leaves it.
struct OrderChange {
  bool is_in_force = true, has_changed = false;
};

/// Of parts of which few ever have an order: it is known by its order alone, which lasts as long as its value is not 0.
OrderChange give_rare_order(const ScheduledEvent& event, FlagOverride::Flag flag, std::size_t part,
                            std::uint8_t requested, std::vector<FlagOverride>& orders);

/// "fail".
const char* name_of(ScheduledEvent::Action action);

/// What became of an order. The end of a temporary one is named by what it does, which may be nothing.
EventRecord order_record(const ScheduledEvent& event, const std::string& name, double now_s, const OrderChange& change);

}  // namespace wattloop::twin
