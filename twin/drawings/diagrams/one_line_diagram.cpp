// The one-line diagram: buses as bars, equipment between them, ties beside them.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/drawings/diagrams/drawn_power.hpp"
#include "twin/drawings/diagrams/hall_diagrams.hpp"
#include "twin/drawings/diagrams/live_parts.hpp"
#include "twin/drawings/diagrams/part_boxes.hpp"
#include "twin/drawings/diagrams/power_symbols.hpp"
#include "twin/drawings/diagrams/transfer_switches.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/results/reader/disabled_generators.hpp"
#include "twin/results/reader/openings.hpp"

namespace wattloop::twin {

namespace {

constexpr std::array bar_lines{
    BoxLine{"voltage", "V", "", "", Together::range},
    BoxLine{"voltage_ratio", "1", "", " of nominal", Together::range},
};

class OneLineDiagrammer {
 public:
  OneLineDiagrammer(const ResultsReader& results, const DiagramMoment& moment)
      : OneLineDiagrammer(results, results.topology(), moment) {}

  OneLineDiagrammer(const ResultsReader& results, const Topology& topology, const DiagramMoment& moment)
      : drawn_(drawn_power(topology)),
        transfers_(join_transfer_legs(drawn_.topology)),
        boxes_(results, moment.time_s),
        openings_(openings_at(results, moment.time_s)),
        live_(live_parts(topology, boxes_.figures())),
        disabled_(disabled_generators(results)) {
    for (const TopologyPart& part : drawn_.topology.parts) {
      nominal_v_[part.name] = part.nominal_v;
      fault_level_a_[part.name] = part.fault_level_a;
    }
    note_ends(topology);
    for (const TopologyConnection& one : topology.connections)
      if (one.medium == "electricity") givers_.insert(one.from);
    is_in_normal_position_ = is_as_at_start(results, topology);
    grouping_ = {.medium = "electricity",
                 .kinds_alone = {"utility feed", "substation", "transformer", "UPS", "PDU", "converter", "feeder",
                                 std::string(transfer_switch)},
                 .joints = "bus",
                 .names_alone = moment.names_alone};
    mark_parts();
  }

  std::string draw() {
    const PartGroups groups = grouped();
    std::vector<DiagramBox> boxes;
    for (const PartGroup& group : groups.groups) boxes.push_back(group.kind == "bus" ? bar(group) : power_box(group));
    report_feeds(groups, boxes);
    report_other_loads(groups, boxes);
    std::vector<DiagramLine> lines;
    for (const auto& ends : groups.connections) {
      const DiagramBox& giver = boxes[ends[0]];
      const bool gives = !giver.is_dead && (giver.look == Look::usual || giver.look == Look::beyond_rating);
      lines.push_back({ends, gives ? Look::usual : Look::still, flow(groups, ends), is_beside(groups, ends)});
    }
    return box_diagram(boxes, lines);
  }

 private:
  /// Are all switches and feeds as in the first record, that of the normal position? Generators are not asked: fault levels are from feeds.
  bool is_as_at_start(const ResultsReader& results, const Topology& topology) {
    PartFigures start(results, 0.0);
    return std::ranges::none_of(topology.parts, [&](const TopologyPart& part) {
      return part.kind != "generator" && givers_.contains(part.name) &&
             start.value(part.name, "state") != boxes_.figures().value(part.name, "state");
    });
  }

  /// Buses of branches that carry either way, in the direction in which they are written.
  void note_ends(const Topology& topology) {
    for (const TopologyPart& part : topology.parts)
      if (part.goes_both_ways) buses_[part.name] = {};
    for (const TopologyConnection& one : topology.connections) {
      if (const auto to = buses_.find(one.to); to != buses_.end()) to->second[0] = one.from;
      if (const auto from = buses_.find(one.from); from != buses_.end()) from->second[1] = one.to;
    }
  }

  /// What failed, what is open and what is dead are in boxes of their own: lines of a box are live, or none of them is.
  void mark_parts() {
    for (const TopologyPart& part : drawn_.topology.parts) {
      const std::optional<double> state = boxes_.figures().value(part.name, "state");
      if (state == failed_state) grouping_.marks[part.name] = "failed";
      if (state == 0.0 && givers_.contains(part.name)) grouping_.marks[part.name] = "open";
      if (part.kind == "bus" && !live_.contains(part.name)) grouping_.marks[part.name] = "dead";
    }
    for (const auto& [preferred, transfer] : transfers_) {
      grouping_.marks[preferred] = position(transfer.legs[0]) + ", " + position(transfer.legs[1]);
      for (const std::string& leg : transfer.legs)
        if (grouping_.names_alone.contains(leg)) grouping_.names_alone.insert(preferred);
    }
  }

  /// Of a leg of a transfer switch.
  std::string position(const std::string& leg) {
    const double state = boxes_.figures().value(leg, "state").value_or(1.0);
    if (state == failed_state) return "failed";
    if (state != 0.0) return "closed";
    const auto opening = openings_.find(leg);
    return opening != openings_.end() && opening->second == "tripped" ? "tripped" : "open";
  }

  /// Are each source and each device a box, but for many that are alike and between the same buses?
  bool has_few_buses() const {
    constexpr std::size_t most_buses = 24, most_devices = 64;
    std::size_t buses = 0, devices = 0;
    for (const TopologyPart& part : drawn_.topology.parts) {
      if (!givers_.contains(part.name)) continue;
      if (part.kind != "bus") ++devices;
      if (part.kind == "bus" && !grouping_.names_passed_over.contains(part.name)) ++buses;
    }
    return buses <= most_buses && devices <= most_devices;
  }

  /// Buses that join one thing to one other are not drawn, but for those of ties.
  PartGroups grouped() {
    std::map<std::string_view, std::size_t> joined;
    for (const TopologyConnection& one : drawn_.topology.connections) {
      ++joined[one.from];
      ++joined[one.to];
    }
    constexpr std::size_t most_ties = 4;  // of more, the sides that are alike are one
    for (const auto& [tie, buses] : drawn_.ties) {
      for (const std::string& bus : buses) joined[bus] += 2;
      if (drawn_.ties.size() <= most_ties) grouping_.names_alone.insert(buses.begin(), buses.end());
    }
    for (const TopologyPart& part : drawn_.topology.parts)
      if (part.kind == "bus" && joined[part.name] <= 2) grouping_.names_passed_over.insert(part.name);
    if (!has_few_buses()) return few_groups(drawn_.topology, grouping_, SameEnds::givers);
    for (const TopologyPart& part : drawn_.topology.parts)
      if (part.kind != "bus" && givers_.contains(part.name)) grouping_.kinds_alone.insert(part.kind);
    return group_parts(drawn_.topology, grouping_);
  }

  /// Of lines between a bar and a branch that carries power either way, where results have its direction.
  Flow flow(const PartGroups& groups, const std::array<std::size_t, 2>& ends) {
    for (const std::size_t end : {0, 1}) {
      const PartGroup &branch = groups.groups[ends.at(end)], &bar = groups.groups[ends.at(1 - end)];
      const auto written = buses_.find(branch.names.front());
      if (branch.names.size() != 1 || written == buses_.end() || bar.kind != "bus") continue;
      const double power_w = boxes_.figures().value_in("branches", branch.names.front(), "power").value_or(0.0);
      if (std::abs(power_w) < nothing_w) continue;
      const std::string& giver = written->second.at(power_w > 0.0 ? 0 : 1);
      const bool comes_from_bar = std::ranges::count(bar.names, giver) != 0;
      return comes_from_bar == (end == 1) ? Flow::along : Flow::against;
    }
    return Flow::none;
  }

  /// Is the taker a tie between two bars?
  bool is_beside(const PartGroups& groups, const std::array<std::size_t, 2>& ends) const {
    const PartGroup& taker = groups.groups[ends[1]];
    if (groups.groups[ends[0]].kind != "bus" || !drawn_.ties.contains(taker.names.front())) return false;
    return std::ranges::count_if(groups.connections, [&](const auto& one) { return one[1] == ends[1]; }) == 2;
  }

  DiagramBox bar(const PartGroup& group) {
    DiagramBox box = PartBoxes::titled_box(group);
    box.is_bar = true;
    if (group.names.size() > 1) box.lines = {display_names(group.names)};
    const double nominal_v = nominal_v_[group.names.front()];
    const bool is_one =
        std::ranges::all_of(group.names, [&](const std::string& name) { return nominal_v_[name] == nominal_v; });
    if (is_one && nominal_v > 0.0) box.title += ", " + format_quantity(nominal_v, "V");
    box.is_dead = !live_.contains(group.names.front());
    if (box.is_dead) {
      box.look = Look::still;
      box.lines.emplace_back("dead");
      return box;
    }
    const std::size_t own = box.lines.size();
    boxes_.report(group, bar_lines, box);
    if (box.lines.size() == own + 2) {
      const std::string ratio = std::move(box.lines.back());
      box.lines.pop_back();
      box.lines.back() += ", " + ratio;
    }
    if (is_one) report_fault_level(group, box);
    return box;
  }

  /// Of buses of one voltage: "fault level 50.1 to 52.6 kA". It is that of the normal position, and says so where that is not the position of
  /// all switches.
  void report_fault_level(const PartGroup& group, DiagramBox& box) {
    std::vector<double> levels_a;
    for (const std::string& name : group.names) levels_a.push_back(fault_level_a_[name]);
    const auto [least, most] = std::ranges::minmax(levels_a);
    if (least <= 0.0) return;
    const std::string least_text = format_quantity(least, "A"), most_text = format_quantity(most, "A");
    box.lines.push_back("fault level " + (least_text == most_text ? most_text : least_text + " to " + most_text) +
                        (disabled_.empty() && is_in_normal_position_ ? "" : " in normal position"));
  }

  bool is_disabled(const std::vector<std::string>& names) const {
    return std::ranges::all_of(names, [&](const std::string& name) { return disabled_.contains(name); });
  }

  /// What is open or failed at that time and had power within the interval has it as a mean, and reports it so.
  void report_power(const PartGroup& group, DiagramBox& box) {
    auto lines = power_lines;
    const std::vector<double> states = boxes_.figures().values(group.names, "state");
    const std::vector<double> powers = boxes_.figures().values(group.names, "power");
    const bool is_off = !states.empty() && std::ranges::count(states, 1.0) == 0;
    if (is_off && !powers.empty() && std::ranges::max(powers) >= nothing_w) {
      for (BoxLine& line : lines)
        if (line.column == "power" || line.column == "loading") line.before = "mean ";
    }
    boxes_.report(carrying(group), lines, box);
  }

  /// Of the legs of transfer switches those with power, if there are any.
  PartGroup carrying(const PartGroup& group) {
    PartGroup some{group.kind};
    for (const std::string& name : group.names)
      if (boxes_.figures().value(name, "power").value_or(0.0) >= nothing_w) some.names.push_back(name);
    return group.kind != transfer_switch || some.names.empty() ? group : some;
  }

  /// With the legs of transfer switches instead of these.
  PartGroup with_legs(const PartGroup& group) const {
    PartGroup members{group.kind};
    for (const std::string& name : group.names) {
      const auto transfer = transfers_.find(name);
      if (transfer == transfers_.end())
        members.names.push_back(name);
      else
        members.names.insert(members.names.end(), transfer->second.legs.begin(), transfer->second.legs.end());
    }
    return members;
  }

  /// Its name; of each leg the bus, where it is one switch, and the position, which is that of all.
  DiagramBox titled_transfers(const PartGroup& group) {
    PartGroup named{group.kind};
    for (const std::string& preferred : group.names) named.names.push_back(transfers_.at(preferred).name);
    DiagramBox box = PartBoxes::titled_box(named);
    const TransferSwitch& first = transfers_.at(group.names.front());
    for (const std::size_t leg : {0, 1}) {
      const std::string bus = group.names.size() == 1 ? " " + display_name(first.buses.at(leg)) : "";
      box.lines.push_back((leg == 0 ? "preferred" : "alternate") + bus + ": " + position(first.legs.at(leg)));
    }
    return box;
  }

  DiagramBox power_box(const PartGroup& drawn) {
    DiagramBox box = drawn.kind == transfer_switch ? titled_transfers(drawn) : PartBoxes::titled_box(drawn);
    const PartGroup group = with_legs(drawn);
    box.symbol = group.kind;
    report_power(group, box);
    std::vector<double> powers = boxes_.figures().values(group.names, "power");
    if (powers.empty()) powers = boxes_.figures().values(group.names, "it_power");
    const bool gives_nothing = !powers.empty() && std::ranges::max(powers) < nothing_w;
    const std::vector<double> states = boxes_.figures().values(group.names, "state");
    const bool is_open = !states.empty() && std::ranges::max(states) == 0.0;
    const bool passes_power = group.kind != "generator" && givers_.contains(group.names.front());
    box.is_dead = (gives_nothing || (is_open && passes_power)) &&
                  std::ranges::none_of(group.names, [&](const std::string& name) { return live_.contains(name); });
    if (box.is_dead) box.look = Look::still;
    boxes_.report_down(group, box);
    if (is_open && group.kind == "utility feed") box.look = Look::failed;
    const bool has_tripped = is_open && std::ranges::all_of(group.names, [&](const std::string& name) {
                               const auto found = openings_.find(name);
                               return found != openings_.end() && found->second == "tripped";
                             });
    if (is_open && (passes_power || !powers.empty()))
      box.lines.emplace_back(has_tripped                 ? "tripped"
                             : group.kind == "generator" ? is_disabled(group.names) ? "disabled" : "stands"
                             : passes_power              ? "open"
                                                         : "off");
    boxes_.report_failures(group, box);
    if (has_tripped) box.look = Look::failed;
    return box;
  }

  /// Feeds are not recorded one by one: each gives what those draw that hang on it alone, at its bus.
  void report_feeds(const PartGroups& groups, std::vector<DiagramBox>& boxes) {
    std::vector<std::array<std::size_t, 2>> direct;  // through bars
    for (const auto& [from, to] : groups.connections) {
      if (boxes[from].is_bar) continue;
      if (!boxes[to].is_bar) direct.push_back({from, to});
      for (const auto& [bar, taker] : groups.connections)
        if (bar == to && boxes[to].is_bar) direct.push_back({from, taker});
    }
    for (std::size_t feed = 0; feed < boxes.size(); ++feed) {
      if (groups.groups[feed].kind != "utility feed" || boxes[feed].look != Look::usual) continue;
      double drawn_w = 0.0;
      bool is_known = true;
      for (const auto& [from, to] : direct) {
        if (from != feed) continue;
        const auto givers = std::ranges::count_if(direct, [&](const auto& one) { return one[1] == to; });
        const PartGroup taker = with_legs(groups.groups[to]);
        const std::vector<double> inputs_w = boxes_.figures().values(taker.names, "input_power");
        is_known = is_known && givers == 1 && inputs_w.size() == taker.names.size();
        drawn_w += std::accumulate(inputs_w.begin(), inputs_w.end(), 0.0);
      }
      if (is_known) boxes[feed].lines.insert(boxes[feed].lines.begin(), format_quantity(drawn_w, "W"));
    }
  }

  /// Other loads are recorded together: their box has their power if there is one of them.
  void report_other_loads(const PartGroups& groups, std::vector<DiagramBox>& boxes) {
    const auto is_other = [](const PartGroup& group) { return group.kind == "other load"; };
    const auto found = std::ranges::find_if(groups.groups, is_other);
    const std::optional<double> power_w = boxes_.figures().site_value("site_load_power");
    if (!power_w || std::ranges::count_if(groups.groups, is_other) != 1) return;
    boxes[static_cast<std::size_t>(found - groups.groups.begin())].lines.push_back(format_quantity(*power_w, "W"));
  }

  DrawnPower drawn_;
  TransferSwitches transfers_;
  PartBoxes boxes_;
  std::map<std::string, std::string, std::less<>> openings_;
  std::set<std::string, std::less<>> live_, disabled_;  ///< parts that have voltage; generators that may not start
  std::set<std::string, std::less<>> givers_;           ///< all but loads
  std::map<std::string, double, std::less<>> nominal_v_, fault_level_a_;
  std::map<std::string, std::array<std::string, 2>, std::less<>> buses_;  ///< of branches that carry either way
  bool is_in_normal_position_ = true;
  Grouping grouping_{};
};

}  // namespace

std::string one_line_diagram(const ResultsReader& results, const DiagramMoment& moment) {
  return OneLineDiagrammer(results, moment).draw();
}

}  // namespace wattloop::twin
