#include "network/fabric/connectivity.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/connected_components.hpp>

namespace wattloop::network {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct Arc {
  std::int64_t capacity = 0;
  std::int64_t residual = 0;
  Traits::edge_descriptor reverse = {};
};
using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Arc>;

/// [switches] number of its connected part.
std::vector<std::uint32_t> parts_of(const Fabric& fabric, const FabricHealth& health) {
  Graph graph(fabric.switch_count());
  for (std::size_t link = fabric.tier_link[1]; link < fabric.link_count(); ++link) {
    if (live_b_per_s(fabric, health, link) > 0.0) add_edge(fabric.link_lower[link], fabric.link_upper[link], graph);
  }
  std::vector<std::uint32_t> part(fabric.switch_count());
  boost::connected_components(graph, boost::make_iterator_property_map(part.begin(), get(boost::vertex_index, graph)));
  return part;
}

/// A link carries its bandwidth in each direction, so its two arcs are each other's reverse.
void add_link(FlowGraph& graph, std::size_t a, std::size_t b, std::int64_t forward, std::int64_t backward) {
  const auto there = add_edge(a, b, {forward}, graph).first;
  const auto back = add_edge(b, a, {backward}, graph).first;
  graph[there].reverse = back;
  graph[back].reverse = there;
}

/// "node_1 to node_32, node_40"
std::string text_of(std::span<const std::uint32_t> nodes) {
  std::vector<std::string> runs;
  for (std::size_t first = 0; first < nodes.size();) {
    std::size_t last = first;
    while (last + 1 < nodes.size() && nodes[last + 1] == nodes[last] + 1) ++last;
    runs.push_back(last == first ? fmt::format("node_{}", nodes[first] + 1)
                                 : fmt::format("node_{} to node_{}", nodes[first] + 1, nodes[last] + 1));
    first = last + 1;
  }
  constexpr std::size_t most_runs = 8;
  const std::size_t left_out = runs.size() > most_runs ? runs.size() - most_runs : 0;
  runs.resize(runs.size() - left_out);
  return fmt::format("{}{}", fmt::join(runs, ", "),
                     left_out > 0 ? fmt::format(" and {} more such rows", left_out) : "");
}

}  // namespace

std::vector<NodeGroup> node_groups(const Fabric& fabric, const FabricHealth& health) {
  const std::vector<std::uint32_t> part = parts_of(fabric, health);
  std::map<std::vector<std::uint32_t>, std::size_t> group_of;
  std::vector<NodeGroup> groups;
  for (std::uint32_t node = 0; node < fabric.node_count(); ++node) {
    std::vector<std::uint32_t> reached;
    for (std::size_t rail = 0; rail < static_cast<std::size_t>(fabric.params.rails); ++rail) {
      const std::size_t link = fabric.node_link(node, rail);
      if (live_b_per_s(fabric, health, link) > 0.0) reached.push_back(part[fabric.link_upper[link]]);
    }
    std::ranges::sort(reached);
    reached.erase(std::ranges::unique(reached).begin(), reached.end());
    const auto [place, is_new] = group_of.emplace(std::move(reached), groups.size());
    if (is_new) groups.push_back({place->first, {}});
    groups[place->second].nodes.push_back(node);
  }
  return groups;
}

bool can_reach(const NodeGroup& one, const NodeGroup& other) {
  return std::ranges::any_of(one.parts,
                             [&](std::uint32_t part) { return std::ranges::binary_search(other.parts, part); });
}

std::vector<std::string> cuts_in(const Fabric& fabric, const FabricHealth& health) {
  const std::vector<NodeGroup> groups = node_groups(fabric, health);
  std::vector<std::string> cuts;
  for (std::size_t one = 0; one < groups.size(); ++one) {
    if (groups[one].parts.empty()) {
      cuts.push_back(fmt::format("no port of {} is live", text_of(groups[one].nodes)));
      continue;
    }
    for (std::size_t other = one + 1; other < groups.size(); ++other) {
      if (groups[other].parts.empty() || can_reach(groups[one], groups[other])) continue;
      cuts.push_back(fmt::format("{} cannot reach {}", text_of(groups[one].nodes), text_of(groups[other].nodes)));
    }
  }
  return cuts;
}

double bisection_b_per_s(const Fabric& fabric, const FabricHealth& health, std::span<const std::uint8_t> side) {
  const std::size_t switches = fabric.switch_count(), nodes = fabric.node_count();
  const std::size_t source = switches + nodes, sink = source + 1;
  FlowGraph graph(sink + 1);
  for (std::size_t link = 0; link < fabric.link_count(); ++link) {
    const std::int64_t capacity = std::llround(live_b_per_s(fabric, health, link));
    const bool is_of_node = link < fabric.tier_link[1];
    if (capacity == 0 || (is_of_node && (fabric.link_lower[link] >= nodes || side[fabric.link_lower[link]] > 1)))
      continue;
    const std::size_t lower = is_of_node ? switches + fabric.link_lower[link] : fabric.link_lower[link];
    const bool is_sender = is_of_node && side[fabric.link_lower[link]] == 0;
    const bool is_receiver = is_of_node && side[fabric.link_lower[link]] == 1;
    add_link(graph, lower, fabric.link_upper[link], is_receiver ? 0 : capacity, is_sender ? 0 : capacity);
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    const std::int64_t capacity =
        std::llround(node_b_per_s(fabric, health, node)) + 1;  // of all its links, so it limits nothing
    if (side[node] == 0) add_link(graph, source, switches + node, capacity, 0);
    if (side[node] == 1) add_link(graph, switches + node, sink, capacity, 0);
  }
  return static_cast<double>(boost::boykov_kolmogorov_max_flow(graph, get(&Arc::capacity, graph),
                                                               get(&Arc::residual, graph), get(&Arc::reverse, graph),
                                                               get(boost::vertex_index, graph), source, sink));
}

}  // namespace wattloop::network
