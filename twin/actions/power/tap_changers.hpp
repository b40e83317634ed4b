// Changers of taps under load, from instant to instant: one whose voltage has been outside of its dead band for its delay steps once towards it,
// and waits again. At the start of a run taps are where they come to rest.
//
//   |V - V_target| > dead band / 2 for the delay  ->  one step
//
// Source: [kundur1994] ch. 11.2.4. Tested in tests/unit/plant/tap_changers.cpp.
#pragma once

#include <vector>

#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Whether any branch has one and voltages are known.
bool has_tap_changers(const Plant& plant);

/// Moves by one step each tap whose voltage is outside of its band, without delay; true if any moved.
bool settle_taps(const Plant& plant, PlantState& state);

/// Moves those that are due by their delay, and notes when the others are; true if any moved.
bool step_taps(const Plant& plant, PlantState& state, std::vector<EventRecord>& events);

/// The next instant after now at which one may step; infinity if none does.
double next_tap_s(const PlantState& state);

}  // namespace wattloop::twin
