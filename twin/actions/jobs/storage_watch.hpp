// Jobs of a run that share a storage: at instants each gets its max-min fair share, and racks of the storage draw watts for the traffic. Documented in
// docs/models/checkpoints.md. Verified in tests/verification/jobs/shared_storage.cpp and storage_racks.cpp.
#pragma once

#include <vector>

#include "twin/actions/work/jobs_on_racks.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "workload/work/shared_storage.hpp"

namespace wattloop::twin {

/// [job number] Programs of those that have nodes and use the shared storage; null of others.
std::vector<const workload::SynchronousJob*> storage_programs(const JobRacks& racks, const PlantState& state);

/// Appliances that have power.
double served_appliances(const Plant& plant, const PlantState& state);

/// True if any job reads or writes at another share from now on. Nothing before time zero.
bool share_storage(const Plant& plant, const JobRacks& racks, PlantState& state);

/// When that happens next, as far as windows reach.
double next_share_s(const Plant& plant, const JobRacks& racks, const PlantState& state);

/// What jobs read and write at the time of the state; nothing before time zero.
workload::StorageTraffic storage_traffic(const JobRacks& racks, const PlantState& state);

/// When that changes next because a read or a write begins or ends.
double next_traffic_s(const JobRacks& racks, const PlantState& state);

/// Traffic to watts: appliances draw power while their rack is served, for this share of their bandwidth.
void load_storage(const Plant& plant, double used_share, PlantState& state);

}  // namespace wattloop::twin
