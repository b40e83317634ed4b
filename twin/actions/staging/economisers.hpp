// Waterside economisers in a run: the sequence looks at the weather and the chilled water and changes mode
// (physics/water/waterside_economiser.hpp); here is what that means for valves, pumps, chillers and the set-point of the towers.
//
//   mechanical   cold valves shut, pumps of exchangers off, the towers hold what they hold by themselves
//   partial      valves open, pumps on, warm water back to the return header; the towers follow the sequence
//   full         the same, warm water past the chillers to the supply header, all that else makes the water off
#pragma once

#include <vector>

#include "physics/water/waterside_economiser.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// What the sequence of an economiser sees: temperatures of `state`, flows of `evaluation`.
physics::WatersideEconomiser::Now economiser_sees(const Plant& plant, const PlannedEconomiser& economiser,
                                                  const Evaluation& evaluation, const PlantState& state);

/// Whether any economiser looks at that instant.
bool does_an_economiser_look(const Plant& plant, double time_s);

/// When one looks next; what it remembers moves on then.
double next_economiser_look_s(const Plant& plant, double time_s);

/// Whether one of those that look now would change its mode, begin or end to count how long its supply is too warm, or move the towers.
bool would_an_economiser_act(const Plant& plant, const Evaluation& evaluation, const PlantState& state);

/// Has those look whose time it is, and do what follows. True if anything but their memory changed.
bool follow_economisers(const Plant& plant, const Evaluation& evaluation, PlantState& state,
                        std::vector<EventRecord>& events);

/// Before a run, without a word: everything as the modes at present ask for it. The wet bulb of the inputs sets the towers.
void order_economisers(const Plant& plant, PlantState& state);

/// Before a run: modes that fit the steady state of `evaluation`. From one that leaves the supply too warm it steps back, once. True if
/// any changed; time counts from the start.
bool choose_economiser_modes(const Plant& plant, const Evaluation& evaluation, PlantState& state);

/// Whether the sequence of an economiser holds that input now, so that others leave it alone.
bool is_set_by_an_economiser(const Plant& plant, std::size_t input, const PlantState& state);

}  // namespace wattloop::twin
