#include "twin/actions/work/node_states.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "physics/units/node_rack.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "twin/plant/state/power_gap.hpp"

namespace wattloop::twin {

namespace {

using workload::InletStage;

bool is_supplied(const Plant& plant, const PlantState& state, std::size_t rack) {
  return electrical::is_served(state.switches, plant.it.racks[rack].load);
}

/// Nodes to which the same happens at one instant, rack by rack.
class Together {
 public:
  explicit Together(const Plant& plant) : plant_(plant) {}

  void add(std::size_t rack, std::size_t nodes, double inlet_k = 0.0) {
    if (nodes == 0) return;
    if (racks_ == 0) first_ = rack;
    last_ = rack;
    racks_ += 1;
    nodes_ += nodes;
    hottest_k_ = std::max(hottest_k_, inlet_k);
  }
  bool is_any() const { return racks_ > 0; }

  /// One event for all of them: `why` after who they are.
  void report(double time_s, const char* kind, const std::string& why, std::vector<EventRecord>& events) const {
    if (racks_ == 0) return;
    const std::string& first = plant_.it.racks[first_].name;
    const std::string count = count_text(nodes_, "node");
    if (racks_ == 1) {
      events.push_back({time_s, kind, first, fmt::format("{}; {}", count, why)});
    } else {
      events.push_back({time_s, kind, fmt::format("{} racks", racks_),
                        fmt::format("{}, {} to {}; {}", count, first, plant_.it.racks[last_].name, why)});
    }
  }

  std::string inlet_text() const { return fmt::format("inlet air at {:.2f} degC", hottest_k_ - 273.15); }

 private:
  const Plant& plant_;
  std::size_t racks_ = 0, nodes_ = 0, first_ = 0, last_ = 0;
  double hottest_k_ = 0.0;
};

/// The nodes of one rack at one instant, which may be changed.
class RackNodes {
 public:
  RackNodes(const RackNow& now, PlantState& state)
      : now_(now),
        state_(state),
        first_(now.plant.it.racks[now.rack].first_node),
        is_supplied_(twin::is_supplied(now.plant, state, now.rack)),
        is_held_up_(!is_supplied_ && is_gap_carried(state, now.group().hold_up_s)) {}

  std::size_t begin() const { return first_; }
  std::size_t end() const { return first_ + now_.group().nodes_per_rack; }
  bool is_supplied() const { return is_supplied_; }
  /// Without supply, but a switch acts before the energy in the power supplies is used up.
  bool is_held_up() const { return is_held_up_; }
  NodeIs at(std::size_t node) const { return state_.work.node_is[node]; }
  void never_due(std::size_t node) { state_.work.node_due_s[node] = std::numeric_limits<double>::infinity(); }
  bool has_failed(std::size_t node) const { return has_node_failed(state_, node); }
  bool is_due(std::size_t node) const { return state_.work.node_due_s[node] <= now_.time_s; }

  std::size_t count_on() const {
    std::size_t count = 0;
    for (std::size_t node = begin(); node < end(); ++node) count += is_switched_on(at(node)) ? 1 : 0;
    return count;
  }

  /// Without clock where it is switched off; full clock, reported by no one, where it has no supply.
  void put(std::size_t node, NodeIs is) {
    state_.work.node_is[node] = is;
    const std::size_t gpus = now_.group().gpus_per_node;
    const std::size_t first_gpu = now_.plant.it.racks[now_.rack].first_gpu + (node - first_) * gpus;
    for (std::size_t gpu = first_gpu; gpu < first_gpu + gpus; ++gpu) {
      state_.work.clock_fraction[gpu] = is_switched_on(is)             ? allowed_clock(now_, gpu, state_)
                                        : is == NodeIs::without_supply ? 1.0
                                                                       : 0.0;
    }
  }

  /// What is to start boots, as soon as it has its supply and its inlet air lets it.
  void start(std::size_t node) {
    if (state_.work.inlet_stage[now_.rack] == InletStage::off) return put(node, NodeIs::off_by_inlet);
    if (!is_supplied_) return put(node, NodeIs::without_supply);
    state_.work.node_due_s[node] = now_.time_s + now_.node.boot_time_s;
    put(node, now_.node.boot_time_s > 0.0 ? NodeIs::booting : NodeIs::at_work);
  }

  void note() { note_restraint(now_.plant, now_.rack, state_); }

 private:
  const RackNow now_;
  PlantState& state_;
  const std::size_t first_;
  const bool is_supplied_, is_held_up_;
};

/// Reports of nodes that start for a reason: they boot, or are back at once.
void report_start(const Together& nodes, const NodeCoupling& node, double time_s, const std::string& why,
                  std::vector<EventRecord>& events) {
  const bool boots = node.boot_time_s > 0.0;
  const std::string boot =
      boots ? fmt::format(", at work after a boot of {}", format_quantity(node.boot_time_s, "s")) : std::string();
  nodes.report(time_s, boots ? "node_start" : "nodes_back", why + boot, events);
}

/// What became of nodes at one instant, by what happened to them.
struct SupplyChanges {
  explicit SupplyChanges(const Plant& plant) : supplied(plant), cooled(plant), booted(plant), repaired(plant) {}
  Together supplied, cooled, booted, repaired;
  bool has_others = false;  ///< of whom nothing is reported here

  bool is_any() const {
    return has_others || supplied.is_any() || cooled.is_any() || booted.is_any() || repaired.is_any();
  }
};

void follow_rack(RackNodes nodes, std::size_t rack, SupplyChanges& changes) {
  std::size_t supplied = 0, cooled = 0, booted = 0, repaired = 0, others = 0;
  for (std::size_t node = nodes.begin(); node < nodes.end(); ++node) {
    const NodeIs is = nodes.at(node);
    if (nodes.has_failed(node)) {
      if (is == NodeIs::failed) continue;
      nodes.put(node, NodeIs::failed);
      nodes.never_due(node);
      ++others;
    } else if (is == NodeIs::failed) {
      if (!nodes.is_due(node)) continue;
      nodes.start(node);
      (is_switched_on(nodes.at(node)) ? repaired : others) += 1;
    } else if (is_switched_on(is) && !nodes.is_supplied()) {
      if (nodes.is_held_up()) continue;
      nodes.put(node, NodeIs::without_supply);
      ++others;
    } else if (is == NodeIs::without_supply && nodes.is_supplied()) {
      nodes.start(node);
      (is_switched_on(nodes.at(node)) ? supplied : others) += 1;
    } else if (is == NodeIs::off_by_die && nodes.is_due(node)) {
      nodes.start(node);
      (is_switched_on(nodes.at(node)) ? cooled : others) += 1;
    } else if (is == NodeIs::booting && nodes.is_due(node)) {
      nodes.put(node, NodeIs::at_work);
      ++booted;
    }
  }
  nodes.note();
  changes.has_others = changes.has_others || others > 0;
  changes.supplied.add(rack, supplied);
  changes.cooled.add(rack, cooled);
  changes.booted.add(rack, booted);
  changes.repaired.add(rack, repaired);
}

}  // namespace

std::vector<std::size_t> inlet_air_signals(const Plant& plant) {
  const auto& racks = parts_of<physics::NodeRack>(plant);
  std::vector<std::size_t> signals;
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack)
    signals.push_back(static_cast<std::size_t>(racks.now(rack, place_of_signal).inlet_air_k));
  return signals;
}

InletWatch::InletWatch(const Plant& plant, const NodeCouplings& nodes)
    : plant_(plant), nodes_(nodes), inlet_signals_(inlet_air_signals(plant)) {}

double InletWatch::inlet_k(std::size_t rack, const PlantState& state) const {
  const std::size_t signal = inlet_signals_[rack];
  return signal < plant_.map.state_count ? state.states[signal] : state.inputs[signal - plant_.map.input(0)];
}

InletStage InletWatch::next(std::size_t rack, const PlantState& state) const {
  const InletStage now = state.work.inlet_stage[rack];
  const workload::InletParams& protection = nodes_[plant_.it.racks[rack].group].inlet_air;
  return is_supplied(plant_, state, rack) ? workload::next_stage(protection, now, inlet_k(rack, state)) : now;
}

double InletWatch::hottest_k(const RackGroup& group, const PlantState& state) const {
  double hottest_k = 0.0;
  for (std::size_t rack = group.first_rack; rack < group.first_rack + group.rack_count; ++rack)
    hottest_k = std::max(hottest_k, inlet_k(rack, state));
  return hottest_k;
}

bool InletWatch::would_act(const PlantState& state) const {
  for (std::size_t rack = 0; rack < inlet_signals_.size(); ++rack) {
    if (next(rack, state) != state.work.inlet_stage[rack]) return true;
  }
  return false;
}

bool InletWatch::act(PlantState& state, std::vector<EventRecord>& events) const {
  bool has_changed = false;
  for (const RackGroup& group : plant_.it.groups) has_changed = act_on(group, state, events) || has_changed;
  return has_changed;
}

bool InletWatch::act_on(const RackGroup& group, PlantState& state, std::vector<EventRecord>& events) const {
  Together slowed(plant_), let_go(plant_), off(plant_), started(plant_);
  bool has_changed = false;
  for (std::size_t rack = group.first_rack; rack < group.first_rack + group.rack_count; ++rack) {
    const InletStage now = state.work.inlet_stage[rack], then = next(rack, state);
    if (then == now) continue;
    has_changed = true;
    state.work.inlet_stage[rack] = then;
    RackNodes nodes({plant_, nodes_, rack, state.time_s}, state);
    const std::size_t were_on = nodes.count_on();
    for (std::size_t node = nodes.begin(); node < nodes.end(); ++node) {
      if (is_switched_on(nodes.at(node)))
        nodes.put(node, then == InletStage::off ? NodeIs::off_by_inlet : nodes.at(node));
      if (now == InletStage::off && nodes.at(node) == NodeIs::off_by_inlet) nodes.start(node);
    }
    nodes.note();
    const double air_k = inlet_k(rack, state);
    if (now == InletStage::off) {
      started.add(rack, nodes.count_on() - were_on, air_k);
    } else {
      (then == InletStage::off ? off : then == InletStage::slowed ? slowed : let_go).add(rack, were_on, air_k);
    }
  }
  if (!has_changed) return false;
  const NodeCoupling& node = nodes_[plant_.it.racks[group.first_rack].group];
  const workload::InletParams& p = node.inlet_air;
  const auto report = [&](const Together& nodes, const char* kind, double limit_k, const std::string& what) {
    nodes.report(state.time_s, kind, fmt::format("{}, {} {}", nodes.inlet_text(), what, format_quantity(limit_k, "K")),
                 events);
  };
  report(off, "inlet_shutdown", p.shutdown_k, "switched off from");
  report(slowed, "inlet_slowdown", p.slowdown_k,
         fmt::format("clocks at {:.0f} % at most from", 100.0 * p.slowdown_clock_fraction));
  report(let_go, "inlet_slowdown_over", p.slowdown_k - p.hysteresis_k, "full clocks at and below");
  report_start(
      started, node, state.time_s,
      fmt::format("{}, allowed at and below {}", started.inlet_text(), format_quantity(p.highest_allowed_k, "K")),
      events);
  return true;
}

namespace {

bool follow_supply_of(const RackGroup& group, const Plant& plant, const NodeCouplings& nodes, PlantState& state,
                      std::vector<EventRecord>& events) {
  SupplyChanges changes(plant);
  for (std::size_t rack = group.first_rack; rack < group.first_rack + group.rack_count; ++rack) {
    if (state.work.is_restrained[rack] == 0 && is_supplied(plant, state, rack)) continue;  // as nearly always
    follow_rack(RackNodes({plant, nodes, rack, state.time_s}, state), rack, changes);
  }
  const NodeCoupling& node = nodes[plant.it.racks[group.first_rack].group];
  if (!changes.is_any()) return false;
  report_start(changes.supplied, node, state.time_s, "supply back", events);
  report_start(changes.cooled, node, state.time_s,
               fmt::format("off for {} after a die was too hot", format_quantity(node.protection.restart_after_s, "s")),
               events);
  report_start(changes.repaired, node, state.time_s, "repaired", events);
  changes.booted.report(state.time_s, "nodes_back", fmt::format("booted in {}", format_quantity(node.boot_time_s, "s")),
                        events);
  return true;
}

}  // namespace

bool follow_supply(const Plant& plant, const NodeCouplings& nodes, PlantState& state,
                   std::vector<EventRecord>& events) {
  bool has_changed = false;
  for (const RackGroup& group : plant.it.groups)
    has_changed = follow_supply_of(group, plant, nodes, state, events) || has_changed;
  return has_changed;
}

void put_node(const Plant& plant, const NodeCouplings& nodes, std::size_t node, NodeIs is, PlantState& state) {
  const auto next = std::ranges::upper_bound(plant.it.racks, node, {}, &RackPart::first_node);
  const auto rack = static_cast<std::size_t>(next - plant.it.racks.begin()) - 1;
  const RackNow now(plant, nodes, rack, state.time_s);
  const std::size_t gpus = now.group().gpus_per_node;
  const std::size_t first_gpu = plant.it.racks[rack].first_gpu + (node - plant.it.racks[rack].first_node) * gpus;
  state.work.node_is[node] = is;
  for (std::size_t gpu = first_gpu; gpu < first_gpu + gpus; ++gpu)
    state.work.clock_fraction[gpu] = is_switched_on(is) ? allowed_clock(now, gpu, state) : 0.0;
  note_restraint(plant, rack, state);
}

double next_node_s(const Plant& plant, const PlantState& state) {
  double next_s = std::numeric_limits<double>::infinity();
  const WorkState& work = state.work;
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack) {
    if (work.is_restrained[rack] == 0) continue;
    const std::size_t first = plant.it.racks[rack].first_node;
    for (std::size_t node = first; node < first + plant.it.nodes_in(rack); ++node) {
      const bool waits = work.node_is[node] == NodeIs::booting || work.node_is[node] == NodeIs::off_by_die ||
                         work.node_is[node] == NodeIs::failed;
      if (waits) next_s = std::min(next_s, work.node_due_s[node]);
    }
  }
  return next_s;
}

}  // namespace wattloop::twin
