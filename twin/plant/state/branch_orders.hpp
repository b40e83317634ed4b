// Orders to branches of the power tree: what orders, failures and rules make of a branch, which interlock forbids it, and what an order of
// people does to the rules that act on it: from then on people decide.
#pragma once

#include <cstddef>
#include <vector>

#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Whether a branch is closed by its orders; a rule that closes a tie and opens what fed its dead end reverses the order of people.
bool is_ordered_closed(const SwitchingState& switching, std::size_t branch);

/// The interlock that holds a branch open though its orders say closed; null if none does. Of members that are listed before a branch and are
/// closed by their orders, so many may be: what other interlocks make of these is not asked.
const InterlockPart* holding_interlock(const Plant& plant, const SwitchingState& switching, std::size_t branch);

/// The same of a branch whatever its own orders say.
const InterlockPart* forbidding_interlock(const Plant& plant, const SwitchingState& switching, std::size_t branch);

/// An event has said what a branch does; `is_restored`: that it follows its rules again. A branch that a rule has closed, and that is to be closed or to
/// follow its rules, stays closed with all that was opened for it. Else what a rule has opened for it goes back to its own orders.
void note_order_to_branch(const Plant& plant, std::size_t branch, bool is_restored, PlantState& state);

/// Opens what is closed and an interlock forbids, because a branch that is listed before it has been closed; it stays open until it is ordered again. What
/// is open and ordered closed, as after a restore, closes when the interlock allows it.
void open_what_interlocks_forbid(const Plant& plant, PlantState& state, std::vector<EventRecord>& events);

}  // namespace wattloop::twin
