#include "twin/drawings/diagrams/hall_diagrams.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/drawings/diagrams/box_diagram.hpp"
#include "twin/drawings/diagrams/box_lines.hpp"
#include "twin/drawings/diagrams/live_parts.hpp"
#include "twin/drawings/diagrams/part_figures.hpp"
#include "twin/drawings/diagrams/part_groups.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/results/reader/disabled_generators.hpp"
#include "twin/results/reader/equipment_faults.hpp"
#include "twin/results/reader/openings.hpp"
#include "twin/results/reader/records_at.hpp"

namespace wattloop::twin {

namespace {

constexpr int failed_state = 2;

std::string plural(const std::string& kind) { return kind == "UPS" || kind.ends_with('s') ? kind : kind + "s"; }

class Diagrammer {
 public:
  Diagrammer(const ResultsReader& results, const DiagramMoment& moment)
      : results_(results),
        topology_(results.topology()),
        moment_(moment),
        figures_(results, moment.time_s),
        faults_(equipment_faults_at(results, moment.time_s)),
        openings_(openings_at(results, moment.time_s)) {}

  std::string one_line() {
    live_ = live_parts(topology_, figures_);
    disabled_ = disabled_generators(results_);
    const PartGroups groups =
        few_groups({.medium = "electricity",
                    .passed_over = {"bus"},
                    .kinds_alone = {"utility feed", "substation", "transformer", "UPS", "PDU", "converter", "feeder"},
                    .names_alone = moment_.names_alone},
                   SameEnds::givers);
    std::vector<DiagramBox> boxes;
    for (const PartGroup& group : groups.groups) boxes.push_back(power_box(group));
    report_feeds(groups, boxes);
    std::vector<DiagramLine> lines;
    for (const auto& ends : groups.connections) {
      const DiagramBox& giver = boxes[ends[0]];
      const bool gives = !giver.is_dead && (giver.look == Look::usual || giver.look == Look::beyond_rating);
      lines.push_back({ends, gives ? Look::usual : Look::still});
    }
    return box_diagram(boxes, lines);
  }

  std::string cooling() {
    const PartGroups groups =
        few_groups({.medium = "heat",
                    .passed_over = {"row"},
                    .kinds_alone = {"coolant loop", "water system", "room", "surroundings", "boundary", "rack"},
                    .names_alone = moment_.names_alone},
                   SameEnds::takers);
    std::vector<DiagramBox> boxes;
    for (const PartGroup& group : groups.groups) boxes.push_back(cooling_box(group));
    std::vector<DiagramLine> lines;
    for (const auto& [from, to] : groups.connections) {  // the sky above
      const bool is_taker = boxes[from].is_body;
      const std::size_t part = is_taker ? to : from, body = is_taker ? from : to;
      const bool stands = stands_still(boxes[body]) ||
                          passes_nothing(groups.groups[part], boxes[part], groups.groups[body].kind, is_taker);
      lines.push_back({{to, from}, stands ? Look::still : Look::usual});
    }
    add_bypasses(groups, boxes, lines);
    return box_diagram(boxes, lines);
  }

 private:
  /// As many boxes as can be read, or as few as there can be.
  PartGroups few_groups(Grouping grouping, SameEnds coarse) const {
    constexpr std::size_t most_groups = 26;
    PartGroups groups = group_parts(topology_, grouping);
    if (groups.groups.size() <= most_groups) return groups;
    grouping.same_ends = coarse;
    groups = group_parts(topology_, grouping);
    if (groups.groups.size() <= most_groups) return groups;
    grouping.kinds_alone.clear();
    return group_parts(topology_, grouping);
  }

  DiagramBox titled_box(const PartGroup& group) const {
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

  template <std::size_t count>
  void report(const PartGroup& group, const std::array<BoxLine, count>& requested, DiagramBox& box) {
    for (const BoxLine& line : requested) {
      const std::vector<double> values =
          line.column == "cop" ? cops(group.names) : figures_.values(group.names, line.column);
      if (values.empty() || (line.column == "flow" && is_dry(group))) continue;
      const std::string flows = line.unit == "kg/s" ? figures_.medium(group.names.front(), line.column) + " " : "";
      const bool is_fabric = group.kind == "network rack" && line.column == "power";
      box.lines.push_back(
          fmt::format("{}{}{}{}", flows, is_fabric ? "IT power " : line.before, joined_text(line, values), line.after));
      if (line.column == "loading" && std::ranges::max(values) > 1.0) box.look = Look::beyond_rating;
    }
  }

  /// Of heat and power over the same time; a mean of ratios is none.
  std::vector<double> cops(const std::vector<std::string>& names) {
    std::vector<double> found;
    for (const std::string& name : names) {
      const std::optional<double> heat_w = figures_.value(name, "heat"), power_w = figures_.value(name, "power");
      if (figures_.value(name, "cop") && heat_w && power_w && *power_w > nothing_w) found.push_back(*heat_w / *power_w);
    }
    return found;
  }

  /// Racks to which no coolant comes by design: their flow is recorded, and nothing else of it.
  bool is_dry(const PartGroup& group) {
    return group.kind == "rack" && figures_.values(group.names, "supply_temperature").empty();
  }

  std::size_t failed_in(const std::vector<std::string>& names) {
    const std::vector<double> states = figures_.values(names, "state");
    return static_cast<std::size_t>(std::ranges::count(states, static_cast<double>(failed_state)));
  }

  /// What is wrong with something of a part that goes on: "fan stands", of several "tower 1: fan stands".
  void report_faults(const PartGroup& group, DiagramBox& box) const {
    for (const EquipmentFault& fault : faults_) {
      if (std::ranges::count(group.names, fault.part) == 0) continue;
      const std::string thing = fault.thing.empty() ? fault.words : display_name(fault.thing) + " " + fault.words;
      box.lines.push_back(group.names.size() == 1 ? thing : display_name(fault.part) + ": " + thing);
      box.look = Look::beyond_rating;
    }
  }

  void report_failures(const PartGroup& group, DiagramBox& box) {
    report_faults(group, box);
    const std::size_t failed = failed_in(group.names);
    if (failed == 0) return;
    box.look = failed == group.names.size() ? Look::failed : Look::beyond_rating;
    box.lines.push_back(group.names.size() == 1 ? "failed"
                                                : fmt::format("{} of {} failed", failed, group.names.size()));
  }

  bool is_disabled(const std::vector<std::string>& names) const {
    return std::ranges::all_of(names, [&](const std::string& name) { return disabled_.contains(name); });
  }

  DiagramBox power_box(const PartGroup& group) {
    DiagramBox box = titled_box(group);
    report(group, power_lines, box);
    std::vector<double> powers = figures_.values(group.names, "power");
    if (powers.empty()) powers = figures_.values(group.names, "it_power");
    const bool gives_nothing = !powers.empty() && std::ranges::max(powers) < nothing_w;
    box.is_dead = gives_nothing &&
                  std::ranges::none_of(group.names, [&](const std::string& name) { return live_.contains(name); });
    if (box.is_dead) box.look = Look::still;
    report_down(group, box);
    const std::vector<double> states = figures_.values(group.names, "state");
    const bool is_open = !states.empty() && std::ranges::max(states) == 0.0;
    if (is_open && group.kind == "utility feed") box.look = Look::failed;
    const bool passes_power = group.kind == "utility feed" || !figures_.values(group.names, "input_power").empty();
    const bool has_tripped = is_open && std::ranges::all_of(group.names, [&](const std::string& name) {
                               const auto found = openings_.find(name);
                               return found != openings_.end() && found->second == "tripped";
                             });
    if (is_open && (passes_power || !powers.empty()))
      box.lines.emplace_back(has_tripped                 ? "tripped"
                             : group.kind == "generator" ? is_disabled(group.names) ? "disabled" : "stands"
                             : passes_power              ? "open"
                                                         : "off");
    report_failures(group, box);
    if (has_tripped) box.look = Look::failed;
    return box;
  }

  /// Feeds are not recorded one by one: each gives what those draw that hang on it alone.
  void report_feeds(const PartGroups& groups, std::vector<DiagramBox>& boxes) {
    for (std::size_t feed = 0; feed < boxes.size(); ++feed) {
      if (groups.groups[feed].kind != "utility feed" || boxes[feed].look != Look::usual) continue;
      double drawn_w = 0.0;
      bool is_known = true;
      for (const auto& [from, to] : groups.connections) {
        if (from != feed) continue;
        const auto givers = std::ranges::count_if(groups.connections, [&](const auto& one) { return one[1] == to; });
        const std::vector<double> inputs_w = figures_.values(groups.groups[to].names, "input_power");
        is_known = is_known && givers == 1 && inputs_w.size() == groups.groups[to].names.size();
        drawn_w += std::accumulate(inputs_w.begin(), inputs_w.end(), 0.0);
      }
      if (is_known) boxes[feed].lines.insert(boxes[feed].lines.begin(), format_quantity(drawn_w, "W"));
    }
  }

  static bool stands_still(const DiagramBox& box) { return box.look == Look::still || box.look == Look::failed; }

  /// By the flow on the side of equipment that a body of water, coolant or air touches, where that is recorded: a CDU whose pumps failed stands
  /// in facility water that flows on. Equipment takes heat at one side and gives it at the other.
  bool passes_nothing(const PartGroup& part, const DiagramBox& box, const std::string& body_kind, bool is_taker) {
    std::vector<std::string_view> columns{"flow"};
    if (body_kind == "room")
      columns = {"airflow"};
    else if (!is_taker)
      columns = {"facility_flow", "condenser_flow", "cold_flow", "flow"};
    if (part.kind == "rack" && body_kind == "water system")
      return false;  // of its door, which the water's flow reports
    for (const std::string_view column : columns) {
      const std::vector<double> flows = figures_.values(part.names, column);
      if (!flows.empty()) return std::ranges::max(flows) < nothing_kg_per_s;
    }
    return stands_still(box);
  }

  /// Pumps that stand in something: "pumps: 2 of 4 run, 1 failed".
  std::string pumps_in(const std::vector<std::string>& names) {
    std::vector<std::string> pumps;
    for (const TopologyConnection& one : topology_.connections) {
      if (one.medium == "inside" && std::ranges::count(names, one.to) > 0) pumps.push_back(one.from);
    }
    const std::vector<double> speeds = figures_.values(pumps, "speed");
    if (speeds.empty()) return {};
    const auto turning = std::ranges::count_if(speeds, [](double speed) { return speed > 0.01; });
    std::string text = fmt::format("{} of {} pumps turn", turning, speeds.size());
    if (const std::size_t failed = failed_in(pumps); failed > 0) text += fmt::format(", {} failed", failed);
    return text;
  }

  /// Does anything pass by the users of a water system, ever?
  bool has_bypass(const std::string& system) const {
    constexpr const char *group = "water_systems", *column = "bypass_flow";
    if (!results_.has_table(group) || !results_.has_column(group, column)) return false;
    const std::vector<std::string> systems = results_.table(group).items;
    const auto item = static_cast<std::size_t>(std::ranges::find(systems, system) - systems.begin());
    if (item == systems.size()) return false;
    return std::ranges::any_of(results_.series(group, column, item), [](float flow_kg_per_s) {
      return std::abs(static_cast<double>(flow_kg_per_s)) > nothing_kg_per_s;
    });
  }

  /// Between the headers of water systems: what towers or chillers move and users do not take, or lack.
  void add_bypasses(const PartGroups& groups, std::vector<DiagramBox>& boxes, std::vector<DiagramLine>& lines) {
    for (std::size_t system = 0; system < groups.groups.size(); ++system) {
      for (const std::string& name : groups.groups[system].names) {
        if (groups.groups[system].kind != "water system" || !has_bypass(name)) continue;
        const double flow_kg_per_s = figures_.value(name, "bypass_flow").value_or(0.0);
        const bool is_still = std::abs(flow_kg_per_s) < nothing_kg_per_s;
        const std::string water = display_name(name);
        DiagramBox box{.title = "bypass of " + water + (water.find("water") == std::string::npos ? " water" : ""),
                       .lines = {"water " + quantity_text(std::abs(flow_kg_per_s), "kg/s"),
                                 flow_kg_per_s < 0.0 ? "from return to supply" : "from supply to return"},
                       .look = is_still ? Look::still : Look::usual};
        if (is_still) box.lines = {"no flow"};
        lines.push_back({{system, boxes.size()}, box.look});
        boxes.push_back(std::move(box));
      }
    }
  }

  void report_weather(DiagramBox& box) const {
    static constexpr std::array<std::array<const char*, 2>, 2> bulbs{
        {{"dry_bulb", "dry bulb"}, {"wet_bulb", "wet bulb"}}};
    if (!results_.has_table("facility")) return;
    const std::vector<double> times_s = results_.times_s("facility");
    for (const auto& [column, words] : bulbs) {
      if (times_s.empty() || !results_.has_column("facility", column)) continue;
      const auto nearest =
          std::ranges::min_element(times_s, {}, [&](double t) { return std::abs(t - moment_.time_s); });
      const float value_k =
          results_.frame("facility", column, static_cast<std::size_t>(nearest - times_s.begin())).at(0);
      box.lines.push_back(fmt::format("{} {}", words, format_quantity(static_cast<double>(value_k), "K")));
    }
  }

  /// Are GPUs of its racks down?
  bool report_down(const PartGroup& group, DiagramBox& box) {
    const std::vector<double> down = figures_.values(group.names, down_gpus_column(results_, "racks"));
    const double gpus = std::accumulate(down.begin(), down.end(), 0.0);
    if (gpus > 0.0) box.lines.push_back(fmt::format("{:.0f} GPUs down", gpus));
    return gpus > 0.0;
  }

  DiagramBox cooling_box(const PartGroup& group) {
    DiagramBox box = titled_box(group);
    box.is_body = group.kind == "coolant loop" || group.kind == "water system" || group.kind == "room" ||
                  group.kind == "surroundings" || group.kind == "boundary";
    report(group, cooling_lines, box);
    if (group.kind == "surroundings") report_weather(box);
    if (const std::string pumps = pumps_in(group.names); !pumps.empty()) box.lines.push_back(pumps);
    if (report_down(group, box)) box.look = Look::beyond_rating;
    const std::vector<double> flows = figures_.values(group.names, "flow");
    if (!flows.empty() && std::ranges::max(flows) < nothing_kg_per_s && !is_dry(group)) {
      box.look = Look::still;
      if (box.is_body) box.lines.emplace_back("no flow");
    }
    report_failures(group, box);
    return box;
  }

  const ResultsReader& results_;
  Topology topology_;
  const DiagramMoment& moment_;
  PartFigures figures_;
  std::vector<EquipmentFault> faults_;
  std::map<std::string, std::string, std::less<>> openings_;
  std::set<std::string, std::less<>> live_, disabled_;  ///< parts that have voltage; generators that may not start
};

}  // namespace

std::string one_line_diagram(const ResultsReader& results, const DiagramMoment& moment) {
  return Diagrammer(results, moment).one_line();
}

std::string cooling_schematic(const ResultsReader& results, const DiagramMoment& moment) {
  return Diagrammer(results, moment).cooling();
}

}  // namespace wattloop::twin
