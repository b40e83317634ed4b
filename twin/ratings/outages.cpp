// What `wattloop check` takes out, one at a time: a machine of those that there are several of, a side of two, the feeds.

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "twin/ratings/nameplate_hall.hpp"

namespace wattloop::twin {

namespace {

using Names = std::vector<std::string>;
using Sort = Outage::Sort;

constexpr double out_of_reach_k = 275.0;  ///< coolant that no facility water gives: valves open all the way

EventSpec event(EventSpec::Kind kind, Names targets) {
  EventSpec spec;
  spec.kind = kind;
  spec.targets = std::move(targets);
  return spec;
}

EventSpec fail(Names targets) { return event(EventSpec::Kind::fail, std::move(targets)); }
EventSpec open(Names targets) { return event(EventSpec::Kind::open, std::move(targets)); }

void add_machine(const std::string& name, std::vector<Outage>& list) {
  list.push_back({Sort::machine, name, {fail({name})}});
}

/// Of parts that the scenario names itself and that are alike the first.
void add_named(const std::vector<NamedPart>& parts, std::vector<Outage>& list) {
  for (std::size_t first = 0, end = 0; first < parts.size(); first = end) {
    end = first + 1;
    while (end < parts.size() && parts[end].kind == parts[first].kind && parts[end].hangs_on == parts[first].hangs_on)
      ++end;
    if (end - first > 1 && parts[first].load != no_part) add_machine(parts[first].name, list);
  }
}

void add_machines(const HallParts& hall, std::vector<Outage>& list) {
  const auto fullest = std::ranges::max_element(hall.loops, {}, [](const LoopPart& loop) { return loop.racks.size(); });
  if (fullest != hall.loops.end() && fullest->cdus.size() > 1) add_machine(hall.cdus[fullest->cdus.front()].name, list);
  for (const RoomPart& room : hall.rooms) {
    if (room.crahs.size() > 1) add_machine(hall.crahs[room.crahs.front()].name, list);
  }
  if (hall.chillers.size() > 1) add_machine(hall.chillers.front().name, list);
  if (hall.towers.size() > 1) add_machine(hall.towers.front().name, list);
  for (const WaterPart* water : {&hall.facility, &hall.chilled_water}) {
    if (water->pumps.size() > 1) add_machine(hall.motors[water->pumps.front()].name, list);
  }
}

void add_open_valves(const HallParts& hall, std::vector<Outage>& list) {
  if (!is_own(hall.facility)) return;
  EventSpec spec = event(EventSpec::Kind::set, {"loop_*.supply_temperature"});
  spec.to_si = out_of_reach_k;
  list.push_back({Sort::valves, std::string(open_valves), {spec}});
}

/// Sources of a kind, of one side or of all.
Names sources_named(const electrical::PowerTree& tree, std::string_view beginning) {
  Names names;
  for (const std::string& name : tree.source_name) {
    if (name.starts_with(beginning)) names.push_back(name);
  }
  return names;
}

/// Feed, generators and UPS of a side.
Names all_of_side(const electrical::PowerTree& tree, char side) {
  Names names = sources_named(tree, fmt::format("utility_{}", side));
  std::ranges::copy(sources_named(tree, fmt::format("generator_{}_", side)), std::back_inserter(names));
  const std::string ups = fmt::format("ups_{}", side);
  if (electrical::find_branch(tree, ups)) names.push_back(ups);
  return names;
}

void add_power(const Plant& plant, std::vector<Outage>& list) {
  const electrical::PowerTree& tree = plant.power_tree;
  const Names feeds = sources_named(tree, "utility_");
  const std::string all_feeds = feeds.size() > 1 ? "both feeds" : "the feed";
  const auto is_enabled = [](const StandbyPart& part) { return part.is_enabled; };
  const bool are_standby = std::ranges::any_of(plant.standby, is_enabled);
  if (are_standby) list.push_back({Sort::feeds, all_feeds, {open(feeds)}});
  for (const StandbyPart& part : plant.standby) {
    const std::string& first = tree.source_name[part.sources.front()];
    if (!part.is_enabled || part.sources.size() == 1) continue;
    list.push_back({Sort::start, fmt::format("{}, {}", all_feeds, first), {open(feeds), fail({first})}});
  }
  if (!electrical::find_branch(tree, "ups_a") || !electrical::find_branch(tree, "ups_b")) return;
  for (const auto& [lost, left] : {std::pair{'a', 'b'}, std::pair{'b', 'a'}}) {
    const EventSpec side = fail(all_of_side(tree, lost));
    list.push_back({Sort::side, fmt::format("side {}", lost), {side}});
    if (!are_standby) continue;
    list.push_back({Sort::feeds,
                    fmt::format("side {}, feed {}", lost, left),
                    {side, open(sources_named(tree, fmt::format("utility_{}", left)))}});
  }
}

}  // namespace

std::string with_out(std::string_view out) {
  if (out == Outage{}.text) return {};
  return out == open_valves ? fmt::format("with {}, ", out) : fmt::format("with {} out, ", out);
}

std::vector<Outage> outages(const Plant& plant) {
  std::vector<Outage> list{Outage{}};
  add_power(plant, list);
  add_machines(plant.hall, list);
  add_named(plant.named, list);
  add_open_valves(plant.hall, list);
  return list;
}

}  // namespace wattloop::twin
