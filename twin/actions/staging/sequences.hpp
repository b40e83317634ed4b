// Control sequences of a run: settings that follow the weather. One that an economiser holds now is left to that
// (twin/actions/staging/economisers.hpp).
#pragma once

#include <vector>

#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Whether any sequence looks at that instant.
bool does_a_sequence_look(const Plant& plant, double time_s);

/// When one looks at the weather next.
double next_sequence_look_s(const Plant& plant, double time_s);

/// Whether one of those that look now would change its setting.
bool would_a_sequence_act(const Plant& plant, const PlantState& state);

/// Sets what those that look now ask for, as an event would that holds for good, and says so. With `events` null all of them
/// look, without a word. True if any setting changed.
bool follow_sequences(const Plant& plant, PlantState& state, std::vector<EventRecord>* events);

/// What a setting is when no temporary event stands in the way.
double lasting_value(std::size_t input, const PlantState& state);

/// Sets it as an event would that holds for good.
void set_for_good(std::size_t input, double value, PlantState& state);

}  // namespace wattloop::twin
