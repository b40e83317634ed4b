// `power.one_line` in a hall: equipment in its rooms, generators that start together, switches that close by themselves, interlocks.
//
// Without `room` a UPS stands in the room for UPS that `power.rooms` gives, or in the hall; a PDU in the hall; everything else outdoors.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <variant>

#include <fmt/format.h>

#include "twin/build/templates/one_line_templates.hpp"
#include "twin/scenario/specs/diagram_changes.hpp"

namespace wattloop::twin {

namespace {

constexpr UseOfPower site_load_use{.name = "site_load",
                                   .text = "other loads of the diagram, no part of the facility",
                                   .label = "other loads",
                                   .is_elsewhere = true};

template <class K>
bool is_a(const DrawnBranch& drawn) {
  return std::holds_alternative<typename K::Params>(drawn.branch.equipment);
}

int room_number(const Diagram& diagram, const DrawnBranch& drawn) {
  if (drawn.room == "outdoors") return electrical::outdoors;
  if (drawn.room.empty() && !is_a<electrical::Pdu>(drawn)) return electrical::outdoors;
  return static_cast<int>(room_called(diagram, drawn.room));
}

/// What names of sets at one bus have in common: "genset_a" of "genset_a_1" and "genset_a_2".
std::string common_name(const std::vector<std::string>& names) {
  std::string common = names.front();
  for (const std::string& name : names) {
    const auto apart = std::ranges::mismatch(common, name);
    common.erase(apart.in1, common.end());
  }
  while (!common.empty() && (common.back() == '_' || common.back() == '.')) common.pop_back();
  return common;
}

/// The branch of that name, or the breaker that it has, which opens and closes for it.
std::optional<std::size_t> switch_called(const OneLineSpec& spec, const electrical::PowerTree& tree,
                                         const std::string& name) {
  const bool has_breaker =
      std::ranges::any_of(spec.branches, [&](const DrawnBranch& drawn) { return drawn.branch.protects == name; });
  return electrical::find_branch(tree, has_breaker ? name + ".breaker" : name);
}

}  // namespace

std::size_t room_of_ups(const Diagram& diagram, const PowerSpec& power, const DrawnBranch& ups) {
  return room_called(diagram, power.rooms.is_given ? ups.electrical_room() : ups.room);
}

void check_rooms_of_drawn(const Diagram& diagram, const PowerSpec& power, Problems& problems) {
  std::vector<std::string> known{"outdoors"};
  for (const Room& room : diagram.rooms) known.push_back(room.name);
  for (const DrawnBranch& drawn : power.one_line.branches) {
    const bool names_own_room = is_a<electrical::Ups>(drawn) && power.rooms.is_given;
    if (drawn.room.empty() || names_own_room || std::ranges::find(known, drawn.room) != known.end()) continue;
    report_unknown(fmt::format("{}: there is no room '{}'", drawn.branch.name, drawn.room), drawn.room, known,
                   drawn.mention, problems);
  }
}

void add_drawn(const Diagram& diagram, const PowerSpec& power, OneLineDiagram& one_line) {
  for (const DrawnBus& bus : power.one_line.buses) one_line.buses.push_back({bus.name, bus.voltage_v});
  for (const DrawnSource& drawn : power.one_line.sources) one_line.sources.push_back(drawn.source);
  for (const DrawnBranch& drawn : power.one_line.branches) {
    if (is_a<electrical::Ups>(drawn)) {
      add_ups(one_line, drawn.branch, room_of_ups(diagram, power, drawn), drawn.bypass == "static");
      continue;
    }
    const auto bus = std::ranges::find(power.one_line.buses, drawn.branch.from, &DrawnBus::name);
    one_line.branches.push_back(drawn.branch);
    one_line.branches.back().room = room_number(diagram, drawn);
    one_line.branches.back().equipment = electrical::at_voltage(drawn.branch.equipment, bus->voltage_v);
  }
}

void declare_site_loads(Diagram& diagram, const OneLineSpec& spec) {
  for (const DrawnLoad& drawn : spec.loads) {
    DeclaredLoad load{.name = drawn.name, .use = diagram.use_number(site_load_use), .at = SupplyPoint::drawn_bus};
    const InputId power = diagram.declare_setting(drawn.name, "power", "W", drawn.power_w);
    diagram.site_loads.push_back({.load = diagram.declare_load(std::move(load)), .power_input = power.number});
  }
}

void declare_drawn_standby(Diagram& diagram, const OneLineSpec& spec) {
  const electrical::PowerTree& tree = diagram.power_tree;
  using Alike = std::tuple<std::size_t, bool, double, double>;  // bus of the tree, and what starts and stops together
  std::map<Alike, std::vector<const DrawnSource*>> sets;
  for (const DrawnSource& drawn : spec.sources) {
    const auto source = electrical::find_source(tree, drawn.source.name);
    if (!source || tree.source_is_standby[*source] == 0) continue;
    const auto& set = std::get<electrical::Generator::Params>(drawn.source.equipment);
    sets[{static_cast<std::size_t>(tree.source_bus[*source]), drawn.is_enabled, set.start_time_s,
          set.retransfer_delay_s}]
        .push_back(&drawn);
  }
  for (const auto& [alike, sources] : sets) {
    const auto& [bus, is_enabled, start_time_s, retransfer_delay_s] = alike;
    StandbyPart part{.name = {},
                     .bus = bus,
                     .sources = {},
                     .is_enabled = is_enabled,
                     .start_time_s = start_time_s,
                     .retransfer_delay_s = retransfer_delay_s};
    std::vector<std::string> names;
    for (const DrawnSource* drawn : sources) {
      names.push_back(drawn->source.name);
      part.sources.push_back(*electrical::find_source(tree, drawn->source.name));
    }
    part.name = common_name(names);
    if (part.name.empty()) part.name = "generators_of_" + tree.bus_name[bus];
    diagram.standby.push_back(std::move(part));
  }
}

void declare_switch_rules(Diagram& diagram, const OneLineSpec& spec) {
  if (!spec.is_given) return;
  const electrical::PowerTree& tree = diagram.power_tree;
  for (const DrawnBranch& drawn : spec.branches) {
    const auto branch = electrical::find_branch(tree, drawn.branch.name);
    if (!branch || !drawn.closes_by_itself) continue;
    diagram.switch_rules.automatic.push_back({.name = drawn.branch.name,
                                              .branch = *branch,
                                              .closes_after_s = drawn.closes_after_s,
                                              .returns_after_s = drawn.returns_after_s});
  }
  const bool has_several_feeds = std::ranges::count(tree.source_is_standby, std::uint8_t{0}) > 1;
  for (std::size_t source = 0; source < tree.source_name.size() && has_several_feeds; ++source) {
    if (tree.source_is_standby[source] == 0) diagram.switch_rules.may_be_out.push_back(tree.source_name[source]);
  }
  for (const DrawnBranch& drawn : spec.branches) {
    const bool is_equipment = (!drawn.hardware.empty() && !drawn.is_of_branch()) || drawn.has_impedance;
    if (is_equipment && drawn.branch.normally_closed && electrical::find_branch(tree, drawn.branch.name))
      diagram.switch_rules.may_be_out.push_back(drawn.branch.name);
  }
  for (const DrawnInterlock& lock : spec.interlocks) {
    InterlockPart part{.name = lock.name, .branches = {}, .most_closed = static_cast<std::size_t>(lock.most_closed)};
    for (const std::string& member : lock.members.names) {
      if (const auto branch = switch_called(spec, tree, member)) part.branches.push_back(*branch);
    }
    diagram.switch_rules.interlocks.push_back(std::move(part));
  }
}

}  // namespace wattloop::twin
