// Protection of the power system: what is loaded over its rating uses up what it endures (electrical/overload.hpp, limits in the
// headers of the kinds), and trips once that is used up. A part that tripped is open, as after an event `open`: until one closes or
// restores it. What follows is left to switching.
//
//   reported   `limit_exceeded` when a part goes over its rating, `limit_cleared` when it has been below for a minute, at the times of both
//   trips  `tripped`, with its cause, or `would_trip` where a scenario says that nothing trips; what the air around it is too hot for, too, at control ticks
//
// Shares are counted over every interval that the integrator shows, by mean power. While anything is beyond its limit windows go from
// instant to instant, loads are held over them, and one ends where a part trips at the load present: trips are located within
// `located_s` plus what the load changes inside a sample of work. One that begins within a window is counted from its begin and acts at
// the end of that window at the earliest. Tested in tests/unit/plant/power_protection.cpp and tests/properties/overload.cpp.
#pragma once

#include <string>
#include <vector>

#include "electrical/power_flow.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Counts an interval of `duration_s` that ends at `end_s`, or a part of it, with that power and the switches of `memory`, into its
/// overload. Allocates nothing.
void count_overload(const Plant& plant, const Evaluation& evaluation, double end_s, double duration_s,
                    PlantState& memory) noexcept;

/// Reports which overloads began and ended, sorted into `events` by time, and trips what has used up its endurance, if `trips`. True if
/// anything tripped.
bool protect_power(const Plant& plant, bool trips, PlantState& state, std::vector<EventRecord>& events);

/// Whether anything is closed that the air at present is too hot for; opens it, if `trips`, else reports it once. True if anything was.
bool is_in_hot_air(const Plant& plant, const PlantState& state) noexcept;
/// The first of them, in words; empty where there is none.
std::string hot_air_text(const Plant& plant, const PlantState& state);
bool switch_off_in_hot_air(const Plant& plant, bool trips, PlantState& state, std::vector<EventRecord>& events);

/// When the first part trips at that power.
double next_trip_s(const Plant& plant, const electrical::PowerFlow& power, const PlantState& state);

/// Whether a part uses up what it endures at that power, or carries any with more than half of it used.
bool is_near_trip(const Plant& plant, const electrical::PowerFlow& power, const OverloadState& overload) noexcept;

}  // namespace wattloop::twin
