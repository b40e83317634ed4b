// Where the domains meet: one short function for every arrow between work, heat and power. Each acts at one instant and
// writes inputs and its own discrete state only.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "electrical/psu_curve.hpp"
#include "twin/evaluation.hpp"
#include "twin/plant_state.hpp"
#include "twin/rack_digest.hpp"
#include "twin/results_schema.hpp"
#include "workload/node_split.hpp"
#include "workload/protection.hpp"
#include "workload/workload.hpp"

namespace wattloop::twin {

/// What the coupling needs to know of a node, besides the plant.
struct NodeCoupling {
  workload::NodeSplitParams split;
  workload::ProtectionParams protection;
  electrical::PsuCurve psu;
};

/// What the work asks of some nodes, mostly those of a rack, in one sample, before protection.
struct AskedPower {
  std::span<const double> gpu_w;   ///< [gpu] of these nodes
  std::span<const double> node_w;  ///< [node] at the AC inlet
};

/// One rack at one instant. Racks touch nothing of one another, so that any number of threads may act on them.
struct RackNow {
  const Plant& plant;
  const NodeCoupling& node;
  std::size_t rack;
  double time_s;
};

/// What firmware found in a rack: its hottest running GPU, if any runs, and that one's clock.
struct RackFirmware {
  bool has_changed = false;  ///< any clock
  bool has_gpu = false;
  std::size_t hottest_gpu = 0;
  double hottest_k = 0.0;
  double clock_fraction = 1.0;
};

/// The part of one rack in what the work asks of the hall.
AskedPower asked_of_rack(const HallParts& hall, std::size_t rack, const AskedPower& of_hall);

/// Work to watts: what all GPUs and nodes ask for in the sample that holds now.
void ask_for_work(const workload::Workload& workload, PlantState& state);

/// Dies and clocks of a rack as a whole; its power is left at zero.
RackDigest digest_rack(const Plant& plant, std::size_t rack, const PlantState& state);

/// The same for all racks; what was known of their power stays.
void digest_racks(const Plant& plant, const PlantState& state, std::span<RackDigest> racks);

/// Die temperature to clock: firmware sets clocks and switches nodes off, from the digest of the rack as it stands. Shutdowns
/// are added to `events`.
RackFirmware protect_rack(const RackNow& now, const RackDigest& digest, PlantState& state,
                          std::vector<EventRecord>& events);

/// Adds the first throttling of the run to `events`, from what firmware of all racks found at `time_s`.
void note_first_throttle(const Plant& plant, std::span<const RackFirmware> racks, double time_s, PlantState& state,
                         std::vector<EventRecord>& events);

/// The same for all racks, whose digests are those of `state` before and after. True if any clock changed.
bool protect_gpus(const Plant& plant, const NodeCoupling& node, PlantState& state, std::span<RackDigest> racks,
                  std::vector<EventRecord>& events);

/// Power to air: node fans of a rack move its air while any of its nodes is on, else a natural draught is left; switches of
/// a network rack draw power and move air while it is served.
void drive_fans(const Plant& plant, PlantState& state);

/// Watts asked of a rack, clocks and live buses to the loads of all its units. A node without power or switched off draws
/// nothing; one that lost power goes on with what the work asks when power is back, since nothing here knows how long it
/// boots. The supply's loss follows the node's DC power and is part of the load of its rest.
void apply_rack_loads(const RackNow& now, const AskedPower& asked, bool has_full_clocks, PlantState& state);

/// The same for all racks.
void apply_loads(const Plant& plant, const NodeCoupling& node, PlantState& state);

}  // namespace wattloop::twin
