#include "twin/report/charts/plan_parts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/events/boxes_beyond.hpp"
#include "twin/results/reader/records_at.hpp"
#include "twin/results/schema/layout_cells.hpp"

namespace wattloop::twin {

namespace {

constexpr std::array<std::string_view, 6> not_equipment{"rack", "node", "gpu", "supply_pipe", "return_pipe", "room"};
constexpr std::array<std::string_view, 5> outside{"substation", "transformer", "chiller", "tower", "generator"};
constexpr std::array<std::string_view, 4> always_drawn{"cdu", "rear_door", "crah", "storage_rack"};
/// Whose condition is not that of the motors below their names, as those are the fans of their doors.
constexpr std::array<std::string_view, 2> racks_of_others{"network_rack", "storage_rack"};

bool is_equipment(const LayoutBox& box) { return std::ranges::count(not_equipment, box.kind) == 0; }

bool is_inside(const LayoutBox& box) {
  return is_equipment(box) && box.parent != yard_parent && std::ranges::count(outside, box.kind) == 0;
}

/// By rack; a door that takes up nothing is idle.
std::map<std::string, PlanPart, std::less<>> doors_at(const ResultsReader& results, double time_s) {
  constexpr std::string_view group = "racks", column = "door_heat";
  constexpr float nothing_w = 1.0F;
  std::map<std::string, PlanPart, std::less<>> doors;
  if (!results.has_column(group, column)) return doors;
  const std::vector<double> times_s = results.times_s(group);
  if (times_s.empty()) return doors;
  const std::vector<float> heats_w = results.frame(group, column, row_at(results, group, column, times_s, time_s));
  const std::vector<std::string> racks = results.table(group).items;
  for (std::size_t rack = 0; rack < std::min(racks.size(), heats_w.size()); ++rack) {
    const bool is_idle = !(heats_w[rack] > nothing_w);
    doors[racks[rack]] = {is_idle ? PartCondition::idle : PartCondition::running,
                          "takes up " + format_quantity(static_cast<double>(heats_w[rack]), "W")};
  }
  return doors;
}

/// Of all equipment.
PlanParts parts_at(const ResultsReader& results, std::span<const LayoutBox> layout, double time_s) {
  const PartConditions conditions(results, time_s);
  const std::map<std::string, PlanPart, std::less<>> doors = doors_at(results, time_s);
  const BoxesBeyond beyond = boxes_beyond(exceeded_limits_at(results, time_s), layout);
  PlanParts parts;
  for (const LayoutBox& box : layout) {
    if (!is_equipment(box)) continue;
    PlanPart& part = parts[box.name];
    if (const auto door = doors.find(box.parent); box.kind == "rear_door" && door != doors.end()) part = door->second;
    const bool is_rack = std::ranges::count(racks_of_others, box.kind) > 0;
    part.condition = std::max(part.condition, is_rack ? conditions.by_faults(box.name) : conditions.of(box.name));
    if (const auto found = beyond.find(box.name); found != beyond.end()) part.beyond = found->second;
  }
  return parts;
}

/// What has failed and is in no box of the layout: pumps of water systems, feeds.
std::vector<std::string> failed_without_box(const ResultsReader& results, std::span<const LayoutBox> layout,
                                            double time_s) {
  constexpr float failed = 2.0F;
  std::set<std::string_view> boxes;
  for (const LayoutBox& box : layout) boxes.insert(box.name);
  std::vector<std::string> names;
  for (const char* group : {"motors", "breakers"}) {
    for (const auto& [name, state] : states_at(results, group, time_s)) {
      const bool is_in_box = boxes.contains(name) || boxes.contains(std::string_view(name).substr(0, name.rfind('.')));
      if (state == failed && !is_in_box) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

std::vector<PlanParts> plan_parts(const ResultsReader& results, std::span<const LayoutBox> layout,
                                  std::span<const double> times_s) {
  std::vector<PlanParts> moments;
  for (const double time_s : times_s) moments.push_back(parts_at(results, layout, time_s));
  std::set<std::string_view> kinds(always_drawn.begin(), always_drawn.end());
  for (const LayoutBox& box : layout) {
    const auto is_special = [&](const PlanParts& parts) {
      const auto part = parts.find(box.name);
      return part != parts.end() && (part->second.condition != PartCondition::running || !part->second.beyond.empty());
    };
    if (is_inside(box) && std::ranges::any_of(moments, is_special)) kinds.insert(box.kind);
  }
  for (const LayoutBox& box : layout) {
    if (is_inside(box) && kinds.contains(box.kind)) continue;
    for (PlanParts& parts : moments) parts.erase(box.name);
  }
  return moments;
}

std::string conditions_line(const ResultsReader& results, std::span<const LayoutBox> layout, double time_s) {
  static constexpr std::array<std::pair<PartCondition, std::string_view>, 5> reported{
      {{PartCondition::failed, "Failed"},
       {PartCondition::dead, "Without power"},
       {PartCondition::impaired, "Impaired"},
       {PartCondition::carrying, "Carrying the load"},
       {PartCondition::idle, "Idle"}}};
  const PlanParts parts = parts_at(results, layout, time_s);
  std::string text;
  for (const auto& [condition, words] : reported) {
    std::map<std::string_view, std::vector<std::string>> by_kind;
    for (const LayoutBox& box : layout) {
      const auto part = parts.find(box.name);
      if (part != parts.end() && part->second.condition == condition) by_kind[box.kind].push_back(box.name);
    }
    std::vector<std::vector<std::string>> groups;
    for (auto& [kind, of_kind] : by_kind) groups.push_back(std::move(of_kind));
    if (condition == PartCondition::failed) groups.push_back(failed_without_box(results, layout, time_s));
    std::string names;
    for (const std::vector<std::string>& group : groups)
      if (!group.empty()) names += (names.empty() ? "" : ", ") + display_names(group);
    if (!names.empty()) text += fmt::format("{}{}: {}.", text.empty() ? "" : " ", words, names);
  }
  if (const std::string beyond = beyond_words(exceeded_limits_at(results, time_s)); !beyond.empty())
    text += fmt::format("{}Beyond limits: {}.", text.empty() ? "" : " ", beyond);
  return text.empty() ? text : "<p class='does'>" + page_text(text) + "</p>\n";
}

}  // namespace wattloop::twin
