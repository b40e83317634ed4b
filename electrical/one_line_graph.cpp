#include "electrical/one_line_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>

namespace wattloop::electrical {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

Graph make_graph(int buses, const std::vector<int>& from, const std::vector<int>& to) {
  Graph graph(static_cast<std::size_t>(buses));
  for (std::size_t branch = 0; branch < from.size(); ++branch) add_edge(from[branch], to[branch], graph);
  return graph;
}

/// [buses] whether a walk from any of `starts` passes the bus. `graph` gains a vertex.
std::vector<bool> reached(Graph graph, const std::vector<int>& starts) {
  const std::size_t buses = num_vertices(graph);
  const auto root = add_vertex(graph);
  for (const int start : starts) add_edge(root, start, graph);
  std::vector<boost::default_color_type> color(buses + 1);
  const auto color_map = make_iterator_property_map(color.begin(), get(boost::vertex_index, graph));
  boost::queue<Graph::vertex_descriptor> queue;
  boost::breadth_first_search(graph, root, queue, boost::bfs_visitor<>(), color_map);
  std::vector<bool> is_reached(buses);
  for (std::size_t bus = 0; bus < buses; ++bus) is_reached[bus] = color[bus] == boost::black_color;
  return is_reached;
}

}  // namespace

BusNumbers number_buses(const OneLineDiagram& diagram) {
  BusNumbers numbers;
  for (const Bus& bus : diagram.buses) numbers.emplace(bus.name, static_cast<int>(&bus - diagram.buses.data()));
  return numbers;
}

OneLineGraph::OneLineGraph(const OneLineDiagram& diagram) : buses_(static_cast<int>(diagram.buses.size())) {
  const BusNumbers number = number_buses(diagram);
  for (const Branch& branch : diagram.branches) {
    const int from = number.at(branch.from), to = number.at(branch.to);
    from_.push_back(from);
    to_.push_back(to);
    if (branch.goes_both_ways) {
      from_.push_back(to);
      to_.push_back(from);
      continue;
    }
    one_from_.push_back(from);
    one_to_.push_back(to);
    one_.push_back(static_cast<int>(&branch - diagram.branches.data()));
  }
  for (const Source& source : diagram.sources) source_buses_.push_back(number.at(source.bus));
  for (const Load& load : diagram.loads) {
    for (const std::string& bus : load.buses) load_buses_.push_back(number.at(bus));
  }
}

std::vector<bool> OneLineGraph::reached_from_sources() const {
  return reached(make_graph(buses_, from_, to_), source_buses_);
}

std::vector<bool> OneLineGraph::leads_to_loads() const { return reached(make_graph(buses_, to_, from_), load_buses_); }

std::vector<std::vector<int>> OneLineGraph::cycles() const {
  const Graph graph = make_graph(buses_, one_from_, one_to_);
  std::vector<int> component(static_cast<std::size_t>(buses_));
  const auto component_map = make_iterator_property_map(component.begin(), get(boost::vertex_index, graph));
  const int components = boost::strong_components(graph, component_map);
  std::vector<std::vector<int>> branches(static_cast<std::size_t>(components));
  for (std::size_t branch = 0; branch < one_.size(); ++branch) {
    if (component[one_from_[branch]] != component[one_to_[branch]]) continue;
    branches[component[one_from_[branch]]].push_back(one_[branch]);
  }
  std::erase_if(branches, [](const auto& group) { return group.empty(); });
  std::sort(branches.begin(), branches.end());
  return branches;
}

std::vector<int> OneLineGraph::levels() const {
  const Graph graph = make_graph(buses_, one_from_, one_to_);
  std::vector<int> last_first;
  boost::topological_sort(graph, std::back_inserter(last_first));
  std::vector<int> level(static_cast<std::size_t>(buses_), 0);
  for (auto bus = last_first.rbegin(); bus != last_first.rend(); ++bus) {
    for (const auto edge : boost::make_iterator_range(out_edges(*bus, graph))) {
      int& below = level[target(edge, graph)];
      below = std::max(below, level[*bus] + 1);
    }
  }
  return level;
}

}  // namespace wattloop::electrical
