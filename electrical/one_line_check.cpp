// Finds mistakes in a one-line diagram, in three rounds: names and numbers; the graph that they form; its
// normal position. A round runs only if the round before found no mistake.
#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "electrical/electrical_catalog.hpp"
#include "electrical/mesh_voltages.hpp"
#include "electrical/one_line.hpp"
#include "electrical/one_line_graph.hpp"

namespace wattloop::electrical {

namespace {

using enum Finding::Severity;
using Findings = std::vector<Finding>;

bool has_error(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == error; });
}

void check_names(const OneLineDiagram& diagram, Findings& findings) {
  struct Sort {
    std::string one, two;  ///< "a breaker", "two breakers"
  };
  std::map<std::string, Sort> sort_of;
  const auto add = [&](const std::string& name, const Sort& sort) {
    if (name.empty()) findings.push_back({error, name, fmt::format("{} has no name", sort.one)});
    const auto [other, is_new] = sort_of.emplace(name, sort);
    if (is_new || name.empty()) return;
    const bool are_alike = other->second.one == sort.one;
    findings.push_back({error, name,
                        fmt::format("the name '{}' belongs to {}", name,
                                    are_alike ? sort.two : fmt::format("{} and to {}", other->second.one, sort.one)),
                        "give each its own name"});
  };
  for (const Bus& bus : diagram.buses) add(bus.name, {"a bus", "two buses"});
  for (const Branch& branch : diagram.branches) {
    const ElectricalKind& kind = electrical_kind(kind_of(branch.equipment));
    add(branch.name, {fmt::format("a {}", kind.noun), fmt::format("two {}", kind.plural)});
  }
  for (const Branch& branch : diagram.branches) {
    const Sort module{fmt::format("a module of '{}'", branch.name), fmt::format("two modules of '{}'", branch.name)};
    for (int number = 1; number <= branch.modules && branch.modules > 1; ++number)
      add(module_name(branch, number), module);
  }
  for (const Source& source : diagram.sources) add(source.name, {"a source", "two sources"});
  for (const Load& load : diagram.loads) add(load.name, {"a load", "two loads"});
}

void check_buses(const OneLineDiagram& diagram, Findings& findings) {
  const BusNumbers number = number_buses(diagram);
  const auto need = [&](const std::string& component, const char* relation, const std::string& bus) {
    if (number.contains(bus)) return;
    findings.push_back(
        {error, component, fmt::format("'{}' {} bus '{}', which does not exist", component, relation, bus)});
  };
  for (const Branch& branch : diagram.branches) {
    need(branch.name, "comes from", branch.from);
    need(branch.name, "leads to", branch.to);
    if (branch.goes_both_ways && branch.from == branch.to)
      findings.push_back(
          {error, branch.name, fmt::format("'{}' leads from bus '{}' to itself", branch.name, branch.from)});
  }
  for (const Source& source : diagram.sources) need(source.name, "feeds", source.bus);
  for (const Load& load : diagram.loads) {
    for (const std::string& bus : load.buses) need(load.name, "is fed by", bus);
  }
}

void check_numbers(const OneLineDiagram& diagram, Findings& findings) {
  for (const Branch& branch : diagram.branches) {
    const std::string& name = branch.name;
    if (branch.modules < 1) {
      findings.push_back({error, name, fmt::format("'{}' has {} modules, needs at least 1", name, branch.modules)});
    } else if (branch.spare_modules >= branch.modules) {
      findings.push_back({error, name,
                          fmt::format("'{}' has {} modules, so {} of them cannot be redundant", name, branch.modules,
                                      branch.spare_modules)});
    }
    if (branch.room != outdoors && (branch.room < 0 || branch.room >= diagram.rooms)) {
      findings.push_back(
          {error, name, fmt::format("'{}' is in room {}, but there are {} rooms", name, branch.room, diagram.rooms)});
    }
    if (!(rated_w(branch.equipment) > 0.0)) {
      findings.push_back({error, name, fmt::format("the rating of '{}' is not positive", name)});
    }
  }
  for (const Load& load : diagram.loads) {
    const auto& buses = load.buses;
    if (buses.empty() || buses.size() > 2) {
      findings.push_back({error, load.name, fmt::format("'{}' has {} cords, needs 1 or 2", load.name, buses.size())});
    } else if (buses.size() == 2 && buses[0] == buses[1]) {
      findings.push_back(
          {error, load.name, fmt::format("both cords of '{}' are on one side: bus '{}'", load.name, buses[0])});
    }
  }
}

void check_graph(const OneLineDiagram& diagram, Findings& findings) {
  const OneLineGraph graph(diagram);
  for (const std::vector<int>& cycle : graph.cycles()) {
    std::vector<std::string> names;
    for (const int branch : cycle) names.push_back(diagram.branches[branch].name);
    findings.push_back(
        {error, names.front(), fmt::format("power goes in a circle through '{}'", fmt::join(names, "', '"))});
  }
  const BusNumbers number = number_buses(diagram);
  const std::vector<bool> reached = graph.reached_from_sources();
  const std::vector<bool> useful = graph.leads_to_loads();
  for (const Branch& branch : diagram.branches) {
    const ElectricalKind& kind = electrical_kind(kind_of(branch.equipment));
    if (!reached[number.at(branch.from)] && !kind.states.empty()) {  // its battery would hide it
      findings.push_back(
          {error, branch.name,
           fmt::format("no source reaches {} '{}': nothing feeds bus '{}'", kind.noun, branch.name, branch.from)});
    }
    if (!useful[number.at(branch.to)]) {
      findings.push_back({warning, branch.name, fmt::format("{} '{}' leads to no load", kind.noun, branch.name)});
    }
  }
  for (const Load& load : diagram.loads) {
    for (const std::string& bus : load.buses) {
      if (reached[number.at(bus)]) continue;
      findings.push_back(
          {error, load.name, fmt::format("no source reaches '{}': nothing feeds bus '{}'", load.name, bus)});
    }
  }
}

/// All branches that carry power to the bus, nearest first.
std::vector<std::size_t> path_to(const PowerTree& tree, const SwitchState& switches, int bus) {
  std::vector<std::size_t> path;
  const auto carries_to_it = [&](std::size_t branch) {
    return ends_of_flow(tree, switches, branch).second == bus && switches.branch_mode[branch] == BranchMode::carrying;
  };
  for (std::size_t place = tree.branch_name.size(); place-- > 0;) {
    const std::size_t branch = switches.branch_order.empty() ? place : switches.branch_order[place];
    if (!carries_to_it(branch)) continue;
    path.push_back(branch);
    bus = ends_of_flow(tree, switches, branch).first;
  }
  return path;
}

/// All equipment that would feed the bus: sources, the branch that carries power to it, and other closed branches.
std::vector<std::string> feeds_of(const PowerTree& tree, const SwitchState& switches, int bus) {
  std::vector<std::string> names;
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    if (tree.source_bus[source] == bus && switches.source_live[source]) names.push_back(tree.source_name[source]);
  }
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const BranchMode mode = switches.branch_mode[branch];
    const bool is_beside = mode == BranchMode::idle && tree.branch_to[branch] == bus;
    const bool carries = feeds_its_bus(switches, branch) && ends_of_flow(tree, switches, branch).second == bus;
    if (is_beside || carries) names.push_back(tree.branch_name[branch]);
  }
  return names;
}

std::vector<std::size_t> idle_branches_to(const PowerTree& tree, const SwitchState& switches, int bus) {
  std::vector<std::size_t> idle;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (tree.branch_to[branch] == bus && switches.branch_mode[branch] == BranchMode::idle) idle.push_back(branch);
  }
  return idle;
}

/// The loop that a closed branch beside the feed of its bus forms; empty if different sources feed its two ends.
std::vector<std::string> loop_of(const PowerTree& tree, const SwitchState& switches, std::size_t branch) {
  const auto root = [&](const std::vector<std::size_t>& path, int bus) {
    return path.empty() ? bus : ends_of_flow(tree, switches, path.back()).first;
  };
  const int from = tree.branch_from[branch], to = tree.branch_to[branch];
  std::vector<std::size_t> one = path_to(tree, switches, from), other = path_to(tree, switches, to);
  if (root(one, from) != root(other, to)) return {};
  while (!one.empty() && !other.empty() && one.back() == other.back()) {
    one.pop_back();
    other.pop_back();
  }
  one.insert(one.end(), other.begin(), other.end());
  one.push_back(branch);
  std::vector<std::string> names;
  for (const std::size_t member : one) names.push_back(tree.branch_name[member]);
  std::ranges::sort(names);
  return names;
}

void check_cords(const PowerTree& tree, const SwitchState& switches, Findings& findings) {
  for (std::size_t load = 0; load < tree.load_name.size(); ++load) {
    const auto [first, second] = tree.load_bus[load];
    if (second == no_bus) continue;
    const std::vector<std::size_t> path = path_to(tree, switches, second);
    for (const std::size_t branch : path_to(tree, switches, first)) {
      const ElectricalKind& kind = electrical_kind(tree.branch_kind[branch]);
      if (!kind.is_of_one_side) continue;
      if (std::find(path.begin(), path.end(), branch) == path.end()) continue;
      findings.push_back({error, tree.load_name[load],
                          fmt::format("both cords of '{}' are on one side: behind {} '{}'", tree.load_name[load],
                                      kind.noun, tree.branch_name[branch])});
      break;
    }
  }
}

int sources_at(const PowerTree& tree, const SwitchState& switches, int bus) {
  int sources = 0;
  for (std::size_t source = 0; source < tree.source_name.size(); ++source)
    sources += tree.source_bus[source] == bus && switches.source_live[source] ? 1 : 0;
  return sources;
}

/// Whether every further feed of the bus closes a loop that a meshed flow can solve.
bool is_fed_by_links(const PowerTree& tree, const SwitchState& switches, int bus) {
  const std::vector<std::uint8_t> links = links_of(tree, switches);
  const std::vector<std::size_t> idle = idle_branches_to(tree, switches, bus);
  return sources_at(tree, switches, bus) <= 1 &&
         std::ranges::all_of(idle, [&](std::size_t branch) { return links[branch] != 0; });
}

/// Whether another branch of this kind connects the same two buses.
bool has_twin(const PowerTree& tree, const SwitchState& switches, std::size_t branch) {
  for (std::size_t other = 0; other < tree.branch_name.size(); ++other) {
    if (feeds_its_bus(switches, other) && tree.branch_to[other] == tree.branch_to[branch] &&
        tree.branch_from[other] == tree.branch_from[branch] && tree.branch_kind[other] == tree.branch_kind[branch])
      return true;
  }
  return false;
}

/// What to do about a bus with several feeds.
std::string remedy_of(const PowerTree& tree, const SwitchState& switches, int bus) {
  if (sources_at(tree, switches, bus) > 1) return "one source for each bus, or a bus and a breaker for each";
  const std::vector<std::size_t> idle = idle_branches_to(tree, switches, bus);
  const bool are_alike =
      std::ranges::all_of(idle, [&](std::size_t branch) { return has_twin(tree, switches, branch); });
  const std::string instead = are_alike
                                  ? fmt::format("if all are equal, write one branch with modules: {}", idle.size() + 1)
                                  : std::string("write `open: true` under one of them");
  for (const std::size_t branch : idle) {
    const std::string_view reason = why_no_link(tree, switches, branch);
    if (!reason.empty()) return fmt::format("{}: {}", reason, instead);
  }
  return fmt::format("{}, or write flow: auto, which solves closed loops", instead);
}

/// A bus with several feeds, or the loop that is the only reason for it.
void report_fed_twice(const PowerTree& tree, const SwitchState& switches, int bus, Findings& findings) {
  const std::vector<std::size_t> idle = idle_branches_to(tree, switches, bus);
  const std::string remedy = remedy_of(tree, switches, bus);
  const auto closes_a_loop = [&](std::size_t branch) {
    return tree.branch_goes_both_ways[branch] != 0 && !loop_of(tree, switches, branch).empty();
  };
  if (sources_at(tree, switches, bus) > 1 || idle.empty() || !std::ranges::all_of(idle, closes_a_loop)) {
    findings.push_back({error, tree.bus_name[bus],
                        fmt::format("in the normal position bus '{}' is fed by '{}' at once", tree.bus_name[bus],
                                    fmt::join(feeds_of(tree, switches, bus), "', '")),
                        remedy});
    return;
  }
  for (const std::size_t branch : idle)
    findings.push_back({error, tree.branch_name[branch],
                        fmt::format("in the normal position there is a closed loop of '{}'",
                                    fmt::join(loop_of(tree, switches, branch), "', '")),
                        remedy});
}

void check_normal_position(const PowerTree& tree, bool may_be_meshed, Findings& findings) {
  SwitchState switches = normal_switch_state(tree);
  for (const int bus : energise(tree, switches)) {
    if (!may_be_meshed || !is_fed_by_links(tree, switches, bus)) report_fed_twice(tree, switches, bus, findings);
  }
  for (std::size_t load = 0; load < tree.load_name.size(); ++load) {
    if (is_served(switches, load)) continue;
    findings.push_back(
        {warning, tree.load_name[load], fmt::format("'{}' is dead in the normal position", tree.load_name[load])});
  }
  check_cords(tree, switches, findings);
}

}  // namespace

std::vector<Finding> check(const OneLineDiagram& diagram) {
  Findings findings;
  check_names(diagram, findings);
  check_buses(diagram, findings);
  check_numbers(diagram, findings);
  if (has_error(findings)) return findings;
  check_graph(diagram, findings);
  if (has_error(findings)) return findings;
  check_normal_position(flatten(diagram), diagram.may_be_meshed, findings);
  return findings;
}

}  // namespace wattloop::electrical
