// The summary of a run: figures with names and units for files and scripts, and the same as text for people.
#pragma once

#include <string>
#include <vector>

#include "core/units.hpp"
#include "twin/results_schema.hpp"
#include "twin/simulation.hpp"
#include "twin/statistics.hpp"

namespace wattloop::twin {

/// All figures of the summary, SI units. `wall_time_s` is the time the run took.
std::vector<NamedValue> summarise(const Plant& plant, const Simulation& simulation, const Statistics& statistics,
                                  double wall_time_s);

/// What a facility engineer reads on the terminal.
std::string summary_text(const Plant& plant, const Scenario& scenario, const Simulation& simulation,
                         const Statistics& statistics, double wall_time_s, UnitStyle style = UnitStyle::metric);

}  // namespace wattloop::twin
