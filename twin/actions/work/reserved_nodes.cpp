#include "twin/actions/work/reserved_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/text/name_pattern.hpp"
#include "twin/build/floor/rack_plan.hpp"

namespace wattloop::twin {

namespace {

/// Racks and nodes by their names.
class NodesByName {
 public:
  explicit NodesByName(const Scenario& scenario) {
    for (const PlannedRack& rack : plan_racks(scenario).racks) {
      const auto nodes = static_cast<std::size_t>(scenario.racks[rack.group].nodes);
      add(rack.name, count_, nodes);
      for (std::size_t node = 0; node < nodes; ++node)
        add(fmt::format("{}.node_{}", rack.name, node + 1), count_ + node, 1);
      count_ += nodes;
    }
  }

  const NameIndex& names() const { return names_; }

  void append(std::size_t name, std::vector<std::size_t>& nodes) const {
    const auto [first, count] = spans_[name];
    nodes.resize(nodes.size() + count);
    std::iota(nodes.end() - static_cast<std::ptrdiff_t>(count), nodes.end(), first);
  }

  std::string name_of(std::size_t node) const {
    const auto found = std::ranges::find(spans_, std::pair{node, std::size_t{1}});
    return names_.names()[static_cast<std::size_t>(found - spans_.begin())];
  }

 private:
  void add(const std::string& name, std::size_t first, std::size_t count) {
    names_.add(name);
    spans_.emplace_back(first, count);
  }

  NameIndex names_;
  std::vector<std::pair<std::size_t, std::size_t>> spans_;  ///< [name] first node, nodes
  std::size_t count_ = 0;
};

std::vector<std::size_t> nodes_of(const ReservationSpec& spec, const NodesByName& hall, Problems& problems) {
  std::vector<std::size_t> nodes;
  for (std::size_t k = 0; k < spec.nodes.names.size(); ++k) {
    const std::string& name = spec.nodes.names[k];
    const std::vector<std::size_t> found = hall.names().fitting(name);
    for (const std::size_t number : found) hall.append(number, nodes);
    if (!found.empty()) continue;
    const Mention& mention = spec.nodes.mentions[k];
    problems.add({mention.place, fmt::format("this hall has no node or rack '{}' to reserve", name),
                  hall.names().hint(name, problems), mention.excerpt});
  }
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  return nodes;
}

void check_pair(const workload::Reservation& a, const workload::Reservation& b, const Mention& mention,
                const NodesByName& hall, Problems& problems) {
  if (a.from_s >= b.to_s || b.from_s >= a.to_s) return;
  std::vector<std::size_t> both;
  std::ranges::set_intersection(a.nodes, b.nodes, std::back_inserter(both));
  if (both.empty()) return;
  problems.add({mention.place,
                fmt::format("{} is reserved by {} and by {} at one time{}", hall.name_of(both.front()), a.name, b.name,
                            both.size() > 1 ? fmt::format(", and {} nodes more", both.size() - 1) : ""),
                "a node has one reservation at a time", mention.excerpt});
}

}  // namespace

std::vector<workload::Reservation> reservations_of(const Scenario& scenario, Problems& problems) {
  const std::vector<ReservationSpec>& specs = scenario.jobs->reservations;
  std::vector<workload::Reservation> reservations;
  if (specs.empty()) return reservations;
  const NodesByName hall(scenario);
  for (const ReservationSpec& spec : specs) {
    reservations.push_back({spec.name, nodes_of(spec, hall, problems), spec.from_s, spec.to_s});
    for (std::size_t other = 0; other + 1 < reservations.size(); ++other)
      check_pair(reservations[other], reservations.back(), spec.mention, hall, problems);
  }
  return reservations;
}

}  // namespace wattloop::twin
