// What a change of switches means to people: which UPS went to battery, which loads lost power or moved to their other
// cord, which generators took load. Loads are reported by use, so that a hall of racks is one line.
#pragma once

#include <string>
#include <vector>

#include "electrical/power_tree.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// "a, b, c and 5 more".
std::string list_text(const std::vector<std::string>& names);

/// Sets that start and stop together: "generator_a_*", or the only one.
std::string name_of_sets(const Plant& plant, const StandbyPart& part);

/// Adds the differences between `before` and the switches of `state` to `events`.
void report_switching(const Plant& plant, const electrical::SwitchState& before, const PlantState& state,
                      std::vector<EventRecord>& events);

}  // namespace wattloop::twin
