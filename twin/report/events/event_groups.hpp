// Events that are reported together: in event summaries by rules of their own, in lists nodes that heat switches off.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

using EventGroup = std::vector<const EventRecord*>;

/// Each event joins the last group that `joins` lets it, or begins one; groups in the order of their first.
std::vector<EventGroup> event_groups(std::span<const EventRecord> events,
                                     const std::function<bool(const EventRecord&, const EventGroup&)>& joins);

/// Nodes of which events report, each once, by targets like "row_1.rack_2.node_3.gpu_4".
std::size_t node_count(const EventGroup& group);

/// One for the nodes of a row, where more than a few are switched off by heat within a minute; in a hall of many rows for all: "160 nodes of row_1".
/// Others are as they were.
/// Where many jobs start and end, one for those of an hour that start and one for those that are done: "37 jobs".
/// `start`: local time at which the run begins.
std::vector<EventRecord> folded_events(std::span<const EventRecord> events, std::string_view start = {});

}  // namespace wattloop::twin
