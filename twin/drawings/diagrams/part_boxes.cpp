#include "twin/drawings/diagrams/part_boxes.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "twin/drawings/names/display_name.hpp"
#include "twin/results/reader/records_at.hpp"

namespace wattloop::twin {

namespace {

std::string plural(const std::string& kind) {
  if (kind == "UPS") return kind;
  return kind.ends_with('s') ? kind + "es" : kind + "s";
}

}  // namespace

PartGroups few_groups(const Topology& topology, Grouping grouping, SameEnds coarse) {
  constexpr std::size_t most_groups = 26;
  const auto are_few = [](const PartGroups& groups) {
    const auto buses = std::ranges::count(groups.groups, "bus", &PartGroup::kind);
    return groups.groups.size() - static_cast<std::size_t>(buses) <= most_groups;
  };
  PartGroups groups = group_parts(topology, grouping);
  if (are_few(groups)) return groups;
  grouping.same_ends = coarse;
  groups = group_parts(topology, grouping);
  if (are_few(groups)) return groups;
  grouping.kinds_alone.clear();
  return group_parts(topology, grouping);
}

DiagramBox PartBoxes::titled_box(const PartGroup& group) {
  DiagramBox box;
  constexpr std::size_t longest = 27;
  if (group.names.size() == 1) {
    box.title = display_name(group.names.front());
    if (group.kind == "coolant loop" && box.title.find("loop") == std::string::npos) box.title += " (coolant loop)";
    if (group.kind == "water system" && box.title.find("water") == std::string::npos) box.title += " (water)";
    return box;
  }
  box.title = fmt::format("{} {}", group.names.size(), plural(group.kind));
  if (const std::string names = display_names(group.names); names.size() <= longest) box.lines.push_back(names);
  return box;
}

void PartBoxes::report_line(const PartGroup& group, const BoxLine& line, DiagramBox& box) {
  std::vector<double> values = line.column == "cop" ? cops(group.names) : figures_.values(group.names, line.column);
  if (line.column == "power_factor") std::erase(values, 0.0);  // of what delivers nothing
  if (values.empty() || (line.column == "flow" && is_dry(group))) return;
  const std::string flows = line.unit == "kg/s" ? figures_.medium(group.names.front(), line.column) + " " : "";
  const bool is_fabric = group.kind == "network rack" && line.column == "power";
  box.lines.push_back(
      fmt::format("{}{}{}{}", flows, is_fabric ? "IT power " : line.before, joined_text(line, values), line.after));
  if (line.column == "loading" && std::ranges::max(values) > 1.0) box.look = Look::beyond_rating;
}

/// Of heat and power over the same time; a mean of ratios is none.
std::vector<double> PartBoxes::cops(const std::vector<std::string>& names) {
  std::vector<double> found;
  for (const std::string& name : names) {
    const std::optional<double> heat_w = figures_.value(name, "heat"), power_w = figures_.value(name, "power");
    if (figures_.value(name, "cop") && heat_w && power_w && *power_w > nothing_w) found.push_back(*heat_w / *power_w);
  }
  return found;
}

bool PartBoxes::is_dry(const PartGroup& group) {
  return group.kind == "rack" && figures_.values(group.names, "supply_temperature").empty();
}

std::size_t PartBoxes::failed_in(const std::vector<std::string>& names) {
  const std::vector<double> states = figures_.values(names, "state");
  return static_cast<std::size_t>(std::ranges::count(states, static_cast<double>(failed_state)));
}

/// What is wrong with something of a part that goes on: "fan stands", of several "tower 1: fan stands".
void PartBoxes::report_faults(const PartGroup& group, DiagramBox& box) const {
  for (const EquipmentFault& fault : faults_) {
    if (std::ranges::count(group.names, fault.part) == 0) continue;
    const std::string thing = fault.thing.empty() ? fault.words : display_name(fault.thing) + " " + fault.words;
    box.lines.push_back(group.names.size() == 1 ? thing : display_name(fault.part) + ": " + thing);
    box.look = Look::beyond_rating;
  }
}

void PartBoxes::report_failures(const PartGroup& group, DiagramBox& box) {
  report_faults(group, box);
  const std::size_t failed = failed_in(group.names);
  if (failed == 0) return;
  box.look = failed == group.names.size() ? Look::failed : Look::beyond_rating;
  box.lines.push_back(group.names.size() == 1 ? "failed" : fmt::format("{} of {} failed", failed, group.names.size()));
}

bool PartBoxes::report_down(const PartGroup& group, DiagramBox& box) {
  const std::vector<double> down = figures_.values(group.names, down_gpus_column(results_, "racks"));
  const double gpus = std::accumulate(down.begin(), down.end(), 0.0);
  if (gpus > 0.0) box.lines.push_back(fmt::format("{:.0f} GPUs down", gpus));
  return gpus > 0.0;
}

}  // namespace wattloop::twin
