#include "twin/planning/work/reserved_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "twin/planning/work/nodes_by_name.hpp"

namespace wattloop::twin {

namespace {

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
                "give each node one reservation at a time", mention.excerpt});
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
