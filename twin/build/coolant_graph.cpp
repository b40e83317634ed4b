#include "twin/build/coolant_graph.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <set>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

struct Pipe {
  bool is_pumped = false;
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Pipe>;

/// Racks lead from supply to return headers, CDUs back, through a pump if they have one.
Graph coolant_graph(const HallParts& hall) {
  Graph graph;
  for (const RackPart& rack : hall.racks) {
    const LoopPart& loop = hall.loops[rack.loop];
    boost::add_edge(loop.supply_node, rack.supply_node, graph);
    boost::add_edge(rack.supply_node, rack.return_node, graph);
    boost::add_edge(rack.return_node, loop.return_node, graph);
  }
  for (const CduPart& cdu : hall.cdus) {
    const LoopPart& loop = hall.loops[cdu.loop];
    boost::add_edge(loop.return_node, cdu.outlet_node, Pipe{!cdu.pumps.empty()}, graph);
    boost::add_edge(cdu.outlet_node, loop.supply_node, graph);
  }
  return graph;
}

}  // namespace

void check_coolant_graph(const HallParts& hall, const Scenario& scenario) {
  Problems problems;
  const auto complain = [&](std::string message, std::string hint, Mention mention) {
    if (mention.place.file.empty()) mention.place.file = scenario.file;
    problems.add({mention.place, std::move(message), std::move(hint), mention.excerpt});
  };
  const Graph graph = coolant_graph(hall);
  std::vector<std::size_t> circuit(boost::num_vertices(graph));
  boost::strong_components(graph, circuit.data());
  std::set<std::size_t> pumped;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
    const std::size_t from = circuit[boost::source(edge, graph)];
    if (graph[edge].is_pumped && from == circuit[boost::target(edge, graph)]) pumped.insert(from);
  }
  for (const LoopPart& loop : hall.loops) {
    if (loop.racks.empty()) {
      complain(fmt::format("{} cools no rack", loop.name), "give at most as many loops as there are racks", {});
    } else if (circuit[loop.supply_node] != circuit[loop.return_node]) {
      complain(fmt::format("{} is not a circuit: nothing leads from its return to its supply", loop.name),
               "a loop needs a CDU", {});
    } else if (!pumped.contains(circuit[loop.supply_node])) {
      complain(fmt::format("{} has no pump: its coolant stands still", loop.name),
               "each of its CDUs needs at least one: pumps: 1", scenario.cooling.loops.pumps_mention);
    }
  }
  problems.throw_if_any(scenario.file);
}

}  // namespace wattloop::twin
