#include "twin/planning/work/nodes_by_name.hpp"

#include <numeric>

#include <fmt/format.h>

#include "twin/build/floor/rack_plan.hpp"

namespace wattloop::twin {

NodesByName::NodesByName(const Scenario& scenario) {
  const RackPlan plan = plan_racks(scenario);
  for (const PlannedRack& rack : plan.racks) {
    const auto nodes = static_cast<std::size_t>(scenario.racks[rack.group].nodes);
    add(rack.name, count_, nodes);
    for (std::size_t node = 0; node < nodes; ++node)
      add(fmt::format("{}.node_{}", rack.name, node + 1), count_ + node, 1);
    add(plan.rows[rack.row].name, count_, nodes);
    count_ += nodes;
  }
}

void NodesByName::append(std::size_t name, std::vector<std::size_t>& nodes) const {
  for (const auto& [first, count] : spans_[name]) {
    nodes.resize(nodes.size() + count);
    std::iota(nodes.end() - static_cast<std::ptrdiff_t>(count), nodes.end(), first);
  }
}

std::string NodesByName::name_of(std::size_t node) const {
  for (std::size_t name = 0; name < spans_.size(); ++name) {
    if (spans_[name].size() == 1 && spans_[name].front() == std::pair{node, std::size_t{1}})
      return names_.names()[name];
  }
  return {};
}

void NodesByName::add(const std::string& name, std::size_t first, std::size_t count) {
  const std::size_t number = names_.add(name);
  spans_.resize(names_.names().size());
  spans_[number].emplace_back(first, count);
}

}  // namespace wattloop::twin
