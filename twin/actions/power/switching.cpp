#include "twin/actions/power/switching.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/actions/power/automatic_switches.hpp"
#include "twin/actions/power/bypass.hpp"
#include "twin/actions/power/feed_roots.hpp"
#include "twin/actions/power/switch_decisions.hpp"
#include "twin/actions/power/switching_report.hpp"
#include "twin/plant/state/branch_orders.hpp"
#include "twin/plant/state/power_gap.hpp"

namespace wattloop::twin {

namespace {

using electrical::BranchMode;

constexpr double never_s = std::numeric_limits<double>::infinity();

bool is_able(const SwitchingState& switching, std::size_t source) {
  return switching.source_is_open[source] == 0 && switching.source_is_failed[source] == 0;
}

/// Calls `visit` with every decided switch and what orders, charges and timers make of it.
template <class Visit>
void visit_decisions(const Plant& plant, PlantState& state, Visit visit) {
  const electrical::PowerTree& tree = plant.power_tree;
  const SwitchingState& switching = state.switching;
  electrical::SwitchState& switches = state.switches;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    visit(switches.branch_closed[branch], may_carry(plant, switching, branch));
  }
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    const bool is_due = tree.source_is_standby[source] == 0 || switching.ready_s[source] <= state.time_s;
    visit(switches.source_live[source], is_able(switching, source) && is_due);
  }
  for (std::size_t load = 0; load < switching.load_is_open.size(); ++load)
    visit(switches.load_open[load], switching.load_is_open[load] != 0);
  for (const BatteryPart& battery : plant.batteries) {
    visit(switches.battery_ready[battery.branch], state.states[battery.charge_state] > 0.0);
  }
}

/// Modules of a battery's branch, if each has a battery of its own: which have failed, and what they keep.
struct ModulesOf {
  std::span<const std::uint8_t> is_failed;
  std::span<double> kept_charge;

  bool is_out(std::size_t module) const { return kept_charge[module] != SwitchingState::is_at_hand; }
  bool have_changed() const {
    for (std::size_t module = 0; module < is_failed.size(); ++module)
      if (is_out(module) != (is_failed[module] != 0)) return true;
    return false;
  }
};

ModulesOf modules_of(const electrical::PowerTree& tree, SwitchingState& switching, const BatteryPart& battery) {
  if (battery.is_shared) return {};
  const std::size_t first = tree.branch_first_module[battery.branch];
  const auto count = static_cast<std::size_t>(tree.branch_modules[battery.branch]);
  return {std::span<const std::uint8_t>(switching.module_is_failed).subspan(first, count),
          std::span(switching.kept_charge).subspan(first, count)};
}

/// Whether modules failed, or work again, since the last time: others than before, too, where as many are out.
bool have_modules_changed(const Plant& plant, PlantState& state) {
  const electrical::PowerTree& tree = plant.power_tree;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (state.switches.branch_in_service_share[branch] != share_in_service(tree, state.switching, branch)) return true;
  }
  return std::ranges::any_of(plant.batteries, [&](const BatteryPart& battery) {
    return modules_of(tree, state.switching, battery).have_changed();
  });
}

/// Takes the batteries of modules that went out along, with their charge, and joins those of modules that are back. Those in service are
/// charged alike.
void move_batteries(double& charge, const ModulesOf& modules) {
  const std::size_t count = modules.is_failed.size();
  auto in_service = std::ranges::count(modules.kept_charge, SwitchingState::is_at_hand);
  for (std::size_t module = 0; module < count; ++module) {
    if (modules.is_failed[module] == 0 || modules.is_out(module)) continue;
    modules.kept_charge[module] = charge / static_cast<double>(in_service--);
    charge = in_service > 0 ? charge - modules.kept_charge[module] : 0.0;
  }
  for (std::size_t module = 0; module < count; ++module) {
    if (modules.is_failed[module] != 0 || !modules.is_out(module)) continue;
    charge += modules.kept_charge[module];
    modules.kept_charge[module] = SwitchingState::is_at_hand;
  }
}

void set_modules_in_service(const Plant& plant, PlantState& state) {
  for (const BatteryPart& battery : plant.batteries)
    move_batteries(state.states[battery.charge_state], modules_of(plant.power_tree, state.switching, battery));
  for (std::size_t branch = 0; branch < plant.power_tree.branch_name.size(); ++branch)
    state.switches.branch_in_service_share[branch] = share_in_service(plant.power_tree, state.switching, branch);
}

/// Sets the decided switches and energises the tree. The first time that anything changes, `before` keeps what was.
bool settle(const Plant& plant, PlantState& state, electrical::SwitchState& before) {
  bool differs = have_modules_changed(plant, state);
  visit_decisions(plant, state,
                  [&](std::uint8_t& now, bool requested) { differs = differs || (now != 0) != requested; });
  if (!differs) return false;
  if (before.bus_live.empty()) before = state.switches;
  set_modules_in_service(plant, state);  // before it is asked which batteries are ready: their charge moves
  visit_decisions(plant, state, [](std::uint8_t& now, bool requested) { now = requested ? 1 : 0; });
  electrical::energise(plant.power_tree, state.switches);  // fed by feed and generators at once: those carry
  return true;
}

/// Of generators on a bus that nothing leads to: whether what hangs behind it has power without them.
bool is_needed_by_none(const electrical::PowerTree& tree, const electrical::SwitchState& switches, std::size_t bus) {
  for (std::size_t branch = 0; branch < tree.branch_to.size(); ++branch) {
    const int from = tree.branch_from[branch], to = tree.branch_to[branch], here = static_cast<int>(bus);
    if (to == here && tree.branch_goes_both_ways[branch] == 0) return false;  // it has a feed, which is dead
    if (from != here && to != here) continue;
    const bool is_other_dead = switches.bus_live[static_cast<std::size_t>(from == here ? to : from)] == 0;
    if (is_other_dead || switches.branch_mode[branch] == BranchMode::carrying) return false;
  }
  return true;
}

bool any_is_live(const StandbyPart& part, const PlantState& state) {
  return std::any_of(part.sources.begin(), part.sources.end(),
                     [&](std::size_t source) { return state.switches.source_live[source] != 0; });
}

/// Reports what all or some generators of a side did. `sets` is not empty.
void report_sets(const Plant& plant, const StandbyPart& part, const std::vector<std::size_t>& sets, EventRecord record,
                 std::vector<EventRecord>& events) {
  if (sets.size() == part.sources.size()) {
    record.target = name_of_sets(plant, part);
  } else if (sets.size() == 1) {
    record.target = plant.power_tree.source_name[sets.front()];
  } else {
    std::vector<std::string> names;
    for (const std::size_t source : sets) names.push_back(plant.power_tree.source_name[source]);
    record.target = part.name;
    record.detail += ": " + list_text(names);
  }
  events.push_back(std::move(record));
}

void start_sets(const Plant& plant, const StandbyPart& part, PlantState& state, std::vector<EventRecord>& events) {
  std::vector<std::size_t> started;
  for (const std::size_t source : part.sources) {
    double& ready_s = state.switching.ready_s[source];
    if (!part.is_enabled || !is_able(state.switching, source) || ready_s < never_s) continue;
    ready_s = state.time_s + part.start_time_s;
    started.push_back(source);
  }
  if (started.empty()) return;
  const std::string why = fmt::format("{} lost its feed", plant.power_tree.bus_name[part.bus]);
  report_sets(plant, part, started, {state.time_s, "generator_start", {}, why}, events);
}

void stop_sets(const Plant& plant, const StandbyPart& part, std::string_view why, PlantState& state,
               std::vector<EventRecord>& events) {
  std::vector<std::size_t> stopped;
  for (const std::size_t source : part.sources) {
    if (state.switching.ready_s[source] == never_s) continue;
    state.switching.ready_s[source] = never_s;
    stopped.push_back(source);
  }
  if (stopped.empty()) return;
  report_sets(plant, part, stopped, {state.time_s, "generator_stop", {}, std::string(why)}, events);
}

/// Generators that may not run stand; start times begin anew when they may.
void drop_unable(const StandbyPart& part, SwitchingState& switching) {
  for (const std::size_t source : part.sources) {
    if (!part.is_enabled || !is_able(switching, source)) switching.ready_s[source] = never_s;
  }
}

/// Starts and stops the generators of one side by what its bus is fed by now.
void run_standby(const Plant& plant, std::size_t number, PlantState& state, std::vector<EventRecord>& events) {
  const StandbyPart& part = plant.standby[number];
  double& feed_back_s = state.switching.feed_back_s[number];
  drop_unable(part, state.switching);
  if (!has_feed(plant.power_tree, state.switches, part.bus) &&
      !is_needed_by_none(plant.power_tree, state.switches, part.bus)) {
    feed_back_s = never_s;
    start_sets(plant, part, state, events);
  } else if (!any_is_live(part, state)) {
    stop_sets(plant, part, "feed back before they took load", state, events);
    feed_back_s = never_s;
  } else {
    feed_back_s = std::min(feed_back_s, state.time_s);
    if (state.time_s < feed_back_s + part.retransfer_delay_s) return;
    stop_sets(plant, part, fmt::format("feed back for {}", format_quantity(part.retransfer_delay_s, "s")), state,
              events);
    feed_back_s = never_s;
  }
}

/// Whether a transfer switch has gone over to the other bus: for a moment neither feeds.
bool has_gone_over(const Plant& plant, const electrical::SwitchState& before, const PlantState& state,
                   std::size_t load) {
  return plant.power_tree.load_transfers[load] != 0 && electrical::is_served(before, load) &&
         before.cord_share[load] != state.switches.cord_share[load];
}

/// Motors on dead buses stop, and those without UPS whose transfer switch goes over; when they have power they may start after their
/// delay. Static switches behind UPS go over within a quarter of a cycle.
void cut_motors(const Plant& plant, const electrical::SwitchState& before, PlantState& state) {
  for (std::size_t m = 0; m < plant.motors.size(); ++m) {
    const MotorPart& motor = plant.motors[m];
    const bool is_served = electrical::is_served(state.switches, motor.load);
    if (is_served && !electrical::is_served(before, motor.load)) state.equipment.power_back_s[m] = state.time_s;
    const bool has_gap = !motor.rides_through && has_gone_over(plant, before, state, motor.load);
    if (is_served && has_gap) state.equipment.power_back_s[m] = state.time_s;
    if (is_served && !has_gap) continue;
    state.inputs[motor.command_input] = 0.0;
    state.equipment.is_running[m] = 0;
  }
}

}  // namespace

bool switch_power(const Plant& plant, PlantState& state, std::vector<EventRecord>& events) {
  electrical::SwitchState before;
  return_from_bypasses(plant, state);
  open_what_interlocks_forbid(plant, state, events);
  bool changed = settle(plant, state, before);
  if (changed || is_automatic_switch_due(state))
    changed = act_automatic_switches(plant, state, before, events) || changed;
  for (std::size_t number = 0; number < plant.standby.size(); ++number) run_standby(plant, number, state, events);
  const bool have_sets_changed = settle(plant, state, before);
  if (have_sets_changed) act_automatic_switches(plant, state, before, events);
  changed = changed || have_sets_changed;
  if (!changed) return false;
  report_switching(plant, before, state, events);
  cut_motors(plant, before, state);
  return true;
}

double next_switching_s(const Plant& plant, const PlantState& state) {
  double next_s = next_automatic_s(state);
  for (const double ready_s : state.switching.ready_s) {
    if (ready_s > state.time_s) next_s = std::min(next_s, ready_s);
  }
  for (const double return_s : state.switching.bypass_return_s) next_s = std::min(next_s, return_s);
  for (std::size_t number = 0; number < plant.standby.size(); ++number) {
    next_s = std::min(next_s, state.switching.feed_back_s[number] + plant.standby[number].retransfer_delay_s);
  }
  return next_s;
}

void switch_until(double time_s, const Plant& plant, PlantState& state, std::vector<EventRecord>& events) {
  switch_power(plant, state, events);
  for (double next_s = next_switching_s(plant, state); next_s < time_s; next_s = next_switching_s(plant, state)) {
    state.time_s = next_s;
    switch_power(plant, state, events);
  }
}

}  // namespace wattloop::twin
