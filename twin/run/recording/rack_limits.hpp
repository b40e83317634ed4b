// Temperatures at which something acts on the work of a rack, written once beside its records, so that pictures show margins.
#pragma once

#include "twin/plant/equipment/plant.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// The group `rack_limits` (twin/results/reader/rack_margins.hpp) with one record at time 0: dies and inlet air from which firmware lowers
/// clocks, coolant up to which its properties are known, K; not a number where firmware does not protect, or no coolant comes.
void write_rack_limits(const Scenario& scenario, const Plant& plant, ResultsWriter& writer);

}  // namespace wattloop::twin
