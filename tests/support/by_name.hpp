// A plant at one instant, asked by the names of its components: temperatures of nodes, flows of links, states, inputs, loads. Numbers that the
// plant keeps for its own use are not looked at.
#pragma once

#include <map>
#include <string>

#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::tests {

class Names {
 public:
  explicit Names(const twin::Plant& of_plant);

  const twin::Plant& plant;
  std::map<std::string, std::size_t> nodes, links, states, inputs, loads, branches, sources, buses;
};

/// Every name that is not there is an std::out_of_range that reports it.
std::size_t number_of(const std::map<std::string, std::size_t>& names, const std::string& name);

struct Instant {
  const Names& names;
  const twin::PlantState& state;
  const twin::Evaluation& evaluation;

  double k(const std::string& node) const {
    return evaluation.signals[names.plant.nodes[number_of(names.nodes, node)].temperature_signal];
  }
  double kg_per_s(const std::string& link) const {
    return evaluation.signals[names.plant.links[number_of(names.links, link)].flow_signal];
  }
  double state_of(const std::string& name) const { return state.states[number_of(names.states, name)]; }
  /// What goes into a state: W into the meters of energy.
  double into(const std::string& name) const { return evaluation.sinks[number_of(names.states, name)]; }
  double input(const std::string& name) const { return state.inputs[number_of(names.inputs, name)]; }
  double load_w(const std::string& name) const { return evaluation.loads_w()[number_of(names.loads, name)]; }
};

}  // namespace wattloop::tests
