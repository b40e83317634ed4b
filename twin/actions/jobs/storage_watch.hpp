// Jobs of a run that share a storage: at instants each gets its max-min fair share. Documented in docs/models/checkpoints.md. Verified in
// tests/verification/jobs/shared_storage.cpp.
#pragma once

#include <vector>

#include "twin/actions/work/jobs_on_racks.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "workload/work/shared_storage.hpp"

namespace wattloop::twin {

/// [job number] Programs of those that have nodes and use the shared storage; null of others.
std::vector<const workload::SynchronousJob*> storage_programs(const JobRacks& racks, const PlantState& state);

/// True if any job reads or writes at another share from now on. Nothing before time zero.
bool share_storage(const JobRacks& racks, PlantState& state);

/// When that happens next, as far as windows reach.
double next_share_s(const JobRacks& racks, const PlantState& state);

}  // namespace wattloop::twin
