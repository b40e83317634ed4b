// Ties and transfer switches that close by themselves, and what they open.
//
//   one end dead       while the other is fed by a source, not by a battery: after its time the switch closes; branches that fed what was
//                      dead, and whose own feed is dead, open, so that it is not fed twice when the feed returns
//   feed back          what was dead could be fed without the switch for its time of return: it opens, and they close, without a gap;
//                      at once where what was dead is dead again, or is fed beside it because people closed what feeds it
//   event on a switch  from then on people decide, until an event restores it
//
//   protection         one that its own protection opens stays open; a tie beside a bus whose feed or generator was opened by protection is locked
//                      out, and so is the other leg of a transfer switch, because the fault or the overload may be behind it; all until an event
//                      restores them
//   interlock          closes nothing that it forbids, and opens what it forbids when another is closed that is listed before it
//
// Tested in tests/unit/plant/automatic_switches.cpp.
#pragma once

#include <vector>

#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Lets each of them act on what is live now; `before` keeps the first position that they change. True if any did.
bool act_automatic_switches(const Plant& plant, PlantState& state, electrical::SwitchState& before,
                            std::vector<EventRecord>& events);

/// Whether one of them is due, or has not looked yet.
bool is_automatic_switch_due(const PlantState& state);

/// Protection has opened a branch, or a source.
void lock_out_after_trip(const Plant& plant, std::size_t branch, PlantState& state);
void lock_out_after_trip_of_source(const Plant& plant, std::size_t source, PlantState& state);

}  // namespace wattloop::twin
