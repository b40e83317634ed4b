// From a scenario and its plant to what happens in the run.
#pragma once

#include "twin/actions/run_plan.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// Throws InputError for events on components that do not exist, for links of an acceptance test that do not exist, and for what is wrong
/// with a weather file. `scenario` must outlive the plan.
RunPlan plan_run(const Scenario& scenario, const Plant& plant, const workload::Workload& work);

}  // namespace wattloop::twin
