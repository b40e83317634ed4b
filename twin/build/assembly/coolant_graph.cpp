#include "twin/build/assembly/coolant_graph.hpp"

#include "twin/build/floor/rack_plan.hpp"

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

/// Junctions and the streams between them, those of CDUs with pumps pumped.
Graph graph_of(const Diagram& diagram) {
  std::set<std::size_t> pumped;
  for (const LoopFlows& loop : diagram.loops) {
    for (const CduFlows& cdu : loop.cdus) {
      if (!cdu.pump_speed_states.empty()) pumped.insert(cdu.flow_signal);
    }
  }
  Graph graph(diagram.junctions.size());
  for (const Stream& stream : diagram.streams)
    boost::add_edge(stream.from.number, stream.to.number, Pipe{pumped.contains(stream.flow)}, graph);
  return graph;
}

}  // namespace

void check_coolant_graph(const Diagram& diagram, const Scenario& scenario) {
  Problems problems;
  const auto complain = [&](std::string message, std::string hint, Mention mention) {
    if (mention.place.file.empty()) mention.place.file = scenario.file;
    problems.add({mention.place, std::move(message), std::move(hint), mention.excerpt});
  };
  const Graph graph = graph_of(diagram);
  std::vector<std::size_t> circuit(boost::num_vertices(graph));
  boost::strong_components(graph, circuit.data());
  std::set<std::size_t> pumped;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
    const std::size_t from = circuit[boost::source(edge, graph)];
    if (graph[edge].is_pumped && from == circuit[boost::target(edge, graph)]) pumped.insert(from);
  }
  for (std::size_t l = 0; l < diagram.loops.size(); ++l) {
    const FluidSystem& loop = diagram.system(diagram.coolant_loops[l].name);
    const std::size_t supply = circuit[loop.supply.number];
    if (diagram.loops[l].rack_count() == 0.0) {
      complain(fmt::format("no rack is connected to {}", loop.name), "write at most as many loops as there are racks",
               {});
    } else if (supply != circuit[loop.back.number]) {
      complain(fmt::format("{} is not a circuit: nothing leads from its return to its supply", loop.name),
               "add a CDU to the loop", {});
    } else if (!pumped.contains(supply)) {
      complain(fmt::format("{} has no pump: its coolant does not flow", loop.name),
               "each of its CDUs needs at least one: pumps: 1",
               scenario.cooling.loops[plan_racks(scenario).loops[l].spec].pumps_mention);
    }
  }
  problems.throw_if_any(scenario.file);
}

}  // namespace wattloop::twin
