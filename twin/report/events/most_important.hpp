// Which lines of an event summary to print where there is room for few: by their consequence for the work, each cause with what followed from it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "twin/report/events/event_summary.hpp"

namespace wattloop::twin {

/// At most `most` lines, in the order of time. Lines of the worst consequence are chosen first: nodes lost, GPUs slowed, equipment or its power lost, limits
/// exceeded, power switched, all other (`Consequence`). A cause counts as the worst of what follows before the next cause, and is chosen
/// before it. Where work is slowed or ends, the first cause, the last one before that and the line that says so are chosen before all
/// other; what is neither cause nor loss and stands before the first cause is left out.
std::vector<EventSummaryLine> most_important(std::span<const EventSummaryLine> event_lines, std::size_t most);

/// Events of the lines of an event summary that are not among those that were chosen of it.
std::size_t events_left_out(std::span<const EventSummaryLine> event_lines, std::span<const EventSummaryLine> chosen);

}  // namespace wattloop::twin
