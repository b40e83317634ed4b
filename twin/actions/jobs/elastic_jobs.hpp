// Elastic jobs: they go on with the nodes that are left where a node is lost, and take nodes back at a checkpoint.
//
//   the same work on n of N nodes: computing takes N / n as long, communication and saves as long as before
//
// A lost node stays the job's: it is idle when it is back, until the next checkpoint is whole. Documented in docs/models/job_coupling.md. Verified in
// tests/verification/jobs/elastic_jobs.cpp.
#pragma once

#include <vector>

#include "twin/actions/work/jobs_on_racks.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Leaves the lost nodes of a job out of its work, if enough are left. True if so; `name` is that of the job in the event.
bool go_on_with_fewer(const JobRacks::Job& job, const std::string& name, PlantState& state,
                      std::vector<EventRecord>& events);

/// Nodes that wait take part again where a checkpoint is whole now, or where the job restarts anyway. True if any do.
bool take_nodes_back(const Plant& plant, const NodeCouplings& nodes, const JobRacks::Job& job, const std::string& name,
                     PlantState& state, std::vector<EventRecord>& events);

/// Looks up when nodes that wait take part again.
void note_growth(const JobRacks::Job& job, PlantState& state);

}  // namespace wattloop::twin
