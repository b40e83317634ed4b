#include "twin/drawings/diagrams/part_groups.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace wattloop::twin {

namespace {

/// Parts and what passes between them, numbered; without those that are passed over.
struct Graph {
  std::vector<const TopologyPart*> parts;
  std::vector<std::vector<std::size_t>> givers, takers;
};

class GraphMaker {
 public:
  GraphMaker(const Topology& topology, const Grouping& grouping) : topology_(topology), grouping_(grouping) {
    for (std::size_t part = 0; part < topology.parts.size(); ++part) number_[topology.parts[part].name] = part;
    takers_.resize(topology.parts.size());
    std::vector<std::uint8_t> is_touched(topology.parts.size(), 0);
    for (const TopologyConnection& one : topology.connections) {
      const auto from = number_.find(one.from), to = number_.find(one.to);
      if (one.medium != grouping.medium || from == number_.end() || to == number_.end()) continue;
      takers_[from->second].push_back(to->second);
      is_touched[from->second] = is_touched[to->second] = 1;
    }
    place_.assign(topology.parts.size(), none);
    for (std::size_t part = 0; part < is_touched.size(); ++part) {
      if (is_touched[part] == 0 || is_passed_over(part)) continue;
      place_[part] = graph_.parts.size();
      graph_.parts.push_back(&topology.parts[part]);
    }
  }

  Graph make() {
    graph_.givers.resize(graph_.parts.size());
    graph_.takers.resize(graph_.parts.size());
    for (std::size_t part = 0; part < place_.size(); ++part) {
      if (place_[part] == none) continue;
      std::set<std::size_t> seen, reached;
      reach(part, seen, reached);
      for (const std::size_t taker : reached) {
        graph_.takers[place_[part]].push_back(place_[taker]);
        graph_.givers[place_[taker]].push_back(place_[part]);
      }
    }
    return std::move(graph_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool is_passed_over(std::size_t part) const {
    const TopologyPart& one = topology_.parts[part];
    return grouping_.passed_over.contains(one.kind) || grouping_.names_passed_over.contains(one.name);
  }

  /// Takers that are drawn, through those that are not.
  void reach(std::size_t part, std::set<std::size_t>& seen, std::set<std::size_t>& reached) const {
    for (const std::size_t taker : takers_[part]) {
      if (!seen.insert(taker).second) continue;
      if (is_passed_over(taker)) {
        reach(taker, seen, reached);
      } else {
        reached.insert(taker);
      }
    }
  }

  const Topology& topology_;
  const Grouping& grouping_;
  std::unordered_map<std::string_view, std::size_t> number_;
  std::vector<std::vector<std::size_t>> takers_;
  std::vector<std::size_t> place_;
  Graph graph_;
};

using Classes = std::vector<std::size_t>;  ///< [part] number of its class

std::size_t count_of(const Classes& classes) { return classes.empty() ? 0 : *std::ranges::max_element(classes) + 1; }

std::vector<std::size_t> classes_around(const std::vector<std::size_t>& parts, const Classes& classes) {
  std::vector<std::size_t> around;
  for (const std::size_t part : parts) around.push_back(classes[part]);
  std::ranges::sort(around);
  around.erase(std::ranges::unique(around).begin(), around.end());
  return around;
}

/// Parts stay in a class while they are joined to the same classes.
Classes refined(const Graph& graph, SameEnds same, Classes classes) {
  const auto around = [&](const std::vector<std::size_t>& parts, bool counts) {
    return counts ? classes_around(parts, classes) : std::vector<std::size_t>{};
  };
  for (;;) {
    std::map<std::tuple<std::size_t, std::vector<std::size_t>, std::vector<std::size_t>>, std::size_t> number;
    Classes finer(classes.size());
    for (std::size_t part = 0; part < classes.size(); ++part) {
      finer[part] = number
                        .emplace(std::tuple(classes[part], around(graph.givers[part], same != SameEnds::takers),
                                            around(graph.takers[part], same != SameEnds::givers)),
                                 number.size())
                        .first->second;
    }
    if (number.size() == count_of(classes)) return finer;
    classes = std::move(finer);
  }
}

/// Joints stay as they are; all other parts stay in a class while they stand between the same classes.
Classes refined_between(const Graph& graph, std::string_view joints, Classes classes) {
  for (;;) {
    std::map<std::tuple<std::size_t, std::vector<std::size_t>, std::vector<std::size_t>>, std::size_t> number;
    Classes finer(classes.size());
    for (std::size_t part = 0; part < classes.size(); ++part) {
      std::tuple<std::size_t, std::vector<std::size_t>, std::vector<std::size_t>> own(classes[part], {}, {});
      if (graph.parts[part]->kind != joints)
        own = {classes[part], classes_around(graph.givers[part], classes), classes_around(graph.takers[part], classes)};
      finer[part] = number.emplace(std::move(own), number.size()).first->second;
    }
    if (number.size() == count_of(classes)) return finer;
    classes = std::move(finer);
  }
}

Classes by_kind(const Graph& graph, const Grouping& grouping) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> number;
  Classes classes;
  for (const TopologyPart* part : graph.parts) {
    const std::string_view own = grouping.names_alone.contains(part->name) ? part->name : part->kind;
    const auto mark = grouping.marks.find(part->name);
    const std::string_view marked = mark == grouping.marks.end() ? std::string_view() : mark->second;
    classes.push_back(number.emplace(std::pair(own, marked), number.size()).first->second);
  }
  return classes;
}

/// Gives each part of small classes of their kinds a class of its own. False where there is none.
bool split(const Graph& graph, const Grouping& grouping, Classes& classes) {
  std::vector<std::size_t> size(count_of(classes), 0);
  for (const std::size_t one : classes) ++size[one];
  std::vector<bool> is_kept(size.size(), false);  // by the first part: no number is left without parts
  std::size_t next = size.size();
  for (std::size_t part = 0; part < classes.size(); ++part) {
    const std::size_t members = size[classes[part]];
    if (members < 2 || members > grouping.most_alone) continue;
    if (!grouping.kinds_alone.contains(graph.parts[part]->kind)) continue;
    if (is_kept[classes[part]])
      classes[part] = next++;
    else
      is_kept[classes[part]] = true;
  }
  return next > size.size();
}

}  // namespace

PartGroups group_parts(const Topology& topology, const Grouping& grouping) {
  const Graph graph = GraphMaker(topology, grouping).make();
  Classes classes = refined(graph, grouping.same_ends, by_kind(graph, grouping));
  while (split(graph, grouping, classes)) classes = refined(graph, grouping.same_ends, classes);
  if (!grouping.joints.empty()) classes = refined_between(graph, grouping.joints, std::move(classes));
  std::vector<std::size_t> place(count_of(classes), static_cast<std::size_t>(-1));
  PartGroups result;
  std::vector<std::size_t> group_of;
  for (std::size_t part = 0; part < classes.size(); ++part) {
    std::size_t& group = place[classes[part]];
    if (group >= result.groups.size()) {
      group = result.groups.size();
      result.groups.push_back({.kind = graph.parts[part]->kind});
    }
    result.groups[group].names.push_back(graph.parts[part]->name);
    group_of.push_back(group);
  }
  std::set<std::array<std::size_t, 2>> connections;
  for (std::size_t part = 0; part < classes.size(); ++part) {
    for (const std::size_t taker : graph.takers[part]) connections.insert({group_of[part], group_of[taker]});
  }
  result.connections.assign(connections.begin(), connections.end());
  return result;
}

}  // namespace wattloop::twin
