// Where the domains meet: one short function for every arrow between work, heat and power. Each acts at one instant and
// writes inputs and its own discrete state only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "twin/plant/equipment/node_supplies.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"
#include "twin/units/rack_digest.hpp"
#include "workload/nodes/inlet_protection.hpp"
#include "workload/nodes/node_split.hpp"
#include "workload/nodes/protection.hpp"
#include "workload/nodes/server_fans.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::twin {

/// What the coupling needs to know of a node, besides the plant.
struct NodeCoupling {
  workload::NodeSplitParams split;
  workload::ProtectionParams protection;
  NodeSupplies supplies;
  double fan_w = 0.0;  ///< of its fans, part of what the supplies deliver
  workload::InletParams inlet_air = {};
  double boot_time_s = 0.0;
  double design_air_kg_per_s = 0.0;                    ///< of its fans at full speed
  std::optional<workload::ServerFanParams> fans = {};  ///< none: they run at full speed
  bool do_fans_add =
      false;  ///< what they draw more or less than at full speed is drawn at the AC inlet; else watts are as asked
};

/// [group of racks]
using NodeCouplings = std::vector<NodeCoupling>;

/// One rack at one instant. Racks touch nothing of one another, so that any number of threads may act on them.
struct RackNow {
  const Plant& plant;
  const NodeCoupling& node;
  std::size_t rack;
  double time_s;
  double hottest_die_k;  ///< at least that of its hottest GPU

  RackNow(const Plant& of, const NodeCouplings& nodes, std::size_t number, double at_s,
          double hottest_k = hottest_thinkable_k)
      : plant(of), node(nodes[of.it.racks[number].group]), rack(number), time_s(at_s), hottest_die_k(hottest_k) {}
  const RackGroup& group() const { return plant.it.group_of(rack); }

  static constexpr double hottest_thinkable_k = 1e4;
};

/// Watts that events set for the GPUs of a rack, instead of those that its work asks for; the rest of a node follows its GPUs.
void take_set_watts(const RackNow& now, const workload::NodeWatts& asked, PlantState& state);

/// Share of the supplies of each node of a rack that has power: less than 1 while one of its two cords has none.
inline double supply_share(const RackNow& now, const PlantState& state) {
  const std::size_t load = now.plant.it.racks[now.rack].load;
  const std::array<double, 2>& cords = state.switches.cord_share[load];
  if (cords[0] > 0.0 && cords[1] > 0.0) return 1.0;
  const electrical::PowerTree& tree = now.plant.power_tree;
  const bool shares = tree.load_bus[load][1] != electrical::no_bus && tree.load_transfers[load] == 0;
  return shares ? now.node.supplies.one_cord_share : 1.0;
}

/// Highest power of each GPU of a rack: what people set, at most that of the hardware and what supplies on one cord give; idle power
/// stays.
inline double power_limit_w(const RackNow& now, const PlantState& state) {
  const workload::NodeSplitParams& split = now.node.split;
  double limit_w = std::min(state.inputs[now.group().gpu_limit_input], split.gpu_limit_w);
  if (supply_share(now, state) < 1.0) limit_w = std::min(limit_w, now.node.supplies.one_cord_gpu_limit_w);
  return std::max(limit_w, split.gpu_idle_w);
}

/// What firmware found in a rack: its hottest running GPU, if any runs, and that one's clock.
struct RackFirmware {
  bool has_changed = false;  ///< any clock
  bool has_gpu = false;
  std::size_t hottest_gpu = 0;
  double hottest_k = 0.0;
  double clock_fraction = 1.0;
  bool is_limited_by_inlet = false;               ///< its clock, below what its die allows
  std::vector<std::size_t> first_throttled = {};  ///< GPUs below full clock that never were before in the run
};

/// Dies and clocks of a rack as a whole; its power is left at zero.
RackDigest digest_rack(const Plant& plant, std::size_t rack, const PlantState& state);

/// The same where its dies are known; how many its power limit slows is left at none.
RackDigest digest_rack(const Plant& plant, std::size_t rack, const PlantState& state, const DieDigest& dies);

/// The same for all racks; what was known of their power stays.
void digest_racks(const Plant& plant, const PlantState& state, std::span<RackDigest> racks);

/// Whether firmware of a rack would find it as it wants it, as nearly always.
inline bool has_nothing_to_do(const workload::ProtectionParams& firmware, const RackDigest& rack) {
  return rack.has_full_clocks && (!firmware.is_enabled || rack.hottest_k < firmware.throttle_k);
}

/// GPUs whose node its protection has switched off, for its dies or for its inlet air.
std::size_t switched_off_gpus(const Plant& plant, const PlantState& state);

/// The clock that firmware allows a GPU: the smaller of what its die and the inlet air of its rack allow; 0 is switched off.
double allowed_clock(const RackNow& now, std::size_t gpu, const PlantState& state);

/// Writes down whether all nodes of a rack are at work, with full clocks.
void note_restraint(const Plant& plant, std::size_t rack, PlantState& state);

/// Temperatures to clocks: firmware sets clocks and switches nodes off, from the digest of the rack as it stands. Shutdowns
/// are added to `events`.
RackFirmware protect_rack(const RackNow& now, const RackDigest& digest, PlantState& state,
                          std::vector<EventRecord>& events);

/// Adds the first throttling of the run to `events`, from what firmware of all racks found at `time_s`.
void note_first_throttle(const Plant& plant, std::span<const RackFirmware> racks, double time_s, PlantState& state,
                         std::vector<EventRecord>& events);

/// The same for all racks, whose digests are those of `state` before and after. True if any clock changed.
bool protect_gpus(const Plant& plant, const NodeCouplings& nodes, PlantState& state, std::span<RackDigest> racks,
                  std::vector<EventRecord>& events);

/// Power to air: node fans of a rack move its air, as fast as they turn, while any of its nodes is on, else or where they have failed a natural
/// draught is left; those of a network rack while it is served.
void drive_fans(const Plant& plant, PlantState& state);

/// Work to traffic to watts: switches of a network rack draw power while it is served, for as much of the job's traffic as
/// nodes are at work. Follows nodes that lose power, are shut down or have come back at once, and what work asks of nodes at
/// whole minutes.
void load_fabric(const Plant& plant, const NodeCouplings& nodes, PlantState& state);

/// Some racks of one group that follow one another.
struct RackRange {
  std::size_t first = 0, count = 0;
};

/// All racks in ranges that are best asked for together.
std::vector<RackRange> racks_asked_together(const ItEquipment& it);

/// Watts that the workload requests of some nodes, each node as a whole, and the sample for which it requests them; scratch.
struct AskedWatts {
  explicit AskedWatts(std::size_t nodes = 0) : ac_w(nodes), gpus_w(nodes) {}
  /// For all nodes.
  explicit AskedWatts(const ItEquipment& it) : AskedWatts(it.node_count()) { ranges = racks_asked_together(it); }
  workload::NodeWatts of(std::size_t first, std::size_t count) {
    return {std::span(ac_w).subspan(first, count), std::span(gpus_w).subspan(first, count)};
  }

  workload::SampleBasis basis;       ///< filled by `apply_work`
  std::vector<double> ac_w, gpus_w;  ///< [node]
  std::vector<RackRange> ranges;     ///< of all racks, where it covers all nodes
};

/// Work to watts: gives GPUs of these racks what the work asks of them in a sample that it prepared, as their loads, which `restrain_rack_loads`
/// is to follow, and `asked` [node of these racks] what it asks of nodes.
void ask_for_work(const Plant& plant, const workload::Workload& workload, const workload::SampleBasis& sample,
                  RackRange racks, PlantState& state, const workload::NodeWatts& asked);

/// Whether GPUs of a rack are beyond their power limit with their leakage at present, or capped by that of another time: their loads are
/// to be given anew.
bool is_power_limit_due(const RackNow& now, const PlantState& state);

/// Whether a window that skipped seconds must not be kept: at its end a GPU of a rack is off its power limit by more than 0.05 %, because its
/// leakage moved meanwhile.
bool has_left_power_limit(const RackNow& now, const PlantState& state);

/// is_power_limit_due of any rack.
bool is_power_limit_due(const Plant& plant, const NodeCouplings& nodes, const PlantState& state);

/// A sample that work prepared.
struct AskedWork {
  const workload::Workload& workload;
  const workload::SampleBasis& sample;
};

/// Clocks, power limits and live buses to the loads of all units of a rack whose GPUs have been given what the work asks of them. A node without
/// power or switched off draws nothing, one that boots what it draws with idle GPUs. The supply's loss follows the node's DC
/// power and is part of the load of its rest.
/// asked [node of the rack].
void restrain_rack_loads(const RackNow& now, const AskedWork& work, const workload::NodeWatts& asked,
                         PlantState& state);

/// Both for all racks, at the time of the state. asked [node of the hall]: scratch.
void apply_work(const Plant& plant, const NodeCouplings& nodes, const workload::Workload& workload, PlantState& state,
                AskedWatts& asked);

}  // namespace wattloop::twin
