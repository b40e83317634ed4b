#include "tests/support/by_name.hpp"

#include <stdexcept>

namespace wattloop::tests {

namespace {

std::map<std::string, std::size_t> numbered(const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> numbers;
  for (std::size_t k = 0; k < names.size(); ++k) numbers[names[k]] = k;
  return numbers;
}

}  // namespace

Names::Names(const twin::Plant& of_plant)
    : plant(of_plant),
      inputs(numbered(plant.input_names)),
      loads(numbered(plant.power_tree.load_name)),
      branches(numbered(plant.power_tree.branch_name)),
      sources(numbered(plant.power_tree.source_name)),
      buses(numbered(plant.power_tree.bus_name)) {
  for (std::size_t n = 0; n < plant.nodes.size(); ++n) nodes[plant.nodes[n].name] = n;
  for (std::size_t l = 0; l < plant.links.size(); ++l) links[plant.links[l].name] = l;
  for (std::size_t s = 0; s < plant.layout.size(); ++s) states[plant.layout.name(s)] = s;
}

std::size_t number_of(const std::map<std::string, std::size_t>& names, const std::string& name) {
  const auto found = names.find(name);
  if (found == names.end()) throw std::out_of_range("the plant has nothing named " + name);
  return found->second;
}

}  // namespace wattloop::tests
