#include "twin/drawings/diagrams/live_parts.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "twin/drawings/diagrams/box_lines.hpp"

namespace wattloop::twin {

namespace {

constexpr double closed = 1.0;

/// Of what has a state: is it closed, or ordered to run?
bool is_closed(const std::string& part, PartFigures& figures) {
  return figures.value(part, "state").value_or(closed) == closed;
}

bool has_power(const std::string& part, PartFigures& figures) {
  for (const char* column : {"power", "it_power", "battery_power"}) {
    if (figures.value(part, column).value_or(0.0) >= nothing_w) return true;
  }
  return false;
}

using Takers = std::map<std::string, std::vector<std::string>, std::less<>>;

/// What can get voltage from each part: of branches that go both ways both buses, and they from both.
Takers takers_in(const Topology& topology) {
  std::set<std::string_view> both_ways;
  for (const TopologyPart& part : topology.parts)
    if (part.goes_both_ways) both_ways.insert(part.name);
  Takers takers;
  for (const TopologyConnection& one : topology.connections) {
    if (one.medium != "electricity") continue;
    takers[one.from].push_back(one.to);
    if (both_ways.contains(one.from) || both_ways.contains(one.to)) takers[one.to].push_back(one.from);
  }
  return takers;
}

}  // namespace

std::set<std::string, std::less<>> live_parts(const Topology& topology, PartFigures& figures) {
  Takers takers = takers_in(topology);
  std::set<std::string, std::less<>> live;
  std::vector<std::string> next;
  const auto reach = [&](const std::string& part) {
    if (live.insert(part).second) next.push_back(part);
  };
  for (const TopologyPart& part : topology.parts) {
    const bool is_feed = part.kind == "utility feed" || has_power(part.name, figures);
    if (is_feed && part.kind != "bus" && is_closed(part.name, figures)) reach(part.name);
  }
  while (!next.empty()) {
    const std::string giver = std::move(next.back());
    next.pop_back();
    for (const std::string& taker : takers[giver])
      if (is_closed(taker, figures)) reach(taker);
  }
  for (const TopologyPart& part : topology.parts) {  // what results say goes before what follows from switches
    const std::optional<double> voltage_v = figures.value(part.name, "voltage");
    if (voltage_v && *voltage_v > 0.0) live.insert(part.name);
    if (voltage_v && !(*voltage_v > 0.0)) live.erase(part.name);
  }
  return live;
}

}  // namespace wattloop::twin
