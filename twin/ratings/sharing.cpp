#include "twin/ratings/sharing.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "electrical/power_tree.hpp"

namespace wattloop::twin {

int sharing_with(const LoadAtRating& load, std::span<const LoadAtRating> loads, const PlantSnapshot& now) {
  const Plant& plant = now.plant;
  const electrical::PowerTree& tree = plant.power_tree;
  const std::string name = load.equipment.substr(0, load.equipment.find_first_of(" ,"));
  if (const auto source = electrical::find_source(tree, name)) {
    return static_cast<int>(std::ranges::count_if(loads, [&](const LoadAtRating& other) {
      const auto at = electrical::find_source(tree, other.equipment.substr(0, other.equipment.find(' ')));
      return at && other.load > 0.0 && tree.source_bus[*at] == tree.source_bus[*source];
    }));
  }
  const auto part = std::ranges::find(plant.named, name, &NamedPart::name);
  if (part == plant.named.end() || part->motors.empty()) return 1;
  return static_cast<int>(std::ranges::count_if(plant.named, [&](const NamedPart& other) {
    return other.kind == part->kind && other.hangs_on == part->hangs_on &&
           std::ranges::any_of(other.motors, [&](std::size_t m) { return now.state.equipment.is_running[m] != 0; });
  }));
}

FlowsOfKinds flows_through(const std::vector<PartSpec>& parts, const std::string& water, const PlantSnapshot& now) {
  FlowsOfKinds flows;
  for (const PartSpec& part : parts) {
    for (const PortSpec& port : part.ports) {
      if (port.from != water + ".return" || port.to != water + ".supply") continue;
      const auto link = std::ranges::find(now.plant.links, fmt::format("{}.{}_in", part.name, port.port), &Link::name);
      const double flow_kg_per_s = link == now.plant.links.end() ? 0.0 : now.evaluation.signals[link->flow_signal];
      if (flow_kg_per_s > 0.0) flows.emplace_back(part.kind, flow_kg_per_s);
    }
  }
  return flows;
}

double sum_of(const FlowsOfKinds& flows) {
  double sum_kg_per_s = 0.0;
  for (const auto& [kind, flow_kg_per_s] : flows) sum_kg_per_s += flow_kg_per_s;
  return sum_kg_per_s;
}

}  // namespace wattloop::twin
