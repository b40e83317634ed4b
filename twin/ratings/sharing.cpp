#include "twin/ratings/sharing.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "electrical/power_tree.hpp"

namespace wattloop::twin {

namespace {

/// The part that a load is of: the first word of its equipment.
std::string_view part_of(const LoadAtRating& load) {
  const std::string_view equipment = load.equipment;
  return equipment.substr(0, equipment.find_first_of(" ,"));
}

/// Standby and other sources at work that carry the same bus. [bus]
class SharedBuses {
 public:
  SharedBuses(std::span<const LoadAtRating> loads, const electrical::PowerTree& tree)
      : tree_(tree), at_work_(tree.bus_name.size()) {
    for (std::size_t source = 0; source < tree.source_name.size(); ++source)
      source_of_name_.emplace(tree.source_name[source], source);
    for (const LoadAtRating& load : loads) {
      const auto source = source_of_name_.find(part_of(load));
      if (source != source_of_name_.end() && load.load > 0.0) ++at_work_[bus_of(source->second)];
    }
  }

  std::optional<int> sharing(std::string_view name) const {
    const auto source = source_of_name_.find(name);
    if (source == source_of_name_.end()) return std::nullopt;
    return at_work_[bus_of(source->second)];
  }

 private:
  std::size_t bus_of(std::size_t source) const { return static_cast<std::size_t>(tree_.source_bus[source]); }

  const electrical::PowerTree& tree_;
  std::unordered_map<std::string_view, std::size_t> source_of_name_;
  std::vector<int> at_work_;
};

/// Machines at work of one kind that hang on the same.
class SharedPlaces {
 public:
  explicit SharedPlaces(const PlantSnapshot& now) {
    for (const NamedPart& part : now.plant.named) {
      if (part.motors.empty()) continue;
      const std::string place = fmt::format("{} on {}", part.kind, fmt::join(part.hangs_on, ", "));
      int& at_work = at_work_[place];
      if (std::ranges::any_of(part.motors, [&](std::size_t m) { return now.state.equipment.is_running[m] != 0; }))
        ++at_work;
      place_of_name_.emplace(part.name, place);
    }
  }

  int sharing(std::string_view name) const {
    const auto place = place_of_name_.find(name);
    return place == place_of_name_.end() ? 1 : at_work_.at(place->second);
  }

 private:
  std::unordered_map<std::string, int> at_work_;
  std::unordered_map<std::string_view, std::string> place_of_name_;
};

}  // namespace

void count_sharing(std::span<LoadAtRating> loads, const PlantSnapshot& now) {
  const SharedBuses buses(loads, now.plant.power_tree);
  const SharedPlaces places(now);
  for (LoadAtRating& load : loads) {
    const std::string_view name = part_of(load);
    load.sharing = std::max(load.sharing, buses.sharing(name).value_or(places.sharing(name)));
  }
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
