// What events do when their time has come.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/actions/events/applied_events.hpp"
#include "twin/actions/events/event_orders.hpp"
#include "twin/actions/events/fabric_events.hpp"
#include "twin/plant/state/branch_orders.hpp"
#include "twin/plant/state/flag_overrides.hpp"

namespace wattloop::twin {

namespace {

/// "free", "30 %", "running", "stopped".
std::string fault_text(const FaultSetting& fault, double value) {
  if (fault.name == part_failed.name) return value > 0.0 ? "stopped" : "running";
  if (fault.name == stuck_at.name && value < 0.0) return "free";
  return fmt::format("{:.4g} %", 100.0 * value);
}

using Action = ScheduledEvent::Action;
using TargetKind = ScheduledEvent::TargetKind;

std::string setting_text(const Plant& plant, const ScheduledEvent& event, double value) {
  if (event.fault != nullptr) return fault_text(*event.fault, value);
  for (const SettingPart& setting : plant.settings) {
    if (setting.input == event.target) return format_quantity(value, setting.unit);
  }
  return fmt::format("{}", value);
}

/// The course of a setting; one that holds where no event has changed it yet.
SettingCourse& course_of(std::size_t input, PlantState& state) {
  std::vector<SettingCourse>& courses = state.equipment.courses;
  const auto found = std::find_if(courses.begin(), courses.end(),
                                  [input](const SettingCourse& course) { return course.input == input; });
  if (found != courses.end()) return *found;
  const double value = state.inputs[input];
  courses.push_back({.input = input, .lasting = {value, value, state.time_s, state.time_s}});
  return courses.back();
}

bool has_course(std::size_t input, const PlantState& state) {
  return std::ranges::any_of(state.equipment.courses,
                             [input](const SettingCourse& course) { return course.input == input; });
}

void change_setting(const Plant& plant, const ScheduledEvent& event, PlantState& state,
                    std::vector<EventRecord>& events) {
  if (event.needs_earlier && !has_course(event.target, state)) return;
  SettingCourse& course = course_of(event.target, state);
  const double now_s = state.time_s, end_s = now_s + event.over_s;
  const double before = course.at(now_s);
  const double value = event.stuck_state == no_part ? event.value : state.states[event.stuck_state];
  bool is_there = true, is_limited = false;
  const auto changed_from = [&](double earlier) {
    const double requested = earlier + event.value,
                 possible = std::clamp(requested, event.lowest_value, event.highest_value);
    is_limited = possible != requested;
    return possible;
  };
  if (event.action == Action::set_back) {
    is_there = end_temporary(course, event.pair, now_s, event.over_s);
  } else if (event.pair != 0) {
    const double requested = event.action == Action::set_by ? changed_from(before) : value;
    set_temporary(course, event.pair, {before, requested, now_s, end_s});
  } else {
    const double requested = event.action == Action::set_by ? changed_from(course.lasting.at(now_s)) : value;
    set_lasting(course, requested, now_s, event.over_s);
  }
  course.is_moving = true;
  const std::string over =
      (event.over_s > 0.0 ? " over " + format_quantity(event.over_s, "s") : "") +
      (is_limited ? fmt::format(", the {} that it can have", event.value > 0.0 ? "most" : "least") : "");
  events.push_back({now_s, event.fault == nullptr ? "set" : event.kind, event.name,
                    is_there ? fmt::format("from {} to {}{}", setting_text(plant, event, before),
                                           setting_text(plant, event, course.at(end_s)), over)
                             : "the end of a temporary setting; a later setting remains in force"});
}

/// Gives the order and says whether it, or its end, found what it is about.
bool give(const ScheduledEvent& event, const OrderedFlag& flag, bool requested) {
  if (event.is_end) return flag.end(event.pair);
  if (event.pair != 0) {
    flag.set_for_a_while(requested ? 1 : 0, event.pair);
  } else {
    flag.set(requested ? 1 : 0);
  }
  return true;
}

void order_motor(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  const MotorPart& motor = plant.motors[event.target];
  const OrderedFlag failed{state.equipment.orders, FlagOverride::Flag::motor_failed, event.target,
                           state.equipment.is_failed[event.target]};
  const std::uint8_t before = failed.value;
  const bool is_in_force = give(event, failed, event.action == Action::fail);
  if (failed.value != 0) {
    state.equipment.is_running[event.target] = 0;
    state.inputs[motor.command_input] = 0.0;
  }
  events.push_back(order_record(event, motor.name, state.time_s, {is_in_force, failed.value != before}));
}

/// What stands in the way of a switch.
struct SwitchOrders {
  OrderedFlag open, failed;
  bool is_normally_open;
  bool was_reversed = false;  ///< by a rule, which ends with the order

  bool was_off() const { return (open.value != 0) != was_reversed || failed.value != 0; }
  bool is_off() const { return open.value != 0 || failed.value != 0; }
};

/// False where it ends an order that is not in force any more.
bool order_switch(const ScheduledEvent& event, const SwitchOrders& orders, double now_s,
                  std::vector<EventRecord>& events) {
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const bool was_off = orders.was_off();
  bool is_in_force = true;
  if (begun == Action::open || begun == Action::close) {
    is_in_force = give(event, orders.open, begun == Action::open);
  } else {
    is_in_force = give(event, orders.failed, begun == Action::fail);
    if (begun == Action::restore) give(event, orders.open, orders.is_normally_open);
  }
  events.push_back(order_record(event, event.name, now_s, {is_in_force, orders.is_off() != was_off}));
  const bool is_locked = !event.is_end && event.action == Action::close && orders.failed.value != 0;
  if (is_locked) events.back().detail = "scenario; failed, stays open";
  return is_in_force;
}

SwitchOrders orders_of_branch(const Plant& plant, std::size_t branch, PlantState& state) {
  using Flag = FlagOverride::Flag;
  SwitchingState& switching = state.switching;
  std::vector<FlagOverride>& orders = state.equipment.orders;
  return {{orders, Flag::branch_open, branch, switching.branch_is_open[branch]},
          {orders, Flag::branch_failed, branch, switching.branch_is_failed[branch]},
          plant.power_tree.branch_normally_closed[branch] == 0 &&
              plant.power_tree.branch_bypassed[branch] == electrical::no_branch};
}

/// A branch that closes by itself and may not close now is open in its orders, as its rule has it.
void leave_to_rule(const Plant& plant, std::size_t branch, PlantState& state) {
  const auto has_rule = [&](const AutomaticSwitch& part) { return part.branch == branch; };
  if (std::ranges::none_of(plant.switch_rules.automatic, has_rule)) return;
  orders_of_branch(plant, branch, state).open.set(1);
  note_order_to_branch(plant, branch, true, state);
}

/// From now on people decide. What an interlock forbids to close is refused, and changes nothing.
void order_branch(const Plant& plant, const ScheduledEvent& event, PlantState& state,
                  std::vector<EventRecord>& events) {
  const std::size_t branch = event.target;
  const InterlockPart* lock = forbidding_interlock(plant, state.switching, branch);
  if (lock != nullptr && event.action == Action::close && !event.is_end) {
    events.push_back(order_record(event, event.name, state.time_s, {true, true}));
    events.back().detail += fmt::format("; refused: interlock {} forbids it", lock->name);
    return;
  }
  state.switching.bypass_return_s[branch] = std::numeric_limits<double>::infinity();
  SwitchOrders orders = orders_of_branch(plant, branch, state);
  orders.was_reversed = state.switching.branch_is_reversed[branch] != 0;
  if (!order_switch(event, orders, state.time_s, events)) return;
  note_order_to_branch(plant, branch, event.is_end || event.action == Action::restore, state);
  if (const InterlockPart* holding = holding_interlock(plant, state.switching, branch);
      holding != nullptr && state.switches.branch_closed[branch] == 0) {
    events.back().detail += fmt::format("; stays open while interlock {} forbids it", holding->name);
    leave_to_rule(plant, branch, state);
  }
}

SwitchOrders orders_of_source(const Plant& plant, std::size_t source, PlantState& state) {
  using Flag = FlagOverride::Flag;
  SwitchingState& switching = state.switching;
  std::vector<FlagOverride>& orders = state.equipment.orders;
  const electrical::PowerTree& tree = plant.power_tree;
  return {{orders, Flag::source_open, source, switching.source_is_open[source]},
          {orders, Flag::source_failed, source, switching.source_is_failed[source]},
          tree.source_is_standby[source] == 0 && tree.source_normally_live[source] == 0};
}

/// One flag of all parts of one kind, of which few ever get an order: `flags` exists from the first order on.
OrderedFlag rare_flag(FlagOverride::Flag flag, const ScheduledEvent& event, std::size_t parts, PlantState& state,
                      std::vector<std::uint8_t>& flags) {
  flags.resize(parts, 0);
  return {state.equipment.orders, flag, event.target, flags[event.target]};
}

/// A rack, of nodes or of switches, with the fans of its door, which are a load of their own that nothing is said of.
void order_load(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  const std::size_t loads = plant.power_tree.load_name.size();
  state.switches.load_open.resize(loads, 0);
  const OrderedFlag open = rare_flag(FlagOverride::Flag::load_open, event, loads, state, state.switching.load_is_open);
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const std::uint8_t before = open.value;
  const bool is_in_force = give(event, open, begun == Action::open);
  if (plant.power_tree.load_name[event.target] == event.name)
    events.push_back(order_record(event, event.name, state.time_s, {is_in_force, open.value != before}));
}

/// Fans of the nodes of a rack.
void order_fans(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  const OrderedFlag failed =
      rare_flag(FlagOverride::Flag::fans_failed, event, plant.it.racks.size(), state, state.equipment.have_fans_failed);
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const std::uint8_t before = failed.value;
  const bool is_in_force = give(event, failed, begun == Action::fail);
  events.push_back(order_record(event, event.name, state.time_s, {is_in_force, failed.value != before}));
}

/// Its supply and firmware look at its nodes next.
void look_at_rack_of(const Plant& plant, std::size_t node, PlantState& state) {
  const auto next = std::ranges::upper_bound(plant.it.racks, node, {}, &RackPart::first_node);
  state.work.is_restrained[static_cast<std::size_t>(next - plant.it.racks.begin()) - 1] = 1;
}

void order_node(const Plant& plant, ScheduledEvent event, std::size_t node, PlantState& state,
                std::vector<EventRecord>& events) {
  event.target = node;
  const OrderedFlag failed = rare_flag(FlagOverride::Flag::node_failed, event, plant.it.node_count(), state,
                                       state.equipment.have_nodes_failed);
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const std::uint8_t before = failed.value;
  const bool is_in_force = give(event, failed, begun == Action::fail);
  double& due_s = state.work.node_due_s[node];  // of one that failed by chance: when it is repaired
  const bool is_out = state.work.node_is[node] == NodeIs::failed;
  if (failed.value == 0 && is_out && (!event.is_end || std::isinf(due_s))) due_s = state.time_s;
  look_at_rack_of(plant, node, state);
  events.push_back(order_record(event, event.name, state.time_s, {is_in_force, failed.value != before}));
}

/// A GPU is slow by itself; one that fails takes its node along, and is restored with it.
void order_gpu(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  const auto group = std::ranges::find_if(plant.it.groups, [&](const RackGroup& one) {
    return event.target >= one.first_gpu && event.target < one.first_gpu + one.gpu_count();
  });
  const std::size_t node = group->first_node + group->unit_of(event.target) / group->gpus_per_node;
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const bool is_slow = highest_clock_fraction(state, event.target) < 1.0;
  const bool is_out = has_node_failed(state, node) || state.work.node_is[node] == NodeIs::failed;
  if (begun == Action::fail || (begun == Action::restore && (!is_slow || is_out)))
    order_node(plant, event, node, state, events);
  if (begun == Action::fail || (begun == Action::restore && !is_slow)) return;
  const double limit_before = highest_clock_fraction(state, event.target);
  const OrderedFlag slow =
      rare_flag(FlagOverride::Flag::gpu_slow, event, plant.it.gpu_count(), state, state.equipment.slow_gpu_percent);
  const std::uint8_t before = slow.value;
  const auto percent = static_cast<std::uint8_t>(begun == Action::slow ? std::lround(100.0 * event.value) : 0);
  bool is_in_force = true;
  if (event.is_end) {
    is_in_force = slow.end(event.pair);
  } else if (event.pair != 0) {
    slow.set_for_a_while(percent, event.pair);
  } else {
    slow.set(percent);
  }
  double& clock = state.work.clock_fraction[event.target];
  const double limit = highest_clock_fraction(state, event.target);
  clock = clock == limit_before ? limit : std::min(clock, limit);  // firmware lowers it further where it must
  look_at_rack_of(plant, node, state);
  events.push_back(order_record(event, event.name, state.time_s, {is_in_force, slow.value != before}));
}

/// Watts asked of all GPUs from now on, whatever the work asks of them.
void ask_of_gpus(const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  const auto sum_text = [](const std::vector<double>& watts) {
    return format_quantity(std::accumulate(watts.begin(), watts.end(), 0.0), "W");
  };
  std::vector<double>& watts = state.work.set_gpu_w;
  const std::string before = watts.empty() ? "what the work asks" : sum_text(watts);
  watts = *event.gpu_w;
  const auto [lowest, highest] = std::ranges::minmax_element(watts);
  events.push_back({state.time_s, "set", event.name,
                    fmt::format("from {} to {} in all, {} to {} each", before, sum_text(watts),
                                format_quantity(*lowest, "W"), format_quantity(*highest, "W"))});
}

/// A node or all nodes of a rack get no job any more, or may again. The scheduler looks at them at its next decision.
void order_drain(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  const bool is_rack = event.target_kind == TargetKind::rack;
  const std::size_t first = is_rack ? plant.it.racks[event.target].first_node : event.target;
  const std::size_t nodes = is_rack ? plant.it.nodes_in(event.target) : 1;
  const workload::Placement& where = state.work.queue.where;
  OrderChange all{.is_in_force = false};
  std::size_t busy = 0;
  for (std::size_t node = first; node < first + nodes; ++node) {
    const OrderChange change = give_rare_order(event, FlagOverride::Flag::node_drained, node,
                                               event.action == Action::drain ? 1 : 0, state.equipment.orders);
    all.is_in_force = all.is_in_force || change.is_in_force;
    all.has_changed = all.has_changed || change.has_changed;
    busy += !where.is_fixed() && where.slot_of_node[node] != workload::Placement::free_node ? 1 : 0;
  }
  state.work.queue.is_due = true;
  events.push_back(order_record(event, event.name, state.time_s, all));
  if (event.action == Action::drain && busy > 0)
    events.back().detail += fmt::format("; {} of {} nodes at work until their jobs end", busy, nodes);
}

/// The branch of which it is a module.
std::size_t branch_of_module(const electrical::PowerTree& tree, std::size_t module) {
  const auto after = std::upper_bound(tree.branch_first_module.begin(), tree.branch_first_module.end(), module);
  return static_cast<std::size_t>(after - tree.branch_first_module.begin()) - 1;
}

void order_module(const Plant& plant, const ScheduledEvent& event, PlantState& state,
                  std::vector<EventRecord>& events) {
  const electrical::PowerTree& tree = plant.power_tree;
  std::vector<std::uint8_t>& is_failed = state.switching.module_is_failed;
  const OrderedFlag failed{state.equipment.orders, FlagOverride::Flag::module_failed, event.target,
                           is_failed[event.target]};
  const std::uint8_t before = failed.value;
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const bool is_in_force = give(event, failed, begun == Action::fail);
  const bool has_changed = failed.value != before;
  events.push_back(order_record(event, event.name, state.time_s, {is_in_force, has_changed}));
  const std::size_t branch = branch_of_module(tree, event.target);
  const auto first = is_failed.begin() + static_cast<std::ptrdiff_t>(tree.branch_first_module[branch]);
  const int all = tree.branch_modules[branch];
  if (!has_changed) return;
  const bool has_batteries = tree.branch_battery_j[branch] > 0.0 && tree.branch_shares_battery[branch] == 0;
  events.back().detail += fmt::format("; {} of {} modules in service{}", std::count(first, first + all, 0), all,
                                      has_batteries ? ", with their batteries" : "");
}

}  // namespace

void apply_event(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  if (event.action == Action::drain || event.action == Action::resume) return order_drain(plant, event, state, events);
  switch (event.target_kind) {
    case TargetKind::rack:  // is drained only
      return;
    case TargetKind::gpus:
      return ask_of_gpus(event, state, events);
    case TargetKind::input:
      return change_setting(plant, event, state, events);
    case TargetKind::motor:
      return order_motor(plant, event, state, events);
    case TargetKind::load:
      return order_load(plant, event, state, events);
    case TargetKind::fans:
      return order_fans(plant, event, state, events);
    case TargetKind::module:
      return order_module(plant, event, state, events);
    case TargetKind::fabric:
      return order_fabric(event, state, events);
    case TargetKind::node:
      return order_node(plant, event, event.target, state, events);
    case TargetKind::gpu:
      return order_gpu(plant, event, state, events);
    case TargetKind::branch:
      return order_branch(plant, event, state, events);
    case TargetKind::source:
      order_switch(event, orders_of_source(plant, event.target, state), state.time_s, events);
      return;
  }
}

bool advance_settings(PlantState& state) {
  bool any = false;
  for (SettingCourse& course : state.equipment.courses) {
    if (!course.is_moving) continue;
    any = true;
    state.inputs[course.input] = course.at(state.time_s);
    drop_gone(course, state.time_s);
    course.is_moving = course.moves_after(state.time_s);
  }
  return any;
}

bool is_a_setting_moving(const PlantState& state) {
  const std::vector<SettingCourse>& courses = state.equipment.courses;
  return std::any_of(courses.begin(), courses.end(), [](const SettingCourse& course) { return course.is_moving; });
}

}  // namespace wattloop::twin
