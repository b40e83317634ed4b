// The sentences at the head of a report: how it began and what was worst.
#pragma once

#include <span>
#include <string>

#include "twin/report/events/event_summary.hpp"

namespace wattloop::twin {

/// "At 1 min chiller 1 to 6 failed. At 16 min 1280 nodes ... switched off, and 18 more events, listed under What happened.": at most two, each with
/// its time; all else is in the table below them. Empty where nothing failed and nothing was lost.
std::string first_and_worst(std::span<const EventSummaryLine> event_lines, const std::string& start_iso);

}  // namespace wattloop::twin
