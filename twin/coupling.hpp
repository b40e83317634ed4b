// Where the domains meet: one short function for every arrow between work, heat and power. Each acts at one instant and
// writes inputs and its own discrete state only.
#pragma once

#include <vector>

#include "electrical/equipment.hpp"
#include "twin/plant_state.hpp"
#include "twin/results_schema.hpp"
#include "workload/node_split.hpp"
#include "workload/protection.hpp"
#include "workload/workload.hpp"

namespace wattloop::twin {

/// What the coupling needs to know of a node, besides the plant.
struct NodeCoupling {
  workload::NodeSplitParams split;
  workload::ProtectionParams protection;
  electrical::PsuParams psu;
};

/// Work to watts: what all GPUs and nodes ask for in the sample that holds now.
void ask_for_work(const workload::Workload& workload, PlantState& state);

/// Die temperature to clock: firmware sets clocks and switches nodes off. Shutdowns and the first throttling are added
/// to `events`. True if any clock changed.
bool protect_gpus(const Plant& plant, const NodeCoupling& node, PlantState& state, std::vector<EventRecord>& events);

/// Power to air: node fans of a rack move its air while any of its nodes is on, else a natural draught is left; switches of
/// a network rack draw power and move air while it is served.
void drive_fans(const Plant& plant, PlantState& state);

/// GPUs below full clock but not switched off.
std::size_t count_throttled(const Plant& plant, const PlantState& state);

/// Watts asked for, clocks and live buses to the loads of all units. A node without power or switched off draws nothing; one
/// that lost power goes on with what the work asks when power is back, since nothing here knows how long it boots.
/// The supply's loss follows the node's DC power and is part of the load of its rest.
void apply_loads(const Plant& plant, const NodeCoupling& node, PlantState& state);

}  // namespace wattloop::twin
