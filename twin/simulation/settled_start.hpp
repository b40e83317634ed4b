// What a run begins from where its work has brought the hall there: the steady state under the mean of the work, then a warm-up before
// time zero that no one records.
#pragma once

#include "twin/plant/state/plant_state.hpp"
#include "twin/simulation/simulation.hpp"

namespace wattloop::twin {

/// A run that has yet to begin.
struct RunToBegin {
  const Plant& plant;
  const RunPlan& plan;
  const workload::Workload& workload;
  Integrator& integrator;
};

/// The state at time zero with `initial: settled`. The warm-up lasts as the plan says, else until the slowest water has had two of
/// its time constants, in whole intervals of ten minutes, an hour at most. Work that never changes needs none. Where equipment or nodes
/// would be lost in it, there is none either: the run itself shows that. Throws SolverError.
PlantState settled_start(const RunToBegin& run);

/// The state at time zero with `initial: steady`, and how long it takes to settle.
PlantState steady_start(Simulation& simulation, const Plant& plant, const workload::Workload& workload);

}  // namespace wattloop::twin
