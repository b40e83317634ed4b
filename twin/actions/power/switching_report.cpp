#include "twin/actions/power/switching_report.hpp"
#include "twin/actions/power/feed_roots.hpp"
#include "twin/plant/state/power_gap.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wattloop::twin {

namespace {

using electrical::BranchMode;
using electrical::SwitchState;

struct Change {
  const Plant& plant;
  const SwitchState& before;
  const PlantState& state;
  std::vector<EventRecord>& events;

  const SwitchState& after() const { return state.switches; }
  void add(const char* kind, std::string target, std::string detail) const {
    events.push_back({state.time_s, kind, std::move(target), std::move(detail)});
  }
};

void report_batteries(const Change& change) {
  for (const BatteryPart& battery : change.plant.batteries) {
    const std::size_t branch = battery.branch;
    const bool was_on = change.before.branch_mode[branch] == BranchMode::on_battery;
    const bool is_on = change.after().branch_mode[branch] == BranchMode::on_battery;
    const std::string& from = change.plant.power_tree.bus_name[change.plant.power_tree.branch_from[branch]];
    const double charge_percent = 100.0 * change.state.states[battery.charge_state];
    const bool is_at_hand = battery.full_charge(change.after().branch_in_service_share[branch]) > 0.0;
    if (is_at_hand && change.before.battery_ready[branch] > change.after().battery_ready[branch]) {
      change.add("battery_empty", battery.name, "state of charge 0 %");
    }
    if (!was_on && is_on) {
      change.add("on_battery", battery.name, fmt::format("{} dead; state of charge {:.1f} %", from, charge_percent));
    }
    if (was_on && change.after().branch_mode[branch] == BranchMode::carrying) {
      change.add("off_battery", battery.name, fmt::format("{} live; state of charge {:.1f} %", from, charge_percent));
    }
  }
}

/// Branches that close because a rule or an interlock lets them, while no other record of this instant names them.
void report_what_follows(const Change& change) {
  const electrical::PowerTree& tree = change.plant.power_tree;
  if (change.plant.switch_rules.automatic.empty() && change.plant.switch_rules.interlocks.empty()) return;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const bool closes = change.before.branch_closed[branch] == 0 && change.after().branch_closed[branch] != 0;
    if (!closes || tree.branch_bypassed[branch] != electrical::no_branch) continue;
    const std::string& name = tree.branch_name[branch];
    const auto names_it = [&](const EventRecord& record) {
      return record.time_s == change.state.time_s &&
             (record.target == name || record.detail.find(name) != std::string::npos);
    };
    if (!std::ranges::any_of(change.events, names_it))
      change.add("transfer", name, "closes: no order or interlock keeps it open now");
  }
}

void report_bypasses(const Change& change) {
  const electrical::PowerTree& tree = change.plant.power_tree;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (tree.branch_bypassed[branch] == electrical::no_branch) continue;
    const std::string& name = tree.branch_name[static_cast<std::size_t>(tree.branch_bypassed[branch])];
    const bool was_on = change.before.branch_mode[branch] == BranchMode::carrying;
    const bool is_on = change.after().branch_mode[branch] == BranchMode::carrying;
    if (!was_on && is_on) change.add("on_bypass", name, "its static bypass carries, without battery");
    if (was_on && !is_on) {
      const bool is_closed = change.after().branch_closed[branch] != 0;
      const auto ups = static_cast<std::size_t>(tree.branch_bypassed[branch]);
      const bool carries_again = change.after().branch_mode[ups] == BranchMode::carrying;
      change.add("off_bypass", name,
                 is_closed       ? tree.bus_name[static_cast<std::size_t>(tree.branch_from[branch])] + " dead"
                 : carries_again ? "it carries again"
                                 : "its bypass has opened");
    }
  }
}

/// What carries the bus: "generator_a_*", "transformer_a"; empty if nothing does.
std::string carrier_of(const Plant& plant, const StandbyPart& part, const SwitchState& switches) {
  const electrical::PowerTree& tree = plant.power_tree;
  for (const std::size_t source : part.sources) {
    if (switches.source_share[source] > 0.0) return name_of_sets(plant, part);
  }
  for (std::size_t branch = 0; branch < tree.branch_to.size(); ++branch) {
    const bool is_here = electrical::ends_of_flow(tree, switches, branch).second == static_cast<int>(part.bus);
    if (is_here && switches.branch_mode[branch] == BranchMode::carrying) return tree.branch_name[branch];
  }
  return {};
}

void report_generators(const Change& change) {
  for (const StandbyPart& part : change.plant.standby) {
    std::size_t live = 0, joined = 0;
    std::vector<std::string> gone;
    for (const std::size_t source : part.sources) {
      const bool was = change.before.source_live[source] != 0, is = change.after().source_live[source] != 0;
      live += is ? 1 : 0;
      joined += is && !was ? 1 : 0;
      if (was && !is) gone.push_back(change.plant.power_tree.source_name[source]);
    }
    if (joined > 0) {
      change.add("generator_on_load", name_of_sets(change.plant, part),
                 fmt::format("{} of {} sets carry", live, part.sources.size()));
    } else if (!gone.empty() && live > 0) {
      change.add("generator_off_load", list_text(gone),
                 fmt::format("{} of {} sets go on to carry", live, part.sources.size()));
    }
    const std::string before = carrier_of(change.plant, part, change.before);
    const std::string after = carrier_of(change.plant, part, change.after());
    if (before == after || after.empty()) continue;
    change.add("transfer", change.plant.power_tree.bus_name[part.bus],
               fmt::format("from {} to {}", before.empty() ? "nothing" : before, after));
  }
}

/// Whether a closed branch has another feed at each of its ends. A main beside generators of its bus does not count: its breaker stays open until
/// they stop.
bool joins_feeds(const electrical::PowerTree& tree, const SwitchState& switches, std::size_t branch) {
  if (switches.branch_mode[branch] != BranchMode::idle || tree.branch_makes_voltage[branch] != 0) return false;
  const FeedRoot from = root_of(tree, switches, tree.branch_from[branch]);
  const FeedRoot to = root_of(tree, switches, tree.branch_to[branch]);
  return from != to && (tree.branch_goes_both_ways[branch] != 0 || !to.is_standby);
}

/// Whether a closed branch has the same feed at both of its ends, beside what carries.
bool closes_loop(const electrical::PowerTree& tree, const SwitchState& switches, std::size_t branch) {
  if (switches.branch_mode[branch] != BranchMode::idle || tree.branch_makes_voltage[branch] != 0) return false;
  const FeedRoot from = root_of(tree, switches, tree.branch_from[branch]);
  return !from.name.empty() && from == root_of(tree, switches, tree.branch_to[branch]);
}

void report_loops(const Change& change) {
  const Plant& plant = change.plant;
  if (plant.voltages && plant.voltages->method != electrical::FlowMethod::radial) return;
  for (std::size_t branch = 0; branch < plant.power_tree.branch_name.size(); ++branch) {
    if (!closes_loop(plant.power_tree, change.after(), branch) || closes_loop(plant.power_tree, change.before, branch))
      continue;
    change.add("loop_closed", plant.power_tree.branch_name[branch],
               fmt::format("warning: this branch is part of a ring and, with `flow: {}`, carries no power; `flow: "
                           "auto` divides the power among the branches",
                           plant.voltages ? "radial" : "watts"));
  }
}

void report_parallel_feeds(const Change& change) {
  const electrical::PowerTree& tree = change.plant.power_tree;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (change.after().branch_mode[branch] != BranchMode::idle) continue;
    if (!joins_feeds(tree, change.after(), branch) || joins_feeds(tree, change.before, branch)) continue;
    change.add("feeds_in_parallel", tree.branch_name[branch],
               fmt::format("warning: this branch is closed between {} and {}, which are live from {} and {}",
                           tree.bus_name[static_cast<std::size_t>(tree.branch_from[branch])],
                           tree.bus_name[static_cast<std::size_t>(tree.branch_to[branch])],
                           root_of(tree, change.after(), tree.branch_from[branch]).name,
                           root_of(tree, change.after(), tree.branch_to[branch]).name));
  }
}

/// "12 of 160: a, b, c and 9 more".
std::string share_text(const std::vector<std::string>& names, std::size_t all) {
  return fmt::format("{} of {}: {}", names.size(), all, list_text(names));
}

/// Why a load has no power.
std::string dead_buses(const Change& change, std::size_t load) {
  const SwitchState& now = change.after();
  if (!now.load_open.empty() && now.load_open[load] != 0) return "switched off";
  std::vector<std::string> names;
  for (const int bus : change.plant.power_tree.load_bus[load]) {
    if (bus != electrical::no_bus && now.bus_live[static_cast<std::size_t>(bus)] == 0)
      names.push_back(change.plant.power_tree.bus_name[static_cast<std::size_t>(bus)]);
  }
  const bool lacks_a_cord = change.plant.power_tree.load_needs_both[load] != 0 && names.size() == 1;
  return fmt::format("{} dead{}", fmt::join(names, " and "),
                     lacks_a_cord ? ", and supplies on one cord cannot carry a node" : "");
}

/// Loads of one use, sorted by what became of them.
struct LoadChanges {
  std::vector<std::string> lost, held_up, back, to_first, to_second, to_both;
  std::size_t all = 0;
  std::size_t first_lost = 0;  ///< load
};

/// Of the power supplies behind a load; 0 of motors.
double hold_up_s(const Plant& plant, std::size_t load) {
  const auto rack = std::ranges::find(plant.it.racks, load, &RackPart::load);
  if (rack != plant.it.racks.end()) return plant.it.groups[rack->group].hold_up_s;
  const auto network_rack = std::ranges::find(plant.it.network_racks, load, &NetworkRackPart::load);
  if (network_rack != plant.it.network_racks.end()) return plant.it.switches.hold_up_s;
  const auto storage_rack = std::ranges::find(plant.it.storage_racks, load, &StorageRackPart::load);
  return storage_rack != plant.it.storage_racks.end() ? plant.it.appliance.hold_up_s : 0.0;
}

void sort_load(const Change& change, std::size_t load, LoadChanges& out) {
  const std::array<double, 2> before = change.before.cord_share[load], after = change.after().cord_share[load];
  const std::string& name = change.plant.power_tree.load_name[load];
  ++out.all;
  if (before == after) return;
  const bool was_served = electrical::is_served(change.before, load);
  if (!electrical::is_served(change.after(), load)) {
    if (out.lost.empty()) out.first_lost = load;
    (was_served && is_gap_carried(change.state, hold_up_s(change.plant, load)) ? out.held_up : out.lost)
        .push_back(name);
  } else if (!was_served) {
    out.back.push_back(name);
  } else if (after[0] > 0.0 && after[1] > 0.0) {
    out.to_both.push_back(name);
  } else {
    (after[0] > 0.0 ? out.to_first : out.to_second).push_back(name);
  }
}

void report_loads(const Change& change) {
  std::vector<LoadChanges> by_use(change.plant.uses.size());
  for (std::size_t load = 0; load < change.plant.load_use.size(); ++load) {
    sort_load(change, load, by_use[change.plant.load_use[load]]);
  }
  for (std::size_t use = 0; use < by_use.size(); ++use) {
    const LoadChanges& loads = by_use[use];
    const std::string name(change.plant.uses[use].name);
    const auto add = [&](const char* kind, const char* what, const std::vector<std::string>& names) {
      if (!names.empty()) change.add(kind, name, what + share_text(names, loads.all));
    };
    if (!loads.lost.empty()) {
      change.add("lost_power", name, share_text(loads.lost, loads.all) + "; " + dead_buses(change, loads.first_lost));
    }
    if (!loads.held_up.empty())
      change.add("held_up", name, share_text(loads.held_up, loads.all) + "; a gap that their power supplies carry");
    add("power_back", "", loads.back);
    add("transfer", "to the first bus, ", loads.to_first);
    add("transfer", "to the second bus, ", loads.to_second);
    add("transfer", "to both buses, ", loads.to_both);
  }
}

}  // namespace

std::string name_of_sets(const Plant& plant, const StandbyPart& part) {
  return part.sources.size() == 1 ? plant.power_tree.source_name[part.sources.front()] : part.name + "_*";
}

std::string list_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  if (names.size() <= most + 1) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
}

void report_switching(const Plant& plant, const SwitchState& before, const PlantState& state,
                      std::vector<EventRecord>& events) {
  const Change change{plant, before, state, events};
  report_batteries(change);
  report_bypasses(change);
  report_what_follows(change);
  report_generators(change);
  report_parallel_feeds(change);
  report_loops(change);
  report_loads(change);
}

}  // namespace wattloop::twin
