// The first time that each GPU was below full clock: as events with their reasons, and how many by when, for reports.
#pragma once

#include <string>
#include <vector>

#include "twin/results/schema/event_record.hpp"
#include "twin/results/schema/gpu_throttles.hpp"

namespace wattloop::twin {

/// An event `first_throttle` for every GPU that was below full clock, in time: what of it differs most from the mean of its kind to its
/// disadvantage, and all of its own spread.
std::vector<EventRecord> first_throttles(const GpuThrottles& throttles);

/// A histogram over time as an HTML table; empty where no GPU was below full clock.
std::string first_throttles_table(const GpuThrottles& throttles, const std::string& start = {});

}  // namespace wattloop::twin
