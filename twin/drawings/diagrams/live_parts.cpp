#include "twin/drawings/diagrams/live_parts.hpp"

#include <map>
#include <vector>

namespace wattloop::twin {

namespace {

constexpr double nothing_w = 1.0, closed = 1.0;

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

}  // namespace

std::set<std::string, std::less<>> live_parts(const Topology& topology, PartFigures& figures) {
  std::map<std::string, std::vector<std::string>, std::less<>> takers;
  for (const TopologyConnection& one : topology.connections)
    if (one.medium == "electricity") takers[one.from].push_back(one.to);
  std::set<std::string, std::less<>> live;
  std::vector<std::string> next;
  const auto reach = [&](const std::string& part) {
    if (live.insert(part).second) next.push_back(part);
  };
  for (const TopologyPart& part : topology.parts) {
    const bool is_feed = part.kind == "utility feed" && is_closed(part.name, figures);
    if (is_feed || has_power(part.name, figures)) reach(part.name);
  }
  while (!next.empty()) {
    const std::string giver = std::move(next.back());
    next.pop_back();
    for (const std::string& taker : takers[giver])
      if (is_closed(taker, figures)) reach(taker);
  }
  return live;
}

}  // namespace wattloop::twin
