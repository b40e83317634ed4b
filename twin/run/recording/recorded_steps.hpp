// Where the time of a step goes, of the transformer jobs of a scenario: what reports draw.
#pragma once

#include "twin/run/recording/recorder.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// Empty without such jobs. end_s: of the run
std::vector<RecordedTable> step_tables(const Scenario& scenario, double end_s);

}  // namespace wattloop::twin
