// The state of a plant at one instant: a value. A copy of it is a snapshot; with what a run has counted, a checkpoint
// (twin/simulation/simulation.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "electrical/power_tree.hpp"
#include "twin/plant/equipment/plant.hpp"
#include "twin/plant/state/flag_overrides.hpp"
#include "twin/plant/state/limit_state.hpp"
#include "twin/plant/state/overload_state.hpp"
#include "twin/plant/state/setting_course.hpp"
#include "workload/burn_in/acceptance_test.hpp"
#include "workload/nodes/inlet_protection.hpp"
#include "workload/queue/queue_state.hpp"
#include "workload/work/job_machine.hpp"

namespace wattloop::twin {

/// What a node is doing, or why it does nothing.
enum class NodeIs : std::uint8_t { at_work, booting, without_supply, off_by_die, off_by_inlet, failed, idle };

/// Whether it draws power where its supply is live.
inline bool is_switched_on(NodeIs node) {
  return node == NodeIs::at_work || node == NodeIs::booting || node == NodeIs::idle;
}

/// What firmware allows the work. Nodes and GPUs are numbered rack by rack.
struct WorkState {
  std::vector<double> clock_fraction;       ///< [gpu] the smaller of what its die and the inlet air of its rack allow
  std::vector<NodeIs> node_is;              ///< [node]
  std::vector<double> node_due_s;           ///< [node] when it works, of one that boots; boots, of one off by its die
  std::vector<std::uint8_t> is_restrained;  ///< [rack] any GPU of it is below full clock, any node not at work
  std::vector<workload::InletStage> inlet_stage;    ///< [rack]
  std::vector<double> fan_fraction;                 ///< [rack] speed of its nodes' fans, in steps of their controller
  std::vector<double> requested_fan_fraction;       ///< [rack] before it is rounded to such a step
  std::vector<double> capped_clock_fraction;        ///< [gpu] that its power limit leaves it
  std::vector<double> capped_load_w;                ///< [gpu] of those, while they compute
  std::vector<std::uint32_t> capped_gpus;           ///< [rack] GPUs below full clock for their power limit
  double capped_gpu_s = 0.0;                        ///< GPU-seconds so
  double throttled_gpu_s = 0.0;                     ///< GPU-seconds spent below full clock, of nodes at work
  bool has_throttled = false;                       ///< any GPU, ever
  double first_throttle_s = 0.0;                    ///< if so, when
  double sample_end_s = 0.0;                        ///< end of the sample of work that holds
  std::size_t live_nodes = 0;                       ///< with power and not off or booting, when the fabric last looked
  double fabric_share = 0.0;                        ///< of the job's traffic: nodes then at work over all nodes
  std::vector<double> gpu_first_throttle_s = {};    ///< [gpu] NaN while it never was below full clock; empty: none was
  std::vector<workload::JobClock> job_clocks = {};  ///< [job], where jobs come and go [slot]
  std::vector<workload::JobMemory> jobs = {};       ///< the same
  workload::QueueState queue = {};                  ///< of jobs that come and go
  workload::TestState test = {};                    ///< of acceptance tests
  std::vector<double> set_gpu_w = {};  ///< [gpu] asked by events instead of by the work; empty: by the work
};

/// Makes `shown` what `now` is, but for what is kept GPU by GPU: that is shown where somebody looks at single units.
inline void show_but_gpus(const WorkState& now, WorkState& shown) {
  const auto& [clocks, nodes, due_s, restrained, inlet, fans, requested_fans, capped_clocks, capped_loads, capped,
               capped_gpu_s, throttled_gpu_s, has_throttled, first_throttle_s, sample_end_s, live, share,
               first_throttles_s, job_clocks, jobs, queue, test, set_gpu_w] = now;  // all that there is
  shown.node_is = nodes;
  shown.node_due_s = due_s;
  shown.is_restrained = restrained;
  shown.inlet_stage = inlet;
  shown.fan_fraction = fans;
  shown.requested_fan_fraction = requested_fans;
  shown.capped_gpus = capped;
  shown.capped_gpu_s = capped_gpu_s;
  shown.throttled_gpu_s = throttled_gpu_s;
  shown.has_throttled = has_throttled;
  shown.first_throttle_s = first_throttle_s;
  shown.sample_end_s = sample_end_s;
  shown.live_nodes = live;
  shown.fabric_share = share;
  shown.job_clocks = job_clocks;
  shown.jobs = jobs;
  if (shown.queue.stamp != queue.stamp) shown.queue = queue;  // long, and seldom another one
  if (shown.test.until_s != test.until_s) shown.test = test;  // the same
  static_cast<void>(clocks), static_cast<void>(capped_clocks), static_cast<void>(capped_loads),
      static_cast<void>(first_throttles_s), static_cast<void>(set_gpu_w);
}

/// Jobs as they stand.
inline workload::JobsNow jobs_now(const WorkState& work) { return {work.job_clocks, &work.queue.where}; }

/// Orders to equipment that has a motor or a set-point.
struct EquipmentState {
  std::vector<std::uint8_t> is_failed;     ///< [motor]
  std::vector<std::uint8_t> is_running;    ///< [motor] commanded
  std::vector<std::uint8_t> is_requested;  ///< [motor] scratch of the staging logic
  std::vector<double> power_back_s;        ///< [motor] when its load was last served again
  std::vector<std::size_t> duty;           ///< [motor group] how many shall run
  std::vector<double> group_changed_s;     ///< [motor group] when a motor of it last started or stopped
  std::vector<double> group_started_s;     ///< [motor group] when a motor of it last started in the run
  std::vector<SettingCourse> courses;      ///< of settings that events have changed
  std::vector<FlagOverride> orders;        ///< of parts, switches among them, while any is temporary
  std::vector<std::uint8_t>
      is_small_lift_reported;             ///< [motor group] of a chiller that compresses below its smallest lift
  std::vector<std::uint8_t> is_dripping;  ///< [coil water of a room, then room] too cold for its air or dew point once
  std::vector<std::uint8_t> have_fans_failed = {};   ///< [rack] those of all of its nodes; empty: none has
  std::vector<std::uint8_t> have_nodes_failed = {};  ///< [node] empty: none has
  std::vector<std::uint8_t> slow_gpu_percent = {};   ///< [gpu] clock of a slow one, 0 of others; empty: none is slow
};

/// What a switch that closes by itself remembers.
struct AutomaticState {
  double closes_s = -1.0;                                      ///< when it closes; below 0: it has not looked yet
  double returns_s = std::numeric_limits<double>::infinity();  ///< when it opens again
  int dead_bus = electrical::no_bus;                           ///< end that it feeds
  std::uint8_t is_closed = 0, is_by_hand = 0, is_in_vain = 0;  ///< by itself; events decide; nothing came of it
  std::vector<int> parted = {};                                ///< branches that it has opened
};

/// Orders to sources and branches of the power tree, and the timers of what switches by itself.
struct SwitchingState {
  std::vector<std::uint8_t> branch_is_open, source_is_open;      ///< [branch], [source]; of generators: may not start
  std::vector<std::uint8_t> branch_is_failed, source_is_failed;  ///< open, and locked there until restored
  std::vector<std::uint8_t> module_is_failed;                    ///< [module] of branches of several
  std::vector<std::uint8_t> load_is_open = {};                   ///< [load] switched off; empty: none is
  std::vector<double> ready_s;  ///< [source] when a generator that was started takes load; infinity: it stands
  std::vector<double>
      feed_back_s;  ///< [standby] since when the feed is back while generators carry; infinity: it is not
  std::vector<double>
      bypass_return_s;  ///< [branch] when one that its protection opened tries to carry again; infinity: it does not
  /// [module] What the battery of one that is out keeps, over the energy of all of its UPS when full; of others `is_at_hand`.
  std::vector<double> kept_charge;
  std::vector<std::uint8_t>
      branch_is_reversed;  ///< [branch] a rule holds it closed though orders say open, or open though closed
  std::vector<AutomaticState> automatic = {};  ///< [automatic switch]
  std::vector<double> tap_due_s =
      {};  ///< [branch] when its tap changer steps; infinity: it does not; empty: there is none

  static constexpr double is_at_hand = -1.0;
};

/// What has failed in a modelled fabric, and what follows from it. Empty where the fabric is not modelled.
struct FabricState {
  static constexpr std::uint32_t alone = 0xFFFFFFFF;   ///< a node without a live port
  static constexpr std::uint32_t broken = 0xFFFFFFFE;  ///< a node of which a GPU has no NVLink

  std::vector<FabricLoss> losses = {};                         ///< as parts are now, by number
  std::vector<FabricLoss> routed = {};                         ///< those that failed as routes know them
  double reroute_s = std::numeric_limits<double>::infinity();  ///< when routes follow what changed; infinity: they have
  std::uint64_t stamp = 0;                                     ///< another one whenever any of these changed
  /// [node] nodes of one number reach one another, those of the largest such part of the fabric have 0; empty: all reach all.
  std::vector<std::uint32_t> node_part = {};
  std::vector<double> job_traffic =
      {};  ///< [switch] of jobs whose traffic is known: mean load of its ports over their bandwidth
  /// [block] load of its links down to the tier below, in the direction that carries more, over their bandwidth: mean, and of the fullest.
  std::vector<double> block_mean_fraction = {}, block_most_fraction = {};
  std::vector<std::uint8_t> has_job = {};   ///< [node] of such a job
  std::vector<double> switch_traffic = {};  ///< [switch] the same of all work
  std::vector<double> rack_w = {};          ///< [network rack] while it has power; empty: to be found anew

  bool operator==(const FabricState&) const = default;
};

/// How the state at time zero came about.
struct BeginState {
  double warm_up_s = 0.0;  ///< of work before time zero
  double settling_s =
      0.0;  ///< from time zero on the run still follows from its begin; 0: its work has brought it there

  bool operator==(const BeginState&) const = default;
};

struct PlantState {
  double time_s = 0.0;
  std::vector<double> states;  ///< [state_count]
  std::vector<double> inputs;  ///< [input_count]
  electrical::SwitchState switches;
  WorkState work;
  EquipmentState equipment;
  SwitchingState switching;
  OverloadState overload;
  LimitState limits;
  std::vector<EconomiserState> economisers;  ///< [economiser]
  electrical::TreeVoltages voltages;         ///< as of the last instant; empty where `Plant::voltages` is
  BeginState begin;
  FabricState fabric;
};

/// How fast the fans of a rack's nodes turn, over full speed: not at all where they have failed.
inline double fan_speed_fraction(const PlantState& state, std::size_t rack) {
  const std::vector<std::uint8_t>& failed = state.equipment.have_fans_failed;
  return !failed.empty() && failed[rack] != 0 ? 0.0 : state.work.fan_fraction[rack];
}

/// Clock that a GPU has at most, whatever its die: below 1 of one that an event made slow.
inline double highest_clock_fraction(const PlantState& state, std::size_t gpu) {
  const std::vector<std::uint8_t>& percent = state.equipment.slow_gpu_percent;
  return percent.empty() || percent[gpu] == 0 ? 1.0 : percent[gpu] / 100.0;
}

/// Whether the fabric joins a node to most others.
inline bool is_on_fabric(const PlantState& state, std::size_t node) {
  return state.fabric.node_part.empty() || state.fabric.node_part[node] == 0;
}

inline bool is_node_drained(const PlantState& state, std::size_t node) {
  return std::ranges::any_of(state.equipment.orders, [&](const FlagOverride& order) {
    return order.flag == FlagOverride::Flag::node_drained && order.part == node && order.value() != 0;
  });
}

inline bool has_node_failed(const PlantState& state, std::size_t node) {
  const std::vector<std::uint8_t>& failed = state.equipment.have_nodes_failed;
  return !failed.empty() && failed[node] != 0;
}

/// State at time zero before the steady-state search: typical temperatures, meters at zero, initial inputs.
PlantState initial_state(const Plant& plant);

}  // namespace wattloop::twin
