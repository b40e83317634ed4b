#include "twin/actions/power/automatic_switches.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/actions/power/switch_decisions.hpp"
#include "twin/actions/power/switching_report.hpp"
#include "twin/plant/state/branch_orders.hpp"
#include "twin/plant/state/flag_overrides.hpp"

namespace wattloop::twin {

namespace {

using electrical::BranchMode;
using electrical::PowerTree;
using electrical::SwitchState;

constexpr double never_s = std::numeric_limits<double>::infinity();

/// Whether a source feeds the bus, and no battery on the way.
bool is_fed_by_source(const PowerTree& tree, const SwitchState& switches, int bus) {
  if (switches.bus_live[static_cast<std::size_t>(bus)] == 0) return false;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const auto [from, to] = electrical::ends_of_flow(tree, switches, branch);
    if (to != bus) continue;
    if (switches.branch_mode[branch] == BranchMode::on_battery) return false;
    if (switches.branch_mode[branch] == BranchMode::carrying) return is_fed_by_source(tree, switches, from);
  }
  return true;
}

/// [bus] 1 where closed branches lead to from a bus, without one of them and without equipment that has its own voltage.
std::vector<std::uint8_t> joined_to(int bus, const PowerTree& tree, const SwitchState& switches, std::size_t without) {
  std::vector<std::uint8_t> is_joined(tree.bus_name.size(), 0);
  is_joined[static_cast<std::size_t>(bus)] = 1;
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
      if (branch == without || switches.branch_closed[branch] == 0 || tree.branch_makes_voltage[branch] != 0) continue;
      std::uint8_t& from = is_joined[static_cast<std::size_t>(tree.branch_from[branch])];
      std::uint8_t& to = is_joined[static_cast<std::size_t>(tree.branch_to[branch])];
      has_grown = has_grown || from != to;
      from = to = from | to;
    }
  }
  return is_joined;
}

/// One of them, at an instant.
class AutomaticAction {
 public:
  AutomaticAction(const Plant& plant, std::size_t number, PlantState& state, SwitchState& before)
      : plant_(plant),
        tree_(plant.power_tree),
        part_(plant.switch_rules.automatic[number]),
        memory_(state.switching.automatic[number]),
        state_(state),
        before_(before) {}

  bool act(std::vector<EventRecord>& events) {
    if (memory_.is_by_hand != 0) {
      memory_.closes_s = memory_.returns_s = never_s;
      return false;
    }
    if (memory_.is_closed == 0) return try_to_close(events);
    memory_.closes_s = never_s;
    const bool has_returned = try_to_return(events);
    if (has_returned) try_to_close(events);  // what it fed may leave the other end dead
    return has_returned;
  }

 private:
  bool try_to_close(std::vector<EventRecord>& events) {
    const int from = tree_.branch_from[part_.branch], to = tree_.branch_to[part_.branch];
    const bool goes_back = tree_.branch_goes_both_ways[part_.branch] != 0;
    const bool is_from_fed = is_fed(from), is_to_fed = is_fed(to);
    const bool is_needed = (is_from_fed && !is_live(to)) || (goes_back && is_to_fed && !is_live(from));
    if (!is_needed || state_.switching.branch_is_failed[part_.branch] != 0) {
      memory_.closes_s = never_s;
      memory_.is_in_vain = 0;
      return false;
    }
    if (memory_.closes_s == never_s || memory_.closes_s < 0.0) memory_.closes_s = state_.time_s + part_.closes_after_s;
    if (state_.time_s < memory_.closes_s) return false;
    memory_.closes_s = never_s;
    if (!serves_anything()) return false;
    return close(is_from_fed ? to : from, events);
  }

  bool close(int dead, std::vector<EventRecord>& events) {
    const SwitchState was = state_.switches;
    const std::vector<std::uint8_t> reversed = state_.switching.branch_is_reversed;
    memory_.parted = fed_what_is_dead(was);
    state_.switching.branch_is_reversed[part_.branch] = 1;
    for (const int branch : memory_.parted) state_.switching.branch_is_reversed[static_cast<std::size_t>(branch)] = 1;
    energise_anew();
    if (!is_live(dead)) {
      state_.switching.branch_is_reversed = reversed;
      state_.switches = was;
      memory_.parted.clear();
      if (std::exchange(memory_.is_in_vain, std::uint8_t{1}) == 0)
        report(fmt::format("{} is dead: the switch stays open, because an interlock forbids closing", name(dead)),
               events);
      return false;
    }
    keep_before(was);
    memory_.is_closed = 1;
    memory_.dead_bus = dead;
    memory_.returns_s = never_s;
    const std::string after =
        part_.closes_after_s > 0.0 ? fmt::format(" after {}", format_quantity(part_.closes_after_s, "s")) : "";
    report(fmt::format("{} dead: closes{}{}", name(dead), after, parted_text("opens")), events);
    return true;
  }

  /// With it closed, and what interlocks then forbid open; what it opens itself is still closed.
  SwitchState position_with_it(const SwitchState& was) const {
    SwitchingState tried = state_.switching;
    tried.branch_is_reversed[part_.branch] = 1;
    SwitchState closed = was;
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch)
      closed.branch_closed[branch] = was.branch_closed[branch] != 0 && may_carry(plant_, tried, branch) ? 1 : 0;
    closed.branch_closed[part_.branch] = 1;
    electrical::energise(tree_, closed);
    return closed;
  }

  /// Whether closing makes anything live that uses power: a bus with loads, with a UPS behind it, or with another switch that passes it on. A bus
  /// with a generator alone does not.
  bool serves_anything() const {
    const SwitchState& was = state_.switches;
    const SwitchState closed = position_with_it(was);
    const auto becomes_live = [&](int bus) {
      return bus != electrical::no_bus && was.bus_live[static_cast<std::size_t>(bus)] == 0 &&
             closed.bus_live[static_cast<std::size_t>(bus)] != 0;
    };
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
      if (tree_.branch_makes_voltage[branch] != 0 && becomes_live(tree_.branch_from[branch])) return true;
    }
    const auto passes_on = [&](const AutomaticSwitch& other) {
      const int from = tree_.branch_from[other.branch], to = tree_.branch_to[other.branch];
      const bool goes_back = tree_.branch_goes_both_ways[other.branch] != 0;
      const auto leads_on = [&](int here, int there) {
        return becomes_live(here) && closed.bus_live[static_cast<std::size_t>(there)] == 0;
      };
      return other.branch != part_.branch && (leads_on(from, to) || (goes_back && leads_on(to, from)));
    };
    if (std::ranges::any_of(plant_.switch_rules.automatic, passes_on)) return true;
    return std::ranges::any_of(tree_.load_bus,
                               [&](const auto& buses) { return std::ranges::any_of(buses, becomes_live); });
  }

  /// Closed branches one way, dead at their own feed, into what the switch makes live: they open before it closes.
  std::vector<int> fed_what_is_dead(const SwitchState& was) const {
    const SwitchState closed = position_with_it(was);
    std::vector<int> branches;
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
      const auto from = static_cast<std::size_t>(tree_.branch_from[branch]);
      const auto to = static_cast<std::size_t>(tree_.branch_to[branch]);
      const bool is_one_way = tree_.branch_goes_both_ways[branch] == 0 && branch != part_.branch;
      const bool becomes_live = was.bus_live[to] == 0 && closed.bus_live[to] != 0;
      const bool is_main =
          is_one_way && becomes_live && closed.branch_closed[branch] != 0 && closed.bus_live[from] == 0;
      if (is_main || feeds_dead_source(was, closed, branch)) branches.push_back(opened_for(branch));
    }
    return branches;
  }

  /// The breaker in series with a branch, where it has one.
  int opened_for(std::size_t branch) const {
    const auto breaker = std::ranges::find(tree_.branch_protects, static_cast<int>(branch));
    return breaker == tree_.branch_protects.end() ? static_cast<int>(branch)
                                                  : static_cast<int>(breaker - tree_.branch_protects.begin());
  }

  /// A branch both ways that would feed a bus whose own feed is dead, from its other end.
  bool feeds_dead_source(const SwitchState& was, const SwitchState& closed, std::size_t branch) const {
    const int to = electrical::ends_of_flow(tree_, closed, branch).second;
    if (branch == part_.branch || tree_.branch_goes_both_ways[branch] == 0 ||
        closed.branch_mode[branch] != BranchMode::carrying || was.bus_live[static_cast<std::size_t>(to)] != 0)
      return false;
    for (std::size_t source = 0; source < tree_.source_name.size(); ++source) {
      if (tree_.source_bus[source] == to && tree_.source_is_standby[source] == 0) return true;
    }
    return false;
  }

  bool try_to_return(std::vector<EventRecord>& events) {
    const SwitchState was = state_.switches;
    const std::vector<std::uint8_t> reversed = state_.switching.branch_is_reversed;
    const bool is_dead_again = !is_live(memory_.dead_bus);
    state_.switching.branch_is_reversed[part_.branch] = 0;
    for (const int branch : memory_.parted) state_.switching.branch_is_reversed[static_cast<std::size_t>(branch)] = 0;
    energise_anew();
    const bool is_failed = state_.switching.branch_is_failed[part_.branch] != 0;
    const bool loses_nothing = std::ranges::equal(was.bus_live, state_.switches.bus_live,
                                                  [](std::uint8_t before, std::uint8_t now) { return now >= before; });
    if (!is_failed && (!is_fed(memory_.dead_bus) || !loses_nothing)) {
      memory_.returns_s = never_s;
    } else {
      const bool is_at_once = is_dead_again || is_failed || was.branch_mode[part_.branch] != BranchMode::carrying;
      const double due_s = state_.time_s + (is_at_once ? 0.0 : part_.returns_after_s);
      memory_.returns_s = std::min(memory_.returns_s, due_s);
    }
    if (state_.time_s < memory_.returns_s) {
      state_.switching.branch_is_reversed = reversed;
      state_.switches = was;
      return false;
    }
    keep_before(was);
    report(fmt::format("{} fed again: opens{}", name(memory_.dead_bus), parted_text("closes")), events);
    memory_ = {};
    memory_.closes_s = never_s;
    return true;
  }

  void energise_anew() {
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch)
      state_.switches.branch_closed[branch] = may_carry(plant_, state_.switching, branch);
    electrical::energise(tree_, state_.switches);
  }

  void keep_before(const SwitchState& was) {
    if (before_.bus_live.empty()) before_ = was;
  }
  bool is_live(int bus) const { return state_.switches.bus_live[static_cast<std::size_t>(bus)] != 0; }
  bool is_fed(int bus) const { return is_fed_by_source(tree_, state_.switches, bus); }
  const std::string& name(int bus) const { return tree_.bus_name[static_cast<std::size_t>(bus)]; }

  std::string parted_text(const char* verb) const {
    if (memory_.parted.empty()) return {};
    std::vector<std::string> names;
    for (const int branch : memory_.parted) names.push_back(tree_.branch_name[static_cast<std::size_t>(branch)]);
    return fmt::format(", {} {}", list_text(names), verb);
  }
  void report(std::string detail, std::vector<EventRecord>& events) const {
    events.push_back({state_.time_s, "transfer", part_.name, std::move(detail)});
  }

  const Plant& plant_;
  const PowerTree& tree_;
  const AutomaticSwitch& part_;
  AutomaticState& memory_;
  PlantState& state_;
  SwitchState& before_;
};

/// One that it has closed carries on.
void lock_out(AutomaticState& memory) {
  if (memory.is_closed == 0) memory.is_by_hand = 1;
}

void lock_out_ties(const Plant& plant, const std::vector<std::uint8_t>& is_beside, PlantState& state) {
  const PowerTree& tree = plant.power_tree;
  for (std::size_t number = 0; number < plant.switch_rules.automatic.size(); ++number) {
    const std::size_t tie = plant.switch_rules.automatic[number].branch;
    const bool ends_there = is_beside[static_cast<std::size_t>(tree.branch_from[tie])] != 0 ||
                            is_beside[static_cast<std::size_t>(tree.branch_to[tie])] != 0;
    if (tree.branch_goes_both_ways[tie] != 0 && ends_there) lock_out(state.switching.automatic[number]);
  }
}

/// What a rule has opened for a branch that protection opens stays open, too.
void keep_parted_open(const Plant& plant, std::size_t branch, PlantState& state) {
  SwitchingState& switching = state.switching;
  for (std::size_t number = 0; number < plant.switch_rules.automatic.size(); ++number) {
    if (plant.switch_rules.automatic[number].branch != branch) continue;
    for (const int parted : std::exchange(switching.automatic[number].parted, {})) {
      const auto other = static_cast<std::size_t>(parted);
      switching.branch_is_reversed[other] = 0;
      OrderedFlag{state.equipment.orders, FlagOverride::Flag::branch_open, other, switching.branch_is_open[other]}.set(
          1);
    }
  }
}

}  // namespace

bool act_automatic_switches(const Plant& plant, PlantState& state, SwitchState& before,
                            std::vector<EventRecord>& events) {
  const std::size_t count = plant.switch_rules.automatic.size();
  bool any = false;
  for (std::size_t round = 0; round <= count; ++round) {  // what one does others may have to answer
    bool changed = false;
    for (std::size_t number = 0; number < count; ++number)
      changed = AutomaticAction(plant, number, state, before).act(events) || changed;
    if (!changed) break;
    any = true;
  }
  return any;
}

bool is_automatic_switch_due(const PlantState& state) {
  return std::ranges::any_of(state.switching.automatic, [&](const AutomaticState& memory) {
    return memory.closes_s <= state.time_s || memory.returns_s <= state.time_s;
  });
}

void lock_out_after_trip(const Plant& plant, std::size_t branch, PlantState& state) {
  const PowerTree& tree = plant.power_tree;
  keep_parted_open(plant, branch, state);
  const int behind = electrical::ends_of_flow(tree, state.switches, branch).second;
  const std::vector<std::uint8_t> is_beside = joined_to(behind, tree, state.switches, branch);
  note_order_to_branch(plant, branch, false, state);
  lock_out_ties(plant, is_beside, state);
  for (std::size_t number = 0; number < plant.switch_rules.automatic.size(); ++number) {
    const std::size_t leg = plant.switch_rules.automatic[number].branch;
    if (tree.branch_goes_both_ways[leg] == 0 && tree.branch_to[leg] == tree.branch_to[branch])
      lock_out(state.switching.automatic[number]);
  }
}

void lock_out_after_trip_of_source(const Plant& plant, std::size_t source, PlantState& state) {
  const PowerTree& tree = plant.power_tree;
  lock_out_ties(plant, joined_to(tree.source_bus[source], tree, state.switches, tree.branch_name.size()), state);
}

}  // namespace wattloop::twin
