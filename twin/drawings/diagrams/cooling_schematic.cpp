#include "twin/drawings/diagrams/hall_diagrams.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/drawings/diagrams/box_diagram.hpp"
#include "twin/drawings/diagrams/box_lines.hpp"
#include "twin/drawings/diagrams/part_boxes.hpp"
#include "twin/drawings/diagrams/part_groups.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/results/reader/records_at.hpp"

namespace wattloop::twin {

namespace {

class CoolingDiagrammer {
 public:
  CoolingDiagrammer(const ResultsReader& results, const DiagramMoment& moment)
      : results_(results), topology_(results.topology()), moment_(moment), boxes_(results, moment.time_s) {}

  std::string draw() {
    const PartGroups groups =
        few_groups(topology_,
                   {.medium = "heat",
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
      const std::vector<double> flows = boxes_.figures().values(part.names, column);
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
    const std::vector<double> speeds = boxes_.figures().values(pumps, "speed");
    if (speeds.empty()) return {};
    const auto turning = std::ranges::count_if(speeds, [](double speed) { return speed > 0.01; });
    std::string text = fmt::format("{} of {} pumps turn", turning, speeds.size());
    if (const std::size_t failed = boxes_.failed_in(pumps); failed > 0) text += fmt::format(", {} failed", failed);
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
        const double flow_kg_per_s = boxes_.figures().value(name, "bypass_flow").value_or(0.0);
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

  DiagramBox cooling_box(const PartGroup& group) {
    DiagramBox box = boxes_.titled_box(group);
    box.is_body = group.kind == "coolant loop" || group.kind == "water system" || group.kind == "room" ||
                  group.kind == "surroundings" || group.kind == "boundary";
    boxes_.report(group, cooling_lines, box);
    if (group.kind == "surroundings") report_weather(box);
    if (const std::string pumps = pumps_in(group.names); !pumps.empty()) box.lines.push_back(pumps);
    if (boxes_.report_down(group, box)) box.look = Look::beyond_rating;
    const std::vector<double> flows = boxes_.figures().values(group.names, "flow");
    if (!flows.empty() && std::ranges::max(flows) < nothing_kg_per_s && !boxes_.is_dry(group)) {
      box.look = Look::still;
      if (box.is_body) box.lines.emplace_back("no flow");
    }
    boxes_.report_failures(group, box);
    return box;
  }

  const ResultsReader& results_;
  Topology topology_;
  const DiagramMoment& moment_;
  PartBoxes boxes_;
};

}  // namespace

std::string cooling_schematic(const ResultsReader& results, const DiagramMoment& moment) {
  return CoolingDiagrammer(results, moment).draw();
}

}  // namespace wattloop::twin
