#include "twin/drawings/diagrams/drawn_power.hpp"

#include <algorithm>
#include <deque>
#include <string_view>
#include <vector>

namespace wattloop::twin {

namespace {

class PowerDrawer {
 public:
  explicit PowerDrawer(const Topology& topology) {
    drawn_.topology.parts = topology.parts;
    for (const TopologyPart& part : topology.parts) part_[part.name] = &part;
    for (const TopologyConnection& one : topology.connections) {
      if (one.medium != "electricity") continue;
      drawn_.topology.connections.push_back(one);
      if (goes_both_ways(one.to)) ends_[one.to][0] = one.from;
      if (goes_both_ways(one.from)) ends_[one.from][1] = one.to;
    }
  }

  DrawnPower draw() {
    measure_levels("utility feed");
    measure_levels("generator");
    for (const auto& [branch, ends] : ends_) {
      if (ends[0].empty() || ends[1].empty()) continue;
      const std::size_t from = level(ends[0]), to = level(ends[1]);
      if (from == to) drawn_.ties[branch] = ends;
      if (from < to) continue;
      for (TopologyConnection& one : drawn_.topology.connections) {
        const bool is_end = one.from == branch;
        if (is_end || (from > to && one.to == branch)) std::swap(one.from, one.to);
      }
    }
    return std::move(drawn_);
  }

 private:
  bool goes_both_ways(const std::string& name) const {
    const auto part = part_.find(name);
    return part != part_.end() && part->second->goes_both_ways;
  }

  /// Number of parts from the nearest feed, of all that no other kind of source has reached before.
  void measure_levels(std::string_view source) {
    std::map<std::string_view, std::vector<std::string_view>> beside;
    for (const TopologyConnection& one : drawn_.topology.connections) {
      beside[one.from].push_back(one.to);
      if (goes_both_ways(one.from) || goes_both_ways(one.to)) beside[one.to].push_back(one.from);
    }
    std::deque<std::string_view> next;
    for (const TopologyPart& part : drawn_.topology.parts) {
      if (part.kind == source && level_.emplace(part.name, 0).second) next.push_back(part.name);
    }
    for (; !next.empty(); next.pop_front()) {
      for (const std::string_view other : beside[next.front()])
        if (level_.emplace(other, level_.find(next.front())->second + 1).second) next.push_back(other);
    }
  }

  std::size_t level(const std::string& bus) const {
    const auto known = level_.find(bus);
    return known == level_.end() ? 0 : known->second;
  }

  DrawnPower drawn_;
  std::map<std::string_view, const TopologyPart*> part_;
  std::map<std::string, std::array<std::string, 2>, std::less<>> ends_;  ///< buses of branches that go both ways
  std::map<std::string, std::size_t, std::less<>> level_;
};

}  // namespace

DrawnPower drawn_power(const Topology& topology) { return PowerDrawer(topology).draw(); }

}  // namespace wattloop::twin
